/** The page of the latest lines of the server's log. */

import { get } from './api.js'
import { h } from './dom.js'
import { badge, chooser, emptyState, hiddenState, moment, searchField } from './parts.js'
import { poll } from './poll.js'
import { count } from './words.js'

const REFRESH_MS = 3000

const LEVELS = /** @type {const} */ ([
  { name: 'info', title: 'All' },
  { name: 'warn', title: 'Warnings and errors' },
  { name: 'error', title: 'Errors' },
])
const TONES = /** @type {const} */ ({ info: 'soft', warn: 'bad', error: 'bad' })
const WORDS = { info: 'info', warn: 'warning', error: 'error' }

/**
 * @typedef {object} ServerEvent
 * @property {number} at
 * @property {'info' | 'warn' | 'error'} level
 * @property {string} message
 * @property {Readonly<Record<string, string | number | boolean>>} fields
 */

/** @param {import('./app.js').Shown} shown */
export async function showLog({ main, query, signal }) {
  /** @type {'info' | 'warn' | 'error'} */
  let level = LEVELS.find(({ name }) => name === query.get('level'))?.name ?? 'info'
  const place = h('div', {})
  const hint = h('p', { class: 'hint' })
  const search = searchField('Find in the log', () => place.querySelectorAll('li'))
  let shownText = ''
  const refresh = async () => {
    const answer = await get('events', [['level', level]], signal)
    const text = JSON.stringify(answer) + level
    if (text === shownText) return
    shownText = text
    draw(answer)
  }
  /** @param {any} answer */
  const draw = (answer) => {
    bar.hidden = answer.isHidden === true
    hint.hidden = bar.hidden
    if (answer.isHidden) return place.replaceChildren(hiddenState('The log', answer))
    if (!answer.isThere)
      return place.replaceChildren(
        emptyState('No log is kept here', 'Read the log of the server itself: JSON lines on its stderr.'),
      )
    hint.textContent = `${count(answer.kept)} lines are in memory, the latest first. The log itself, on stderr, has all.`
    if (answer.events.length === 0) place.replaceChildren(nothing(level))
    else place.replaceChildren(h('ol', { class: 'log' }, answer.events.map(line)))
    search.dispatchEvent(new Event('input'))
  }
  const choose = chooser('Lines', LEVELS, level, (name) => {
    level = name
    history.replaceState(null, '', name === 'info' ? '#/log' : `#/log?level=${name}`)
    refresh().catch(() => undefined)
  })
  const bar = h('div', { class: 'bar' }, choose, search)
  main.append(h('h1', {}, 'Log'), bar, hint, place)
  await poll(refresh, { everyMs: REFRESH_MS, signal, main })
}

/** @param {'info' | 'warn' | 'error'} level */
function nothing(level) {
  return level === 'info'
    ? emptyState(
        'Nothing has been logged yet',
        'Starts, warnings, errors, splits, large compactions and changes by the console appear here.',
      )
    : emptyState(
        level === 'warn' ? 'No warnings and no errors' : 'No errors',
        'None of the lines in memory is one. Choose All to see the rest.',
      )
}

/** @param {ServerEvent} event */
function line({ at, level, message, fields }) {
  const others = Object.entries(fields)
  return h(
    'li',
    { class: `log-${level}` },
    h('div', { class: 'log-head' }, badge(WORDS[level], TONES[level]), moment(at)),
    h('p', {}, message),
    others.length > 0 &&
      h(
        'p',
        { class: 'log-fields' },
        others.map(([name, value]) => h('span', {}, `${name} `, h('code', {}, String(value)))),
      ),
  )
}
