/** The page of rows. The address has the query, so that users can bookmark and send it. */

import { get } from './api.js'
import { toBase64, unescaped } from './bytes.js'
import { copyMenu } from './copy-menu.js'
import { FORMS } from './decode.js'
import { h, problem } from './dom.js'
import { filterBuilder } from './filter-builder.js'
import { newCell } from './new-cell.js'
import { pageOfRows } from './row-list.js'
import { count } from './words.js'

/** The name, label and placeholder of each field. */
const FIELDS = /** @type {const} */ ([
  ['prefix', 'Row prefix', ''],
  ['start', 'Start row', 'first row'],
  ['stop', 'End row (exclusive)', 'end of table'],
  ['columns', 'Columns', 'all; or f:q, g'],
  ['versions', 'Versions', '1; or all'],
  ['from', 'Minimum timestamp', '0'],
  ['to', 'Maximum timestamp (exclusive)', ''],
  ['asOf', 'As of timestamp', 'now'],
  ['rows', 'Rows per page', '25'],
])

/** @typedef {Record<(typeof FIELDS)[number][0] | 'filter', string>} Asked */

/** @param {URLSearchParams} query @returns {Asked} */
function askedOf(query) {
  const entries = [...FIELDS.map(([name]) => name), 'filter'].map((name) => [name, query.get(name) ?? ''])
  return /** @type {Asked} */ (Object.fromEntries(entries))
}

/** @param {string} text */
function columnsOf(text) {
  return text
    .split(',')
    .map((column) => column.trim())
    .filter((column) => column !== '')
    .map(unescaped)
}

/**
 * The read that the fields state, for the server and for the copied commands. Throws for a backslash that begins no `\xHH`.
 *
 * @param {string} table
 * @param {Asked} asked
 * @returns {import('./copy-as.js').Read}
 */
function readOf(table, asked) {
  // Other clients have no "as of". A time range up to it comes nearest.
  const to = asked.asOf === '' ? asked.to : (BigInt(asked.asOf) + 1n).toString()
  return {
    table,
    ...optional('prefix', bytesOf(asked.prefix)),
    ...optional('start', bytesOf(asked.start)),
    ...optional('stop', bytesOf(asked.stop)),
    columns: columnsOf(asked.columns),
    versions: asked.versions,
    from: asked.from,
    to,
    filter: asked.filter.trim(),
    rows: Number(asked.rows || 25),
  }
}

/** @param {string} text */
function bytesOf(text) {
  return text === '' ? undefined : unescaped(text)
}

/** @template T @param {string} name @param {T | undefined} value */
function optional(name, value) {
  return value === undefined ? {} : { [name]: value }
}

/** @param {string} table @param {Asked} asked @param {string | undefined} next @returns {[string, string][]} */
function parametersOf(table, asked, next) {
  const read = readOf(table, asked)
  const keys = /** @type {const} */ (['prefix', 'start', 'stop'])
  const plain = /** @type {const} */ (['versions', 'from', 'to', 'asOf', 'rows', 'filter'])
  return [
    ['table', table],
    ...keys.flatMap((key) => (read[key] === undefined ? [] : [bytesPair(key, read[key])])),
    ...read.columns.map((column) => bytesPair('column', column)),
    ...plain.flatMap((key) =>
      asked[key].trim() === '' ? [] : [/** @type {[string, string]} */ ([key, asked[key].trim()])],
    ),
    ...(next === undefined ? [] : [/** @type {[string, string]} */ (['next', next])]),
  ]
}

/** @param {string} key @param {Uint8Array} bytes @returns {[string, string]} */
function bytesPair(key, bytes) {
  return [key, toBase64(bytes)]
}

/** @param {import('./app.js').Shown} shown */
export function showRows({ main, server, names, query, signal }) {
  const [table = ''] = names
  const asked = askedOf(query)
  const results = h('div', {})
  const form = h(
    'select',
    { id: 'form' },
    FORMS.map(([value, words]) => h('option', { value }, words)),
  )
  /** @type {any} */
  let page
  const draw = () => {
    if (page === undefined) return
    const list = pageOfRows(page, /** @type {any} */ (form.value), {
      table,
      server,
      read: () => readOf(table, asked),
      reload: load,
    })
    results.replaceChildren(list, ...footer())
  }
  /** @param {string} [next] */
  const load = async (next) => {
    results.setAttribute('aria-busy', 'true')
    try {
      page = await get('rows', parametersOf(table, asked, next), signal)
      draw()
    } catch (error) {
      if (!signal.aborted) results.replaceChildren(problem(error))
    }
    results.removeAttribute('aria-busy')
  }
  const footer = () => {
    const words = `${count(page.rows.length)} ${page.rows.length === 1 ? 'row' : 'rows'}, ${count(page.examined)} scanned`
    const next =
      page.next !== undefined &&
      h('button', { type: 'button', id: 'next', onclick: () => load(page.next) }, 'Next page')
    return [
      h('p', { role: 'status' }, words, page.next === undefined ? ', end of the table or range' : ''),
      next,
    ].filter((each) => each !== false)
  }
  form.addEventListener('change', draw)
  main.append(
    h(
      'div',
      { class: 'title' },
      h('h1', {}, `Rows of ${table}`),
      h('a', { href: `#/tables/${encodeURIComponent(table)}` }, 'Table'),
    ),
    queryForm(table, asked),
    h(
      'div',
      { class: 'bar' },
      h('label', { for: 'form' }, 'Show values as'),
      form,
      copyMenu(server, () => readOf(table, asked)),
    ),
    results,
    ...(server.writes ? [newCell(table, () => load(undefined))] : []),
  )
  return load(undefined)
}

/** @param {string} table @param {Asked} asked */
function queryForm(table, asked) {
  const fields = FIELDS.map(([name, label, hint]) => ({
    name,
    label: h('label', { for: `ask-${name}` }, label),
    input: h('input', {
      id: `ask-${name}`,
      value: asked[name],
      placeholder: hint,
      autocomplete: 'off',
      spellcheck: 'false',
    }),
  }))
  const filter = filterBuilder(asked.filter)
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault()
    const stated = fields.map(
      ({ name, input }) => /** @type {[string, string]} */ ([name, input.value.trim()]),
    )
    const all = [...stated, /** @type {[string, string]} */ (['filter', filter.text()])].filter(
      ([, value]) => value !== '',
    )
    const address = `#/rows/${encodeURIComponent(table)}?${new URLSearchParams(all)}`
    if (location.hash === address) dispatchEvent(new HashChangeEvent('hashchange'))
    else location.hash = address
  }
  return h(
    'form',
    { class: 'card question', onsubmit: ask, 'aria-label': 'Query' },
    h(
      'div',
      { class: 'grid' },
      fields.map(({ label, input }) => h('div', {}, label, input)),
    ),
    filter.element,
    h(
      'p',
      { class: 'hint' },
      'In rows, prefixes and columns ',
      h('code', {}, '\\xHH'),
      ' stands for one byte.',
    ),
    h('button', {}, 'Read'),
  )
}
