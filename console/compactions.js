/** Compactions under way, with how far each has come. */

import { get } from './api.js'
import { h } from './dom.js'
import { count } from './words.js'

const EVERY_MS = 1500

/** @param {import('./app.js').Shown} shown */
export async function showCompactions({ main, signal }) {
  const place = h('div', { 'aria-live': 'polite' })
  main.append(h('h1', {}, 'Compactions'), place)
  let shownBefore = ''
  const look = async () => {
    const told = await get('compactions', [], signal)
    const text = JSON.stringify(told)
    if (text === shownBefore) return
    shownBefore = text
    if (!told.isThere) place.replaceChildren(h('p', {}, 'The store has no compactions.'))
    else if (told.tables.length === 0) place.replaceChildren(h('p', {}, 'None is under way.'))
    else place.replaceChildren(...told.tables.map(ofTable))
  }
  await look()
  const timer = setInterval(() => {
    if (!document.hidden) look().catch(() => undefined)
  }, EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
}

/** @param {any} told */
function ofTable({ table, state, regions }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, h('a', { href: `#/tables/${encodeURIComponent(table)}` }, table), ` ${state ?? ''}`),
    regions.length === 0 && h('p', {}, 'It waits, or has just begun.'),
    h('ul', {}, regions.map(ofRegion)),
  )
}

/** @param {any} told */
function ofRegion({ region, compactingCells, compactedCells }) {
  const words = `${count(compactedCells)} of ${count(compactingCells)} cells`
  const bar = h('progress', {
    max: compactingCells,
    value: compactedCells,
    'aria-label': `${region}: ${words}`,
  })
  return h('li', {}, h('code', {}, region), ' ', bar, ` ${words}`)
}
