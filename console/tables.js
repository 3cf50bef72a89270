/** The page of all tables with their sizes. Where the console may change tables, it has a form for a new one. */

import { change, get } from './api.js'
import { toBase64, unescaped } from './bytes.js'
import { h, problem, showMessage, table } from './dom.js'
import { barCell, sizeCell } from './region-chart.js'
import { count, size } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showTables({ main, server, signal }) {
  const { tables, systemTables } = await get('tables', [], signal)
  main.append(h('h1', {}, 'Tables'))
  if (tables.length === 0) main.append(h('p', {}, 'There are no tables yet.'))
  else main.append(list('Tables', tables))
  if (server.writes) main.append(newTable())
  else
    main.append(
      h(
        'p',
        { class: 'hint' },
        'The console is read-only. Start the server with ',
        h('code', {}, '--console-writes'),
        ' to create tables and put cells here.',
      ),
    )
  main.append(h('details', {}, h('summary', {}, 'System tables'), list('System tables', systemTables)))
}

/** @param {string} name */
function pathOf(name) {
  return encodeURIComponent(name)
}

/** @param {string} caption @param {readonly any[]} tables */
function list(caption, tables) {
  const largest = (/** @type {string} */ key) => Math.max(1, ...tables.map((each) => each[key]))
  const most = {
    storeFileBytes: largest('storeFileBytes'),
    reads: largest('reads'),
    writes: largest('writes'),
  }
  const hasStates = tables.some(({ state }) => state !== undefined)
  const rows = tables.map((each) => [
    h('a', { href: `#/tables/${pathOf(each.name)}` }, each.name),
    h('a', { href: `#/rows/${pathOf(each.name)}`, 'aria-label': `rows of ${each.name}` }, 'rows'),
    ...(hasStates ? [stateOf(each)] : []),
    each.families ?? '',
    count(each.regions),
    barCell(each.storeFileBytes, most.storeFileBytes, size),
    sizeCell(each.memStoreSizeMB),
    barCell(each.reads, most.reads, count),
    barCell(each.writes, most.writes, count),
  ])
  const heads = [
    'Table',
    'Rows',
    ...(hasStates ? ['State'] : []),
    '#Families',
    '#Open regions',
    '#Store files',
    '#Memstores',
    '#Reads',
    '#Writes',
  ]
  return table(caption, heads, rows)
}

/** @param {{ state?: string, damagedFiles?: number }} table */
function stateOf({ state = '', damagedFiles = 0 }) {
  if (damagedFiles === 0) return state
  const words = damagedFiles === 1 ? '1 damaged file' : `${count(damagedFiles)} damaged files`
  return h('td', {}, state, ' ', h('span', { class: 'badge badge-bad' }, words))
}

function newTable() {
  const name = h('input', { id: 'new-name', required: true, autocomplete: 'off', spellcheck: 'false' })
  const families = h('input', {
    id: 'new-families',
    required: true,
    value: 'f',
    autocomplete: 'off',
    spellcheck: 'false',
  })
  const versions = h('input', { id: 'new-versions', type: 'number', min: 1, value: 1 })
  const failed = h('div', {})
  const create = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      const stated = families.value.split(',').map((family) => ({
        name: toBase64(unescaped(family.trim())),
        versions: versions.value,
      }))
      await change({ kind: 'createTable', table: name.value.trim(), families: stated })
      showMessage(`Created: ${name.value.trim()}`)
      location.hash = `#/rows/${pathOf(name.value.trim())}`
    } catch (error) {
      failed.replaceChildren(problem(error))
    }
  }
  return h(
    'form',
    { class: 'card fields', onsubmit: create },
    h('h2', {}, 'New table'),
    h('label', { for: 'new-name' }, 'Name'),
    name,
    h('label', { for: 'new-families' }, 'Families, separated by commas'),
    families,
    h('label', { for: 'new-versions' }, 'Versions'),
    versions,
    failed,
    h('button', {}, 'Create'),
  )
}
