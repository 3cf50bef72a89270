/** The page of running compactions, with the progress of each region. */

import { get } from './api.js'
import { h } from './dom.js'
import { emptyState } from './parts.js'
import { poll } from './poll.js'
import { count } from './words.js'

const REFRESH_MS = 1500

/** @param {import('./app.js').Shown} shown */
export async function showCompactions({ main, signal }) {
  const place = h('div', { 'aria-live': 'polite' })
  main.append(h('h1', {}, 'Compactions'), place)
  let shownText = ''
  const refresh = async () => {
    const answer = await get('compactions', [], signal)
    const text = JSON.stringify(answer)
    if (text === shownText) return
    shownText = text
    if (!answer.isThere) place.replaceChildren(h('p', {}, 'This store does not report compactions.'))
    else if (answer.tables.length === 0) place.replaceChildren(noneRunning())
    else place.replaceChildren(...answer.tables.map(tableSection))
  }
  await poll(refresh, { everyMs: REFRESH_MS, signal, main })
}

function noneRunning() {
  return emptyState(
    'No compaction is running',
    'The store compacts by itself as files gather. To start one, open a table of ',
    h('a', { href: '#/tables' }, 'Tables'),
    ' and choose Compact. Finished ones are in the ',
    h('a', { href: '#/log' }, 'log'),
    ', from 64 MB on.',
  )
}

/** @param {any} compaction */
function tableSection({ table, state, regions }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, h('a', { href: `#/tables/${encodeURIComponent(table)}` }, table), ` ${state ?? ''}`),
    regions.length === 0 && h('p', {}, 'The compaction is queued or has just started.'),
    h('ul', {}, regions.map(regionItem)),
  )
}

/** @param {any} region */
function regionItem({ region, compactingCells, compactedCells }) {
  const words = `${count(compactedCells)} of ${count(compactingCells)} cells`
  const bar = h('progress', {
    max: compactingCells,
    value: compactedCells,
    'aria-label': `${region}: ${words}`,
  })
  return h('li', {}, h('code', {}, region), ' ', bar, ` ${words}`)
}
