import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { KEY_SCHEMES } from '../../load/growth/by-keys.ts'
import { growthPage } from '../../load/growth/page.ts'
import { plot } from '../../load/growth/plot.ts'
import { atMost, flat, notGrowing, type Point, type Series } from '../../load/growth/series.ts'
import { batchOf, keyText, numbersFrom, rowsOf, valueOf } from '../../load/growth/size/sized-rows.ts'

function points(...gets: number[]): Point[] {
  return gets.map((value, i) => ({ step: 10 ** (i + 1), figures: { gets: value } }))
}

const series: Series = {
  name: 'rows',
  grows: 'rows <of> one & all',
  strips: [{ figure: 'gets', title: 'gets a second' }],
  run: async () => points(1),
  judge: () => [],
}

test('a figure is flat if its least is at least half of its most, wherever they are', () => {
  expect(flat(points(100, 50, 80), 'gets').holds).toBe(true)
  expect(flat(points(49, 100), 'gets').holds).toBe(false)
  expect(flat(points(100, 49), 'gets').holds).toBe(false)
  expect(flat(points(100, Number.NaN), 'gets').holds).toBe(false)
})

test('a bound holds up to itself', () => {
  expect(atMost(points(1, 2), 'gets', 2).holds).toBe(true)
  expect(atMost(points(1, 2.1), 'gets', 2).holds).toBe(false)
  expect(atMost(points(Number.NaN), 'gets', 2).holds).toBe(false)
})

test('a figure grows if a later one is more than twice the first, and above the floor', () => {
  expect(notGrowing(points(10, 20, 5), 'gets', 1).holds).toBe(true)
  expect(notGrowing(points(10, 21), 'gets', 1).holds).toBe(false)
  expect(notGrowing(points(10, 21), 'gets', 30).holds).toBe(true)
  expect(notGrowing(points(10, Number.NaN), 'gets', 30).holds).toBe(false)
  expect(notGrowing(points(10), 'gets', 1).holds).toBe(true)
})

test('rows of the series of sizes are the same in every process, and their bytes are as many as it is asked for', () => {
  const [rows, again] = [batchOf(numbersFrom(0, 1000)), batchOf(numbersFrom(0, 1000))]
  expect(rows.bytes).toBe(again.bytes)
  expect(rows.bytes / 1000).toBeGreaterThan(0.97 * (1e9 / rowsOf(1)))
  expect(rows.bytes / 1000).toBeLessThan(1.03 * (1e9 / rowsOf(1)))
  expect(new Set(Array.from(numbersFrom(0, 1000), keyText)).size).toBe(1000)
  expect(valueOf(7).equals(valueOf(7))).toBe(true)
  expect(gzipSync(Buffer.concat(Array.from({ length: 50 }, (_, i) => valueOf(i)))).length).toBeGreaterThan(
    40_000,
  )
})

test('a picture has a mark for each point, from left to right, and its texts are escaped', () => {
  const svg = plot(series, points(10, 30, 20))
  const marks = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ])
  expect(marks).toHaveLength(3)
  const [first, second, third] = marks as [number[], number[], number[]]
  expect(second[0]! - first[0]!).toBeCloseTo(third[0]! - second[0]!, 0)
  // Up is less.
  expect(second[1]!).toBeLessThan(third[1]!)
  expect(third[1]!).toBeLessThan(first[1]!)
  expect(svg).toContain('rows &lt;of> one &amp; all')
  expect(svg).not.toContain('NaN')
})

test('the page says what was missed', () => {
  const judged = [
    { what: 'gets stay flat', holds: true },
    { what: 'starts are bounded', holds: false },
  ]
  const page = growthPage('Growth', [{ series, points: points(1500, 2), judged }], 'today')
  expect(page).toContain('- holds: gets stay flat\n- **missed**: starts are bounded')
  expect(page).toContain('| gets | 1,500 | 2 |')
})

test('keys led by time go to the last region, salted and hashed ones to all alike', () => {
  for (const { name, table, splits } of KEY_SCHEMES) {
    const byRegion = new Map<number, number>()
    for (let row = 0; row < 16_000; row++) {
      const key = table.key(row)
      const region = splits.filter((split) => split <= key).length
      byRegion.set(region, (byRegion.get(region) ?? 0) + 1)
    }
    const busiest = Math.max(...byRegion.values()) / 16_000
    if (name === 'led by time') expect([...byRegion.keys()]).toEqual([splits.length])
    else expect(busiest).toBeLessThan(0.08)
  }
})
