/** Reads and writes of each table, on the overview. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { count, rate } from './words.js'

/** The most tables that the overview shows, those with the most requests. */
const SHOWN_MAX = 20

/**
 * @typedef {{ name: string, regions: number, reads: number, writes: number }} TableLoad
 * @typedef {{ isThere: boolean, atMs: number, tables: readonly TableLoad[] }} Loads
 */

/**
 * Returns a function that reads and draws the loads anew.
 *
 * @param {HTMLElement} place
 * @param {AbortSignal} signal
 */
export function tableLoads(place, signal) {
  /** @type {Loads | undefined} */
  let before
  return async () => {
    /** @type {Loads} */
    const now = await get('table-load', [], signal)
    const { scrollLeft = 0 } = place.querySelector('.scroll') ?? {}
    place.replaceChildren(...drawn(now, before))
    const scroll = place.querySelector('.scroll')
    if (scroll !== null) scroll.scrollLeft = scrollLeft
    before = now
  }
}

/** @param {Loads} now @param {Loads | undefined} before */
function drawn(now, before) {
  if (!now.isThere) return [h('p', { class: 'hint' }, 'This store does not report requests by table.')]
  const known = new Map((before?.tables ?? []).map((each) => [each.name, each]))
  const seconds = before === undefined ? 0 : (now.atMs - before.atMs) / 1000
  const perSecond = (/** @type {number} */ more) => (seconds > 0 ? Math.max(0, more) / seconds : undefined)
  const loads = now.tables
    .map((each) => {
      const earlier = known.get(each.name)
      return {
        ...each,
        readRate: earlier && perSecond(each.reads - earlier.reads),
        writeRate: earlier && perSecond(each.writes - earlier.writes),
      }
    })
    .sort(
      (a, b) =>
        (b.readRate ?? 0) + (b.writeRate ?? 0) - (a.readRate ?? 0) - (a.writeRate ?? 0) ||
        b.reads + b.writes - a.reads - a.writes ||
        (a.name < b.name ? -1 : 1),
    )
  const rows = loads
    .slice(0, SHOWN_MAX)
    .map(({ name, regions, reads, writes, readRate, writeRate }) => [
      h('a', { href: `#/tables/${encodeURIComponent(name)}` }, name),
      knownRate(readRate),
      knownRate(writeRate),
      count(reads),
      count(writes),
      count(regions),
    ])
  const more = loads.length - SHOWN_MAX
  return [
    table(
      'Requests by table',
      ['Table', '#Reads per second', '#Writes per second', '#Reads', '#Writes', '#Open regions'],
      rows,
    ),
    ...(more > 0
      ? [
          h(
            'p',
            { class: 'hint' },
            `${count(more)} more tables with fewer requests: `,
            h('a', { href: '#/tables' }, 'Tables'),
            '.',
          ),
        ]
      : []),
  ]
}

/** @param {number | undefined} value */
function knownRate(value) {
  return value === undefined ? '-' : rate(value)
}
