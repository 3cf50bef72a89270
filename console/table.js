/** One table: its schema, its regions, and what may be done to them. */

import { change, get } from './api.js'
import { escaped, fromBase64, toBase64, unescaped } from './bytes.js'
import { confirmed } from './confirm.js'
import { h, problem, say, table } from './dom.js'
import { count } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showTable({ main, server, names, signal }) {
  const [name = ''] = names
  const told = await get('table', [['name', name]], signal)
  main.append(
    h('div', { class: 'title' }, h('h1', {}, told.name), h('span', { class: 'state' }, told.state)),
    h('p', {}, h('a', { href: `#/rows/${encodeURIComponent(told.name)}` }, 'Rows')),
  )
  const failed = h('div', {})
  const can = server.writes ? told.can : { flush: false, compact: false, split: false }
  if (server.writes) main.append(actions(told, undefined, failed))
  else
    main.append(
      h(
        'p',
        { class: 'hint' },
        'The console reads only: ',
        h('code', {}, '--console-writes'),
        ' lets it flush, compact and split.',
      ),
    )
  main.append(failed)
  if (told.compaction !== undefined && told.compaction !== 'NONE') {
    main.append(h('p', {}, h('a', { href: '#/compactions' }, `It is being compacted: ${told.compaction}`)))
  }
  if (told.families === undefined)
    main.append(h('p', { class: 'hint' }, 'Your permissions do not show its families and attributes.'))
  else main.append(families(told), attributes(told))
  main.append(regions(told, can, failed))
}

/** @param {any} told */
function families(told) {
  const rows = told.families.map((/** @type {any} */ family) => {
    const all = Object.entries(family.attributes)
    const shown = all.map(([key, value]) => h('span', { class: 'attribute' }, `${key} ${value}`))
    return [escaped(fromBase64(family.name)), h('td', {}, shown)]
  })
  return table('Families', ['Family', 'Attributes'], rows)
}

/** @param {any} told */
function attributes(told) {
  const rows = Object.entries(told.attributes).map(([key, value]) => [key, String(value)])
  return table('Attributes of the table', ['Attribute', 'Value'], rows)
}

/** @param {any} told @param {{ flush: boolean, compact: boolean, split: boolean }} can @param {HTMLElement} failed */
function regions(told, can, failed) {
  const hasActions = can.flush || can.compact || can.split
  const rows = told.regions.map((/** @type {any} */ region) => {
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
      ...(hasActions ? [h('td', {}, actions(told, region, failed))] : []),
    ]
  })
  const heads = [
    'Region',
    'Start key',
    'End key',
    'Server',
    '#Files',
    '#MB',
    '#Memstore MB',
    '#Reads',
    '#Writes',
  ]
  const caption =
    told.regions.length < told.regionsTotal
      ? `The first ${told.regions.length} of ${told.regionsTotal} regions`
      : 'Regions'
  return table(caption, hasActions ? [...heads, 'Do'] : heads, rows)
}

/** @param {any} told @param {any} region undefined: the table @param {HTMLElement} failed */
function actions(told, region, failed) {
  const what = region === undefined ? told.name : `region ${region.encodedName}`
  const of = { table: told.name, ...(region !== undefined && { region: region.encodedName }) }
  const run = async (/** @type {string} */ done, /** @type {Record<string, unknown>} */ asked) => {
    try {
      await change({ ...asked, ...of })
      say(`${what}: ${done}`)
      failed.replaceChildren()
      dispatchEvent(new HashChangeEvent('hashchange'))
    } catch (error) {
      failed.replaceChildren(problem(error))
    }
  }
  const button = (/** @type {string} */ text, /** @type {() => Promise<void>} */ work) =>
    h('button', { type: 'button', onclick: work, 'aria-label': `${text} ${what}` }, text)
  const split = async () => {
    const told = await confirmed(
      `Split ${what}?`,
      'Writes wait for a moment.',
      'Split',
      'At the row (\\xHH for bytes); empty: in halves',
    )
    if (told === undefined) return
    let at
    try {
      at = told.text === '' ? undefined : toBase64(unescaped(told.text))
    } catch (error) {
      failed.replaceChildren(problem(error))
      return
    }
    await run('the split is asked for', { kind: 'split', ...(at !== undefined && { at }) })
  }
  const compact = async (/** @type {boolean} */ major) => {
    const words = major
      ? 'All its store files are written anew, which takes time and disk.'
      : 'Small store files become larger ones.'
    if (
      (await confirmed(`${major ? 'Major compaction of' : 'Compact'} ${what}?`, words, 'Compact')) ===
      undefined
    )
      return
    await run('the compaction is asked for', { kind: 'compact', major })
  }
  const flush = async () => {
    if (
      (await confirmed(`Flush ${what}?`, 'Its memstores are written to store files.', 'Flush')) === undefined
    )
      return
    await run('it is flushed', { kind: 'flush' })
  }
  return h(
    'div',
    { class: 'actions', role: 'group', 'aria-label': `Do to ${what}` },
    told.can.flush && button('Flush', flush),
    told.can.compact && button('Compact', () => compact(false)),
    told.can.compact && button('Major compact', () => compact(true)),
    told.can.split && button('Split', split),
  )
}
