/** A growth series as an SVG picture: one strip for each figure, from 0 to its most, over the steps. */

import { figureText, type Point, type Series } from './series.ts'

const WIDTH = 760
const STRIP = 130
const LEFT = 20
const RIGHT = 20
const TOP = 30
const BASE = 24
/** Room above a strip's line for its title. */
const TITLE = 22

/** Steps of a quantity lie by its logarithm, named ones side by side. */
function placesOf(points: readonly Point[]): number[] {
  const width = WIDTH - LEFT - RIGHT
  const numbers = points.map(({ step }) => step)
  if (points.length < 2 || !numbers.every((step) => typeof step === 'number' && step > 0)) {
    return points.map((_, i) => LEFT + (width * (i + 0.5)) / points.length)
  }
  const logs = (numbers as number[]).map(Math.log)
  const [first, last] = [Math.min(...logs), Math.max(...logs)]
  return logs.map((log) => LEFT + 30 + ((width - 60) * (log - first)) / (last - first || 1))
}

function text(x: number, y: number, what: string, anchor = 'start'): string {
  const escaped = what.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${escaped}</text>`
}

function strip(title: string, values: readonly number[], places: readonly number[], top: number): string {
  const most = Math.max(...values, Number.MIN_VALUE)
  const bottom = top + STRIP - BASE
  const y = (value: number): number => bottom - ((STRIP - BASE - TITLE - 14) * value) / most
  const line = values.map((value, i) => `${places[i]!.toFixed(1)},${y(value).toFixed(1)}`).join(' ')
  const marks = values.map((value, i) => {
    const [x, at] = [places[i]!, y(value)]
    const dot = `<circle cx="${x.toFixed(1)}" cy="${at.toFixed(1)}" r="3" fill="#246"/>`
    return `${dot}${text(x, at - 6, figureText(value), 'middle')}`
  })
  return [
    `<g font-weight="bold">${text(LEFT, top + 12, title)}</g>`,
    `<line x1="${LEFT}" y1="${bottom}" x2="${WIDTH - RIGHT}" y2="${bottom}" stroke="#999"/>`,
    `<polyline points="${line}" fill="none" stroke="#246"/>`,
    ...marks,
  ].join('\n')
}

export function plot({ grows, strips }: Series, points: readonly Point[]): string {
  const places = placesOf(points)
  const height = TOP + strips.length * STRIP + BASE
  const drawn = strips.map(({ figure, title }, i) =>
    strip(
      title,
      points.map(({ figures }) => figures[figure]!),
      places,
      TOP + i * STRIP,
    ),
  )
  const steps = points.map(({ step }, i) =>
    text(places[i]!, height - 10, typeof step === 'number' ? figureText(step) : step, 'middle'),
  )
  const open = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">`
  const ground = `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`
  return `${[open, ground, text(LEFT, 16, `by ${grows}`), ...drawn, ...steps, '</svg>'].join('\n')}\n`
}
