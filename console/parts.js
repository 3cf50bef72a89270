/** Parts that several pages have. */

import { h } from './dom.js'
import { ago, localTime } from './words.js'

/** @typedef {import('./dom.js').Child} Child */

/**
 * A page without data says what to do.
 *
 * @param {string} title
 * @param {...Child} words
 */
export function emptyState(title, ...words) {
  return h('section', { class: 'card empty' }, h('h2', {}, title), h('p', {}, ...words))
}

/**
 * The page of facts that the user may not see.
 *
 * @param {string} title such as `The log`
 * @param {{ deciding?: 'Tidegate' | 'cluster' }} answer
 */
export function hiddenState(title, { deciding }) {
  return emptyState(
    `${title} is not for all users`,
    deciding === 'cluster'
      ? 'The cluster checks permissions here, and Tidegate does not know its administrators. Read this on the machine of the server.'
      : 'Only users with the global permission ADMIN see it. Ask an administrator, or log in as another user.',
  )
}

/**
 * A short word in a colour.
 *
 * @param {string} text
 * @param {'good' | 'bad' | 'soft'} tone
 */
export function badge(text, tone) {
  return h('span', { class: `badge badge-${tone}` }, text)
}

/** @param {readonly (readonly [string, Child])[]} pairs */
export function definitions(pairs) {
  return h(
    'dl',
    {},
    pairs.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )
}

/** A moment, and how long ago it was. @param {number} ms */
export function moment(ms) {
  const text = localTime(ms)
  return h(
    'time',
    { datetime: new Date(ms).toISOString(), title: new Date(ms).toISOString() },
    text,
    ' ',
    h('span', { class: 'hint' }, ago(Date.now() - ms)),
  )
}

/**
 * A group of buttons of which one is pressed.
 *
 * @template {string} Name
 * @param {string} label
 * @param {readonly { name: Name, title: string }[]} choices
 * @param {Name} chosen
 * @param {(name: Name) => void} choose
 */
export function chooser(label, choices, chosen, choose) {
  const buttons = choices.map(({ name, title }) =>
    h('button', { type: 'button', class: 'quiet', 'aria-pressed': String(name === chosen) }, title),
  )
  for (const [index, button] of buttons.entries()) {
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
      choose(/** @type {{ name: Name }} */ (choices[index]).name)
    })
  }
  return h('div', { class: 'chooser', role: 'group', 'aria-label': label }, buttons)
}

/**
 * A field that leaves only the elements whose text has all its words.
 *
 * @param {string} label
 * @param {() => Iterable<HTMLElement>} elements
 * @param {(shown: number) => void} [done]
 */
export function searchField(label, elements, done) {
  const field = h('input', { type: 'search', placeholder: label, 'aria-label': label, autocomplete: 'off' })
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/)
    let shown = 0
    for (const element of elements()) {
      const text = (element.textContent ?? '').toLowerCase()
      element.hidden = !words.every((word) => text.includes(word))
      if (!element.hidden) shown++
    }
    done?.(shown)
  })
  return field
}
