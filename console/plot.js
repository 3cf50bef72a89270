/** A line plot of the last minutes. Its label has the last values, for screen readers. */

import { h, svg } from './dom.js'

const WIDTH = 600
const HEIGHT = 150
const LEFT = 56

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {readonly (number | undefined)[]} values the oldest first; undefined: no measurement, a gap in the line
 *
 * @param {string} title
 * @param {readonly Line[]} lines
 * @param {(value: number) => string} words prints a value
 * @param {number} room the number of values across the width of the plot
 */
export function plot(title, lines, words, room) {
  const top = Math.max(1, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))) * 1.1
  const x = (/** @type {number} */ index) => LEFT + ((WIDTH - LEFT) * index) / Math.max(1, room - 1)
  const y = (/** @type {number} */ value) => HEIGHT - 20 - ((HEIGHT - 30) * value) / top
  const marks = [0, 0.5, 1].flatMap((part) => {
    const at = y((top / 1.1) * part)
    const text = svg('text', { x: LEFT - 6, y: at + 4, 'text-anchor': 'end' })
    text.textContent = words((top / 1.1) * part)
    return [svg('line', { x1: LEFT, x2: WIDTH, y1: at, y2: at, class: 'mark' }), text]
  })
  const drawn = lines.map(({ values }, number) => {
    let path = ''
    let isDown = false
    for (const [index, value] of values.entries()) {
      if (value === undefined) isDown = false
      else {
        path += `${isDown ? 'L' : 'M'}${x(index + room - values.length).toFixed(1)} ${y(value).toFixed(1)}`
        isDown = true
      }
    }
    return svg('path', { d: path, class: `line line-${number}` })
  })
  const wordsOf = (/** @type {number | undefined} */ value) => (value === undefined ? '-' : words(value))
  const last = lines.map(({ name, values }) => `${name} ${wordsOf(values.at(-1))}`).join(', ')
  const picture = svg(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': `${title}: ${last}` },
    ...marks,
    ...drawn,
  )
  const key = lines.map(({ name, values }, number) =>
    h('span', { class: `legend legend-${number}` }, `${name} `, h('b', {}, wordsOf(values.at(-1)))),
  )
  return h('figure', {}, h('figcaption', {}, title, ' ', key), picture)
}
