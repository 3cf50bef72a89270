/** The page of settings: each with its value, its default, and where the value comes from. */

import { get } from './api.js'
import { h } from './dom.js'
import { badge, chooser, hiddenState, searchField } from './parts.js'
import { duration, size } from './words.js'

/**
 * @typedef {object} Setting
 * @property {string} group
 * @property {string} name
 * @property {string} takes
 * @property {string} about
 * @property {string} value
 * @property {string} fallback
 * @property {string} source
 * @property {boolean} isDefault
 */

/** @param {import('./app.js').Shown} shown */
export async function showSettings({ main, signal }) {
  const answer = await get('settings', [], signal)
  main.append(h('h1', {}, 'Settings'))
  if (answer.isHidden) {
    main.append(hiddenState('The list of settings', answer))
    return
  }
  /** @type {readonly Setting[]} */
  const settings = answer.settings
  const items = settings.map((setting) => ({ setting, element: item(setting) }))
  const groups = [...new Set(settings.map(({ group }) => group))].map((title) => {
    const own = items.filter(({ setting }) => setting.group === title).map(({ element }) => element)
    return h('section', { class: 'settings' }, h('h2', {}, title), h('ul', {}, own))
  })
  const none = h('p', { role: 'status' })
  let isStatedOnly = false
  const hideEmpty = () => {
    let shown = 0
    for (const { setting, element } of items) {
      if (isStatedOnly && setting.isDefault) element.hidden = true
      if (!element.hidden) shown++
    }
    for (const group of groups) group.hidden = group.querySelector('li:not([hidden])') === null
    none.textContent =
      shown > 0
        ? ''
        : isStatedOnly && search.value === ''
          ? 'All settings have their defaults.'
          : 'No setting has these words.'
  }
  const search = searchField('Find a setting', () => items.map(({ element }) => element), hideEmpty)
  const stated = settings.filter(({ isDefault }) => !isDefault).length
  const choice = chooser(
    'Settings',
    [
      { name: 'all', title: `All ${settings.length}` },
      { name: 'stated', title: `Not at their defaults: ${stated}` },
    ],
    'all',
    (name) => {
      isStatedOnly = name === 'stated'
      search.dispatchEvent(new Event('input'))
    },
  )
  main.append(
    h('div', { class: 'bar' }, choice, search),
    h(
      'p',
      { class: 'hint' },
      'A flag wins over its variable, a variable over the config file. Passwords, tokens and keys are hidden. Settings change with a restart.',
    ),
    none,
    ...groups,
  )
}

/** @param {Setting} setting */
function item({ name, takes, about, value, fallback, source, isDefault }) {
  return h(
    'li',
    {},
    h(
      'div',
      { class: 'setting-head' },
      h('code', {}, name),
      isDefault ? badge('default', 'soft') : badge(source === 'flag' ? 'by flag' : source, 'good'),
    ),
    h(
      'p',
      { class: 'setting-value' },
      value === '' ? h('span', { class: 'hint' }, 'not set') : h('b', {}, shownValue(value, takes)),
    ),
    h(
      'p',
      { class: 'hint' },
      about,
      !isDefault && fallback !== '' && `. Default: ${shownValue(fallback, takes)}`,
    ),
  )
}

/** A number of bytes or of milliseconds in words, too. @param {string} value @param {string} takes */
function shownValue(value, takes) {
  if (!/^\d+$/.test(value)) return value
  if (takes === '<size>' && Number(value) >= 1024) return `${size(Number(value))} (${value} bytes)`
  if (takes === '<duration>' && Number(value) >= 1000) return `${duration(Number(value))} (${value} ms)`
  return value
}
