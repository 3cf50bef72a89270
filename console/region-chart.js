/** Sizes and requests as bars: within the cells of a table, and of all regions of a table side by side. */

import { h, svg } from './dom.js'
import { sizeOfMB } from './words.js'

/**
 * A cell with a number and a bar, as long as its share of the largest.
 *
 * @param {number} value
 * @param {number} largest
 * @param {(value: number) => string} words prints the value
 */
export function barCell(value, largest, words) {
  const bar = svg(
    'svg',
    { viewBox: '0 0 100 4', preserveAspectRatio: 'none', class: 'cell-bar', 'aria-hidden': 'true' },
    svg('rect', { width: Math.max(value > 0 ? 1 : 0, (100 * value) / largest), height: 4 }),
  )
  return h('td', { class: 'number', 'data-sort': value }, words(value), bar)
}

/** A cell with a size in HBase's whole megabytes. @param {number} megabytes */
export function sizeCell(megabytes) {
  return h('td', { class: 'number', 'data-sort': megabytes }, sizeOfMB(megabytes))
}

/**
 * @typedef {object} Column of the chart
 * @property {string} name
 * @property {number} value
 * @property {boolean} isDamaged
 */

const WIDTH = 600
const HEIGHT = 60
/** The widest column, for tables of few regions. */
const COLUMN_MAX = 40

/**
 * A column for each region, in the order of their keys, so that a hot or large part of the table shows.
 *
 * @param {string} title
 * @param {readonly Column[]} columns
 * @param {(value: number) => string} words prints a value
 */
export function regionChart(title, columns, words) {
  const values = columns.map(({ value }) => value)
  const largest = Math.max(...values)
  const step = Math.min(COLUMN_MAX, WIDTH / columns.length)
  const bars = columns.map(({ name, value, isDamaged }, index) => {
    const height = largest === 0 ? 0 : (HEIGHT * value) / largest
    const bar = svg('rect', {
      x: (index * step).toFixed(2),
      y: (HEIGHT - height).toFixed(2),
      width: Math.max(0.5, step * 0.82).toFixed(2),
      height: height.toFixed(2),
      class: isDamaged ? 'column damaged-column' : 'column',
    })
    const hint = svg('title', {})
    hint.textContent = `${name}: ${words(value)}`
    bar.append(hint)
    return bar
  })
  const sorted = values.toSorted((a, b) => a - b)
  const summary = `median ${words(medianOf(sorted))}, largest ${words(largest)}`
  const floor = svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT, y2: HEIGHT, class: 'mark' })
  const picture = svg(
    'svg',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT + 1}`,
      preserveAspectRatio: 'none',
      role: 'img',
      class: 'region-chart',
      'aria-label': `${title} by region: ${summary}`,
    },
    floor,
    ...bars,
  )
  return h(
    'figure',
    {},
    h('figcaption', {}, `${title} by region, in the order of keys `, h('span', { class: 'hint' }, summary)),
    picture,
  )
}

/** @param {readonly number[]} sorted */
function medianOf(sorted) {
  const half = sorted.length / 2
  const [low = 0, high = low] = Number.isInteger(half)
    ? sorted.slice(half - 1, half + 1)
    : [sorted[Math.floor(half)]]
  return (low + high) / 2
}
