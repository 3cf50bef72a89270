/** The query of the page of rows: its fields, the read that they state, and the line that says it in words. */

import { toBase64, unescaped } from './bytes.js'
import { h } from './dom.js'
import { filterBuilder } from './filter-builder.js'

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
export function askedOf(query) {
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
export function readOf(table, asked) {
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
export function parametersOf(table, asked, next) {
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

/**
 * A line that says what is read, and unfolds into the form.
 *
 * @param {string} table
 * @param {Asked} asked
 * @param {URLSearchParams} query
 */
export function queryForm(table, asked, query) {
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
    const view = query.get('view')
    if (view !== null) all.push(['view', view])
    const address = `#/rows/${encodeURIComponent(table)}?${new URLSearchParams(all)}`
    if (location.hash === address) dispatchEvent(new HashChangeEvent('hashchange'))
    else location.hash = address
  }
  const form = h(
    'form',
    { onsubmit: ask, 'aria-label': 'Query' },
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
  return h(
    'details',
    { class: 'card question', id: 'question' },
    h('summary', {}, h('b', {}, 'Query: '), questionWords(asked)),
    form,
  )
}

/** The query in words. @param {Asked} asked */
function questionWords(asked) {
  const { prefix, start, stop, columns, versions, from, to, asOf, rows, filter } = asked
  const range = [start !== '' && `from ${start}`, stop !== '' && `before ${stop}`].filter(Boolean).join(' ')
  const versionWords =
    versions === '' || versions === '1'
      ? 'newest version'
      : versions === 'all'
        ? 'all versions'
        : `${versions} versions`
  const times = [from !== '' && `since ${from}`, to !== '' && `before ${to}`].filter(Boolean).join(' ')
  const parts = [
    prefix !== '' ? `rows that begin with ${prefix}` : range === '' ? 'all rows' : `rows ${range}`,
    columns === '' ? 'all columns' : `columns ${columns}`,
    versionWords,
    times !== '' && `timestamps ${times}`,
    asOf !== '' && `as of ${asOf}`,
    filter !== '' && `filter ${filter}`,
    `${rows || 25} a page`,
  ]
  return h('span', { class: 'asked' }, parts.filter(Boolean).join(', '))
}
