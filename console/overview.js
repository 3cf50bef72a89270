/** The overview page: health, doors, memory, the load of the last hour, and requests by table and by method. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { quantile } from './latencies.js'
import { loadPlots } from './load-plots.js'
import { definitions } from './parts.js'
import { poll } from './poll.js'
import { tableLoads } from './table-loads.js'
import { count, duration, rate, size, uptime } from './words.js'

const REFRESH_MS = 2000
/** The server adds a point each five seconds. */
const POINT_MS = 5000

/**
 * @typedef {object} Kind
 * @property {string} door
 * @property {string} service
 * @property {string} method
 * @property {number} ok
 * @property {number} refused
 * @property {number} failed
 * @property {import('./latencies.js').Classes} classes
 *
 * @typedef {object} Load
 * @property {number} pid the process that answered
 * @property {number} atMs
 * @property {readonly Kind[]} kinds
 * @property {readonly { name: string, count: number, seconds: number }[]} stages
 */

/** @param {Kind} kind */
function keyOf({ door, service, method }) {
  return `${door} ${service} ${method}`
}

/** @param {Kind} kind */
function totalOf({ ok, refused, failed }) {
  return ok + refused + failed
}

/** @param {import('./app.js').Shown} shown */
export async function showOverview({ main, signal }) {
  const facts = h('div', { class: 'cards' })
  const plots = loadPlots(signal)
  const tables = h('div', {})
  const methods = h('div', { class: 'methods' })
  const pause = h('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false' }, 'Pause')
  main.append(
    h('div', { class: 'title' }, h('h1', {}, 'Overview'), pause),
    facts,
    plots.element,
    tables,
    methods,
  )
  let isPaused = false
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    pause.setAttribute('aria-pressed', String(isPaused))
    pause.textContent = isPaused ? 'Resume' : 'Pause'
  })
  /** @type {Load | undefined} */
  let before
  const refresh = async () => {
    const [server, load] = await Promise.all([get('overview', [], signal), get('load', [], signal)])
    drawFacts(facts, server)
    if (before?.pid !== load.pid) before = undefined
    drawMethods(methods, load, before)
    before = load
  }
  const polling = { signal, main, isPaused: () => isPaused }
  await poll(refresh, { ...polling, everyMs: REFRESH_MS })
  await poll(() => plots.refresh(), { ...polling, everyMs: POINT_MS })
  await poll(tableLoads(tables, signal), { ...polling, everyMs: POINT_MS, soonMs: REFRESH_MS })
}

/** @param {ReadonlyMap<string, Kind>} known @param {Kind} kind */
function totalBefore(known, kind) {
  const before = known.get(keyOf(kind))
  return before === undefined ? 0 : totalOf(before)
}

/** @param {HTMLElement} place @param {any} server */
function drawFacts(place, server) {
  const { health } = server
  const troubles = [health.reason, ...(health.troubles ?? []), ...damagedTables(health), ...server.insecure]
  place.replaceChildren(
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'Server'),
      h('p', { class: `state state-${health.status}` }, health.status),
      troubles.filter(Boolean).map((trouble) => h('p', { class: 'problem' }, trouble)),
      definitions([
        ['Version', `${server.version}, compatible with HBase ${server.hbase}`],
        ['Store', server.store],
        ['Uptime', uptime(server.uptimeSeconds)],
        ['Console', server.writes ? 'can change tables and rows' : 'read-only'],
        ...(server.processes > 1
          ? [/** @type {const} */ (['Processes', `${server.processes}; this page shows the figures of one`])]
          : []),
      ]),
    ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'Doors'),
      definitions(
        server.doors.map((/** @type {any} */ door) => [
          door.name,
          `port ${door.port}, ${count(door.connections)} ${door.connections === 1 ? 'connection' : 'connections'}`,
        ]),
      ),
    ),
    h(
      'section',
      { class: 'card' },
      h('h2', {}, 'Memory'),
      h('ul', { class: 'accounts' }, server.memory.accounts.map(account)),
    ),
  )
}

/**
 * The tables with damaged files: their pages have the files. Files of tables that the user may not see are only counted.
 *
 * @param {{ damagedFiles?: number, damage?: readonly { table: string }[] }} health
 */
function damagedTables({ damagedFiles = 0, damage = [] }) {
  /** @type {Map<string, number>} */
  const files = new Map()
  for (const { table: name } of damage) files.set(name, (files.get(name) ?? 0) + 1)
  /** @type {(string | Node)[][]} */
  const tables = [...files].map(([name, number]) => [
    number === 1 ? '1 damaged file in ' : `${count(number)} damaged files in `,
    h('a', { href: `#/tables/${encodeURIComponent(name)}` }, name),
  ])
  const rest = damagedFiles - damage.length
  if (rest > 0) tables.push([`damaged files not listed here: ${count(rest)}`])
  return tables
}

/** @param {{ name: string, bytes: number, max?: number }} account */
function account({ name, bytes, max }) {
  const words = max === undefined ? size(bytes) : `${size(bytes)} of ${size(max)}`
  const bar =
    max !== undefined && h('meter', { min: 0, max: Math.max(1, max), value: bytes, 'aria-label': name })
  return h('li', {}, h('span', {}, name), h('span', { class: 'number' }, words), bar)
}

/** @param {HTMLElement} place @param {Load} load @param {Load | undefined} before */
function drawMethods(place, load, before) {
  const known = new Map((before?.kinds ?? []).map((kind) => [keyOf(kind), kind]))
  const seconds = before === undefined ? 0 : (load.atMs - before.atMs) / 1000
  const rows = load.kinds.map((kind) => {
    const more = totalOf(kind) - totalBefore(known, kind)
    const name = h('code', {}, `${kind.door} ${kind.service} ${kind.method}`)
    const times = [quantile(kind.classes, 0.5), quantile(kind.classes, 0.99)].map(duration)
    const perSecond = seconds === 0 ? '-' : rate(more / seconds)
    return [name, perSecond, ...times, count(kind.ok), count(kind.refused), count(kind.failed)]
  })
  const stages = load.stages.map(({ name, count: times, seconds: all }) => [
    h('code', {}, name),
    count(times),
    duration(times === 0 ? undefined : (all * 1000) / times),
    h('td', { class: 'number', 'data-sort': all }, all < 60 ? duration(all * 1000) : uptime(all)),
  ])
  const scrolled = [...place.querySelectorAll('.scroll')].map(({ scrollLeft }) => scrollLeft)
  place.replaceChildren(
    table(
      'Requests since the server started',
      ['Door and method', '#Per second', '#p50', '#p99', '#ok', '#refused', '#failed'],
      rows,
    ),
    ...(stages.length === 0
      ? []
      : [table('Stages of the store', ['Stage', '#Count', '#Mean', '#Total'], stages)]),
  )
  for (const [index, each] of [...place.querySelectorAll('.scroll')].entries())
    each.scrollLeft = scrolled[index] ?? 0
}
