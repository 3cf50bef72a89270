/**
 * A line plot with axes of values and of time. The pointer and the arrow keys read the values of a moment. Screen readers read the last values, or
 * those of the chosen moment.
 */

import { h, svg } from './dom.js'
import { clock, timeTicks, valueTicks } from './scales.js'

const HEIGHT = 190
const LEFT = 58
const RIGHT = 12
const TOP = 10
const BOTTOM = 22
const PIXELS_PER_TICK = 70

/**
 * @typedef {object} Line
 * @property {string} name
 * @property {number} colour from 0 to 6
 * @property {readonly (number | null)[]} values one for each time; null: no measurement, a gap in the line
 *
 * @typedef {object} Drawing
 * @property {readonly number[]} times milliseconds since 1970, the oldest first
 * @property {readonly Line[]} lines
 * @property {number} from the time at the left end
 * @property {number} to
 * @property {number} gapMs the time between two points above which the line has a gap
 */

/**
 * @typedef {object} Axis of the values
 * @property {(value: number) => string} words prints a value
 * @property {'whole' | 'bytes' | 'any'} kind
 * @property {number} least the top of the axis is not below it
 *
 * @param {string} title
 * @param {(value: number) => string} words
 * @param {Partial<Axis>} [axis]
 */
export function plot(title, words, axis = {}) {
  /** @type {Axis} */
  const values = { words, kind: 'any', least: 0, ...axis }
  const picture = svg('svg', { role: 'img', height: HEIGHT })
  const key = h('span', { class: 'key-of-plot' })
  const reader = h('input', { type: 'range', min: 0, max: 0, value: 0, 'aria-label': `${title}: time` })
  const element = h(
    'figure',
    {},
    h('figcaption', {}, h('b', {}, title), key),
    h('div', { class: 'canvas' }, picture, reader),
  )
  /** @type {Drawing | undefined} */
  let drawing
  /** @type {number | undefined} the index of the moment that is read */
  let read
  const cursor = svg('line', { class: 'cursor', y1: TOP, y2: HEIGHT - BOTTOM })
  const width = () => Math.max(240, picture.clientWidth || 600)
  const x = (/** @type {number} */ at) => {
    const { from, to } = /** @type {Drawing} */ (drawing)
    return LEFT + ((width() - LEFT - RIGHT) * (at - from)) / Math.max(1, to - from)
  }
  const redraw = () => {
    if (drawing === undefined) return
    picture.setAttribute('viewBox', `0 0 ${width()} ${HEIGHT}`)
    const ticks = ticksOf(drawing, values)
    picture.replaceChildren(...axes(drawing, ticks, words, x, width()), ...paths(drawing, ticks, x), cursor)
    reader.max = String(Math.max(0, drawing.times.length - 1))
    showValues()
  }
  const showValues = () => {
    const { times, lines } = /** @type {Drawing} */ (drawing)
    const index = read === undefined ? times.length - 1 : Math.min(read, times.length - 1)
    const at = times[index]
    const valueOf = (/** @type {Line} */ { values }) => {
      const value = values[index]
      return value === undefined || value === null ? '-' : words(value)
    }
    key.replaceChildren(
      ...lines.map((line) =>
        h('span', { class: `legend legend-${line.colour}` }, `${line.name} `, h('b', {}, valueOf(line))),
      ),
      ...(read === undefined || at === undefined ? [] : [h('span', { class: 'hint' }, clock(at, true))]),
    )
    const text = lines.map((line) => `${line.name} ${valueOf(line)}`).join(', ')
    picture.setAttribute('aria-label', `${title}: ${text || 'no measurements yet'}`)
    reader.value = String(Math.max(0, index))
    reader.setAttribute('aria-valuetext', at === undefined ? 'none' : `${clock(at, true)}: ${text}`)
    cursor.setAttribute('visibility', read === undefined || at === undefined ? 'hidden' : 'visible')
    if (at !== undefined) for (const end of ['x1', 'x2']) cursor.setAttribute(end, x(at).toFixed(1))
  }
  const readAt = (/** @type {number | undefined} */ index) => {
    read = index
    if (drawing !== undefined) showValues()
  }
  reader.addEventListener('input', () => readAt(Number(reader.value)))
  reader.addEventListener('blur', () => readAt(undefined))
  picture.addEventListener('pointerleave', () => readAt(undefined))
  picture.addEventListener('pointermove', (event) => {
    if (drawing === undefined) return
    readAt(nearest(drawing.times, x, event.clientX - picture.getBoundingClientRect().left))
  })
  new ResizeObserver(redraw).observe(element)
  return {
    element,
    /** @param {Drawing} next */
    draw(next) {
      drawing = next
      redraw()
    },
  }
}

/** @param {readonly number[]} times @param {(at: number) => number} x @param {number} pixel */
function nearest(times, x, pixel) {
  let found
  for (const [index, at] of times.entries())
    if (found === undefined || Math.abs(x(at) - pixel) < Math.abs(x(times[found] ?? 0) - pixel)) found = index
  return found
}

/** @param {Drawing} drawing @param {Axis} axis */
function ticksOf({ times, lines, from, to }, { least, kind }) {
  let max = least
  for (const { values } of lines)
    for (const [index, value] of values.entries()) {
      const at = times[index] ?? 0
      if (value !== null && at >= from && at <= to && value > max) max = value
    }
  return valueTicks(max === 0 ? 1 : max, kind)
}

/** @param {number} value @param {readonly number[]} ticks */
function y(value, ticks) {
  const top = ticks.at(-1) ?? 1
  return HEIGHT - BOTTOM - ((HEIGHT - BOTTOM - TOP) * value) / top
}

/**
 * @param {Drawing} drawing
 * @param {readonly number[]} ticks
 * @param {(value: number) => string} words
 * @param {(at: number) => number} x
 * @param {number} width
 */
function axes(drawing, ticks, words, x, width) {
  const ofValues = ticks.flatMap((value) => {
    const at = y(value, ticks).toFixed(1)
    return [
      svg('line', { x1: LEFT, x2: width - RIGHT, y1: at, y2: at, class: 'mark' }),
      label(value === 0 ? '0' : words(value), { x: LEFT - 6, y: Number(at) + 4, 'text-anchor': 'end' }),
    ]
  })
  const times = timeTicks(drawing.from, drawing.to, (width - LEFT) / PIXELS_PER_TICK)
  const hasSeconds = times.some((at) => at % 60_000 !== 0)
  const ofTimes = times.flatMap((at) => [
    svg('line', { x1: x(at), x2: x(at), y1: HEIGHT - BOTTOM, y2: HEIGHT - BOTTOM + 4, class: 'mark' }),
    label(clock(at, hasSeconds), { x: x(at), y: HEIGHT - 4, 'text-anchor': 'middle' }),
  ])
  return [...ofValues, ...ofTimes]
}

/** @param {string} text @param {Readonly<Record<string, string | number>>} attributes */
function label(text, attributes) {
  const element = svg('text', attributes)
  element.textContent = text
  return element
}

/** @param {Drawing} drawing @param {readonly number[]} ticks @param {(at: number) => number} x */
function paths({ times, lines, from, gapMs }, ticks, x) {
  return lines.map(({ values, colour }) => {
    let path = ''
    let last = Number.NEGATIVE_INFINITY
    for (const [index, at] of times.entries()) {
      const value = values[index]
      if (at < from || value === undefined || value === null) continue
      path += `${at - last > gapMs ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value, ticks).toFixed(1)}`
      // A point without neighbours is a dot.
      if (at - last > gapMs) path += 'h.1'
      last = at
    }
    return svg('path', { d: path, class: `line line-${colour}` })
  })
}
