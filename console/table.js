/** The page of one table: its schema, its regions, and the changes that the user may make. */

import { change, get } from './api.js'
import { escaped, fromBase64, toBase64, unescaped } from './bytes.js'
import { confirmed } from './confirm.js'
import { h, problem, showMessage, table } from './dom.js'
import { count } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showTable({ main, server, names, signal }) {
  const [name = ''] = names
  const shown = await get('table', [['name', name]], signal)
  main.append(
    h('div', { class: 'title' }, h('h1', {}, shown.name), h('span', { class: 'state' }, shown.state)),
    h('p', {}, h('a', { href: `#/rows/${encodeURIComponent(shown.name)}` }, 'Rows')),
  )
  const failed = h('div', {})
  const can = server.writes ? shown.can : { flush: false, compact: false, split: false }
  if (server.writes) main.append(actions(shown, undefined, failed))
  else
    main.append(
      h(
        'p',
        { class: 'hint' },
        'The console is read-only. Start the server with ',
        h('code', {}, '--console-writes'),
        ' to flush, compact and split here.',
      ),
    )
  main.append(failed)
  if (shown.compaction !== undefined && shown.compaction !== 'NONE') {
    main.append(h('p', {}, h('a', { href: '#/compactions' }, `Compaction: ${shown.compaction}`)))
  }
  if (shown.families === undefined)
    main.append(h('p', { class: 'hint' }, 'Your permissions do not include the schema of this table.'))
  else main.append(families(shown), attributes(shown))
  main.append(regions(shown, can, failed))
}

/** @param {any} shown */
function families(shown) {
  const rows = shown.families.map((/** @type {any} */ family) => {
    const all = Object.entries(family.attributes)
    const spans = all.map(([key, value]) => h('span', { class: 'attribute' }, `${key} ${value}`))
    return [escaped(fromBase64(family.name)), h('td', {}, spans)]
  })
  return table('Families', ['Family', 'Attributes'], rows)
}

/** @param {any} shown */
function attributes(shown) {
  const rows = Object.entries(shown.attributes).map(([key, value]) => [key, String(value)])
  return table('Table attributes', ['Attribute', 'Value'], rows)
}

/** @param {any} shown @param {{ flush: boolean, compact: boolean, split: boolean }} can @param {HTMLElement} failed */
function regions(shown, can, failed) {
  const hasActions = can.flush || can.compact || can.split
  const rows = shown.regions.map((/** @type {any} */ region) => {
    const { load } = region
    const figure = (/** @type {string} */ key) => (load === undefined ? '' : count(load[key]))
    return [
      h('code', {}, region.encodedName),
      h('code', {}, escaped(fromBase64(region.startKey))),
      h('code', {}, escaped(fromBase64(region.endKey))),
      region.server ?? '',
      figure('storeFiles'),
      figure('storeFileSizeMB'),
      figure('memStoreSizeMB'),
      figure('readRequests'),
      figure('writeRequests'),
      ...(hasActions ? [h('td', {}, actions(shown, region, failed))] : []),
    ]
  })
  const heads = [
    'Region',
    'Start key',
    'End key',
    'Server',
    '#Store files',
    '#Size (MB)',
    '#Memstore (MB)',
    '#Reads',
    '#Writes',
  ]
  const caption =
    shown.regions.length < shown.regionsTotal
      ? `The first ${shown.regions.length} of ${shown.regionsTotal} regions`
      : 'Regions'
  return table(caption, hasActions ? [...heads, 'Actions'] : heads, rows)
}

/** @param {any} shown @param {any} region undefined: the whole table @param {HTMLElement} failed */
function actions(shown, region, failed) {
  const name = region === undefined ? shown.name : `region ${region.encodedName}`
  const target = { table: shown.name, ...(region !== undefined && { region: region.encodedName }) }
  const run = async (/** @type {string} */ done, /** @type {Record<string, unknown>} */ asked) => {
    try {
      await change({ ...asked, ...target })
      showMessage(`${name}: ${done}`)
      failed.replaceChildren()
      dispatchEvent(new HashChangeEvent('hashchange'))
    } catch (error) {
      failed.replaceChildren(problem(error))
    }
  }
  const button = (/** @type {string} */ text, /** @type {() => Promise<void>} */ work) =>
    h('button', { type: 'button', onclick: work, 'aria-label': `${text} ${name}` }, text)
  const split = async () => {
    const answer = await confirmed(
      `Split ${name}?`,
      'Writes to it wait for a moment.',
      'Split',
      'Split row (\\xHH for a byte); empty: the middle',
    )
    if (answer === undefined) return
    let at
    try {
      at = answer.text === '' ? undefined : toBase64(unescaped(answer.text))
    } catch (error) {
      failed.replaceChildren(problem(error))
      return
    }
    await run('split requested', { kind: 'split', ...(at !== undefined && { at }) })
  }
  const compact = async (/** @type {boolean} */ major) => {
    const words = major
      ? 'It rewrites all store files, which takes time and disk space.'
      : 'It merges small store files into larger ones.'
    if (
      (await confirmed(`${major ? 'Major compaction of' : 'Compact'} ${name}?`, words, 'Compact')) ===
      undefined
    )
      return
    await run('compaction requested', { kind: 'compact', major })
  }
  const flush = async () => {
    if ((await confirmed(`Flush ${name}?`, 'It writes memstores to store files.', 'Flush')) === undefined)
      return
    await run('flushed', { kind: 'flush' })
  }
  return h(
    'div',
    { class: 'actions', role: 'group', 'aria-label': `Actions on ${name}` },
    shown.can.flush && button('Flush', flush),
    shown.can.compact && button('Compact', () => compact(false)),
    shown.can.compact && button('Major compact', () => compact(true)),
    shown.can.split && button('Split', split),
  )
}
