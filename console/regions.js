/** The regions of a table: charts of their sizes and requests, and one list, in which users select regions for an action. */

import { escaped, fromBase64 } from './bytes.js'
import { h, table } from './dom.js'
import { barCell, regionChart, sizeCell } from './region-chart.js'
import { count, size } from './words.js'

/** The most regions that a chart has a column for. */
const CHART_MAX = 600

/**
 * @param {any} shown the answer of `api/table`
 * @param {((selected: readonly string[]) => void) | undefined} onSelect gets the encoded names of the selected regions; undefined: none can be selected
 */
export function regions(shown, onSelect) {
  const damaged = new Set(shown.damage.flatMap((/** @type {any} */ { regions: names = [] }) => names))
  return [...charts(shown, damaged), list(shown, damaged, onSelect)]
}

/** @param {any} shown @param {ReadonlySet<string>} damaged */
function charts(shown, damaged) {
  const all = shown.regions.slice(0, CHART_MAX)
  if (all.length < 2 || all.every((/** @type {any} */ { load }) => load === undefined)) return []
  const columns = (/** @type {(load: any) => number} */ valueOf) =>
    all.map((/** @type {any} */ { encodedName, startKey, load }) => ({
      name: `${encodedName} from ${escaped(fromBase64(startKey)) || 'the first row'}`,
      value: load === undefined ? 0 : valueOf(load),
      isDamaged: damaged.has(encodedName),
    }))
  return [
    h(
      'div',
      { class: 'plots region-charts' },
      regionChart(
        'Size',
        columns((load) => load.storeFileBytes),
        size,
      ),
      regionChart(
        'Requests',
        columns((load) => load.readRequests + load.writeRequests),
        count,
      ),
    ),
  ]
}

/** @param {any} shown @param {ReadonlySet<string>} damaged @param {((selected: readonly string[]) => void) | undefined} onSelect */
function list(shown, damaged, onSelect) {
  const most = (/** @type {string} */ key) =>
    Math.max(1, ...shown.regions.map((/** @type {any} */ { load }) => load?.[key] ?? 0))
  const largest = {
    storeFileBytes: most('storeFileBytes'),
    readRequests: most('readRequests'),
    writeRequests: most('writeRequests'),
  }
  const servers = new Set(shown.regions.map((/** @type {any} */ { server }) => server))
  /** @type {HTMLInputElement[]} */
  const boxes = []
  const changed = () => onSelect?.(boxes.filter(({ checked }) => checked).map(({ value }) => value))
  const rows = shown.regions.map((/** @type {any} */ region) => {
    const { load, encodedName } = region
    const bar = (/** @type {keyof typeof largest} */ key, /** @type {(value: number) => string} */ words) =>
      load === undefined ? '' : barCell(load[key], largest[key], words)
    const name = h('code', {}, encodedName)
    const box = h('input', { type: 'checkbox', value: encodedName, onchange: changed })
    boxes.push(box)
    return [
      h(
        'td',
        { class: 'region' },
        onSelect === undefined ? name : h('label', {}, box, ' ', name),
        damaged.has(encodedName) && h('span', { class: 'badge badge-bad' }, 'damaged'),
      ),
      keyCell(region.startKey, 'first row'),
      keyCell(region.endKey, 'end of table'),
      ...(servers.size > 1 ? [region.server ?? ''] : []),
      load === undefined ? '' : count(load.storeFiles),
      bar('storeFileBytes', size),
      load === undefined ? '' : sizeCell(load.memStoreSizeMB),
      bar('readRequests', count),
      bar('writeRequests', count),
    ]
  })
  const heads = [
    'Region',
    'Start key',
    'End key',
    ...(servers.size > 1 ? ['Server'] : []),
    '#Files',
    '#Size',
    '#Memstore',
    '#Reads',
    '#Writes',
  ]
  const [server] = servers
  const place = servers.size === 1 && server !== undefined ? `, on ${server}` : ''
  const caption =
    shown.regions.length < shown.regionsTotal
      ? `The first ${count(shown.regions.length)} of ${count(shown.regionsTotal)} regions${place}`
      : `Regions${place}`
  return table(caption, heads, rows)
}

/** @param {string} key base64 @param {string} otherwise */
function keyCell(key, otherwise) {
  const text = escaped(fromBase64(key))
  return h(
    'td',
    { 'data-sort': text },
    text === '' ? h('span', { class: 'hint' }, otherwise) : h('code', {}, text),
  )
}
