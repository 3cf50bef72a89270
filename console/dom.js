/** Creates elements. Data of the server becomes text nodes and attributes, never markup. */

import { makeSortable } from './sorting.js'

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {string | number | boolean | undefined | ((event: Event) => unknown)} Attribute */

/**
 * An element with attributes and children. A function is added as a listener: `onclick` for the event `click`.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Readonly<Record<string, Attribute>>} [attributes]
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key.slice(2), value)
    else if (value !== undefined && value !== false)
      element.setAttribute(key, value === true ? '' : String(value))
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue
    element.append(typeof child === 'number' ? String(child) : child)
  }
  return element
}

/**
 * An SVG element.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} attributes
 * @param {...Node} children
 */
export function svg(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  element.append(...children)
  return element
}

/**
 * A table that scrolls sideways on narrow screens. A click on a head sorts it: a cell's `data-sort` goes before its text.
 *
 * @param {string} caption
 * @param {readonly string[]} heads the heads of the columns; `#` at the beginning marks a column of numbers
 * @param {readonly (readonly (Child | HTMLTableCellElement)[])[]} rows
 */
export function table(caption, heads, rows) {
  const isNumber = heads.map((head) => head.startsWith('#'))
  const cell = (/** @type {Child} */ child, /** @type {number} */ index) => {
    if (child instanceof HTMLTableCellElement) return child
    return h(
      index === 0 ? 'th' : 'td',
      { class: isNumber[index] && 'number', scope: index === 0 && 'row' },
      child,
    )
  }
  const head = (/** @type {string} */ text, /** @type {number} */ index) =>
    h('th', { scope: 'col', class: isNumber[index] && 'number' }, text.replace(/^#/, ''))
  const element = h(
    'table',
    {},
    h('caption', {}, caption),
    h('thead', {}, h('tr', {}, heads.map(head))),
    h(
      'tbody',
      {},
      rows.map((row) => h('tr', {}, row.map(cell))),
    ),
  )
  makeSortable(element, isNumber)
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption }, element)
}

/** @param {string} text a message, shown for six seconds; screen readers read it aloud */
export function showMessage(text) {
  const place = /** @type {HTMLElement} */ (document.getElementById('message'))
  place.textContent = text
  setTimeout(() => {
    if (place.textContent === text) place.textContent = ''
  }, 6000)
}

/** @param {string} text @param {string} name the name of the text in the message */
export async function copy(text, name) {
  try {
    await navigator.clipboard.writeText(text)
    showMessage(`Copied: ${name}`)
  } catch {
    showMessage('The browser does not allow copying here. Select the text and copy it.')
  }
}

/** @param {unknown} error */
export function problem(error) {
  return h('p', { class: 'problem', role: 'alert' }, error instanceof Error ? error.message : String(error))
}
