/** The plots of the server's load in the last hour. The server keeps the points, so that they are full when the page opens. */

import { get } from './api.js'
import { h } from './dom.js'
import { chooser } from './parts.js'
import { plot } from './plot.js'
import { duration, percent, rate, size } from './words.js'

/** The colour of each door, which stays where other doors come and go. */
const DOORS = ['rest', 'thrift', 'rpc', 'master', 'zookeeper', 'timeline', 'web']
const KEPT_MS = 3_600_000

const RANGES = /** @type {const} */ ([
  { name: '300', title: '5 min' },
  { name: '900', title: '15 min' },
  { name: '3600', title: '1 h' },
])

/**
 * @typedef {object} Points the answer of `api/history`
 * @property {number} pid the process that answered
 * @property {number} processes
 * @property {number} everyMs
 * @property {number} now
 * @property {number[]} at
 * @property {Record<string, (number | null)[]>} doors
 * @property {Record<string, (number | null)[]>} figures
 */

function newPlots() {
  return {
    doors: plot('Requests per second', rate),
    latency: plot('Request latency', duration),
    errors: plot('Refused and failed per second', rate),
    busy: plot('Event loop busy', percent, { least: 1 }),
    memory: plot('Memory', size, { kind: 'bytes' }),
    connections: plot('Connections', (value) => String(Math.round(value)), { kind: 'whole' }),
  }
}

/** @param {ReturnType<typeof newPlots>} plots @param {Points} points @param {number} seconds the time that they show */
function drawPlots(plots, points, seconds) {
  const { at: times, doors, figures, now, everyMs } = points
  const common = { times, from: now - seconds * 1000, to: now, gapMs: everyMs * 2.5 }
  const line = (/** @type {string} */ name, /** @type {string} */ key, /** @type {number} */ colour) => ({
    name,
    colour,
    values: figures[key] ?? [],
  })
  const asked = DOORS.filter((door) => doors[door]?.some((value) => value !== null && value > 0))
  const shown = asked.length > 0 ? asked : DOORS.filter((door) => door in doors).slice(0, 1)
  plots.doors.draw({
    ...common,
    lines: shown.map((door) => ({ name: door, colour: DOORS.indexOf(door), values: doors[door] ?? [] })),
  })
  plots.latency.draw({ ...common, lines: [line('p50', 'p50', 0), line('p99', 'p99', 1)] })
  plots.errors.draw({ ...common, lines: [line('refused', 'refused', 0), line('failed', 'failed', 1)] })
  plots.busy.draw({ ...common, lines: [line('of the time', 'busy', 0)] })
  plots.memory.draw({
    ...common,
    lines: [line('process', 'rss', 0), line('heap', 'heap', 1), line('requests', 'requests', 2)],
  })
  plots.connections.draw({ ...common, lines: [line('open', 'connections', 0)] })
}

/** @param {AbortSignal} signal */
export function loadPlots(signal) {
  const plots = newPlots()
  let seconds = 3600
  const place = h('div', {})
  const drawRange = () => {
    const range = chooser(
      'Time of the plots',
      RANGES,
      RANGES.find(({ name }) => Number(name) === seconds)?.name ?? '3600',
      (name) => {
        seconds = Number(name)
        draw()
      },
    )
    place.replaceChildren(range)
  }
  /** @type {Points | undefined} */
  let kept
  const draw = () => {
    if (kept === undefined) return
    drawPlots(plots, kept, seconds)
  }
  return {
    element: h(
      'section',
      { 'aria-label': 'Load' },
      h('div', { class: 'title' }, h('h2', {}, 'Load'), place),
      h(
        'div',
        { class: 'plots' },
        Object.values(plots).map(({ element }) => element),
      ),
    ),
    async refresh() {
      const since = kept?.at.at(-1)
      const parameters = since === undefined ? [] : [/** @type {const} */ (['since', String(since)])]
      /** @type {Points} */
      const next = await get('history', parameters, signal)
      const isOther = kept !== undefined && next.pid !== kept.pid && next.processes > 1
      // Another process has points of its own, which do not go on with these.
      if (kept === undefined) {
        seconds = rangeOf(next)
        drawRange()
      }
      if (!isOther) kept = kept === undefined ? next : joined(kept, next)
      draw()
    },
  }
}

/** The shortest range that has all points: a server that has just started would fill a corner of an hour. @param {Points} points */
function rangeOf({ at, now }) {
  const age = (now - (at[0] ?? now)) / 1000
  return Number(RANGES.find(({ name }) => Number(name) >= age)?.name ?? 3600)
}

/** Earlier points stay where the server was started again. @param {Points} kept @param {Points} next @returns {Points} */
function joined(kept, next) {
  const first = Math.max(
    0,
    kept.at.findIndex((at) => at > next.now - KEPT_MS),
  )
  const length = kept.at.length - first
  const join = (
    /** @type {Record<string, (number | null)[]>} */ before,
    /** @type {Record<string, (number | null)[]>} */ after,
  ) =>
    Object.fromEntries(
      [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => [
        name,
        [
          ...(before[name]?.slice(first) ?? Array(length).fill(null)),
          ...(after[name] ?? Array(next.at.length).fill(null)),
        ],
      ]),
    )
  return {
    ...next,
    at: [...kept.at.slice(first), ...next.at],
    doors: join(kept.doors, next.doors),
    figures: join(kept.figures, next.figures),
  }
}
