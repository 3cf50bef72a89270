/** The samples of a soak as a picture: one strip for each figure, from 0 to its most, over the time of the run. */

import { mebibytes, type Sample } from './samples.ts'

const WIDTH = 900
const STRIP = 120
const MARGIN = 20

const STRIPS: readonly (readonly [keyof Sample, string, (value: number) => string])[] = [
  ['residentBytes', 'resident memory', mebibytes],
  ['diskBytes', 'bytes on disk', mebibytes],
  ['p99Ms', 'p99 of a get', (ms) => `${ms.toFixed(2)} ms`],
  ['p50Ms', 'p50 of a get', (ms) => `${ms.toFixed(2)} ms`],
  ['getsPerSecond', 'gets a second', (value) => String(Math.round(value))],
  ['storeFiles', 'store files', String],
  ['regions', 'regions', String],
]

export function plot(samples: readonly Sample[]): string {
  const end = samples.at(-1)?.seconds ?? 1
  const strips = STRIPS.map(([figure, title, text], i) => {
    const most = Math.max(...samples.map((sample) => sample[figure]), Number.MIN_VALUE)
    const top = MARGIN + i * STRIP
    const points = samples.map((sample) => {
      const x = MARGIN + ((WIDTH - 2 * MARGIN) * sample.seconds) / end
      const y = top + STRIP - MARGIN - ((STRIP - 2 * MARGIN) * sample[figure]) / most
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    return (
      `<text x="${MARGIN}" y="${top + 12}">${title}, at most ${text(most)}</text>\n` +
      `<polyline points="${points.join(' ')}" fill="none" stroke="#246"/>`
    )
  })
  const height = 2 * MARGIN + STRIPS.length * STRIP
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="12">\n` +
    `${strips.join('\n')}\n<text x="${MARGIN}" y="${height - 8}">0 to ${Math.round(end)} s</text>\n</svg>\n`
  )
}
