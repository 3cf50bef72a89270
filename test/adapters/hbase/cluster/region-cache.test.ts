import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LocatedRegion } from '../../../../adapters/hbase/cluster/meta-row.ts'
import { RegionCache } from '../../../../adapters/hbase/cluster/region-cache.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { testRuns } from '../../../harness/test-runs.ts'

const T = parseTableName('t')
/** Rows are one byte from 1 to ROWS; a region goes from `start` (0: EMPTY) to `end` (above ROWS: EMPTY). */
const ROWS = 12

const key = (row: number): Buffer => (row === 0 || row > ROWS ? Buffer.alloc(0) : Buffer.from([row]))

function regionOf(start: number, end: number, openSequenceId: number, port: number): LocatedRegion {
  return {
    table: T,
    startKey: key(start),
    endKey: key(end),
    regionId: start * 100 + end,
    ...regionName(T, key(start), start * 100 + end),
    server: { host: 'h', port, startCode: 1 },
    openSequenceId,
  }
}

const someRegion = fc
  .record({
    start: fc.integer({ min: 0, max: ROWS }),
    length: fc.integer({ min: 1, max: ROWS }),
    openSequenceId: fc.integer({ min: 1, max: 3 }),
    port: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ start, length, openSequenceId, port }) => regionOf(start, start + length, openSequenceId, port))

const someStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ put: someRegion }) },
  fc.record({ remove: someRegion }),
  fc.record({ removePort: fc.integer({ min: 1, max: 3 }) }),
)

function covers({ startKey, endKey }: LocatedRegion, row: Buffer): boolean {
  return startKey.compare(row) <= 0 && (endKey.length === 0 || endKey.compare(row) > 0)
}

function overlap(a: LocatedRegion, b: LocatedRegion): boolean {
  return covers(a, b.startKey) || covers(b, a.startKey)
}

/** The same in the plainest way: a list, in the order of what was learnt. */
class PlainCache {
  regions: LocatedRegion[] = []

  put(region: LocatedRegion): void {
    const overlapped = this.regions.filter((known) => overlap(known, region))
    const [only] = overlapped
    const isOnly = overlapped.length === 1 && only!.encodedName === region.encodedName
    if (isOnly && only!.openSequenceId > region.openSequenceId) return
    this.regions = [...this.regions.filter((known) => !overlap(known, region)), region]
  }

  remove(region: LocatedRegion): void {
    this.regions = this.regions.filter(
      (known) =>
        known.encodedName !== region.encodedName ||
        known.openSequenceId > region.openSequenceId ||
        known.server.port !== region.server.port,
    )
  }

  find(row: Buffer): LocatedRegion | undefined {
    return this.regions.find((region) => covers(region, row))
  }

  findBefore(row: Buffer): LocatedRegion | undefined {
    return this.regions.find(({ startKey, endKey }) => {
      if (row.length === 0) return endKey.length === 0
      return startKey.compare(row) < 0 && (endKey.length === 0 || endKey.compare(row) >= 0)
    })
  }
}

describe('the cache of regions', () => {
  test('knows what a plain list knows', () => {
    fc.assert(
      fc.property(fc.array(someStep, { maxLength: 20 }), (steps) => {
        const cache = new RegionCache()
        const plain = new PlainCache()
        for (const step of steps) {
          if ('put' in step) {
            plain.put(step.put)
            expect(cache.put(step.put)).toBe(plain.find(step.put.startKey))
          } else if ('remove' in step) {
            plain.remove(step.remove)
            cache.remove(step.remove)
          } else {
            cache.removeServer({ host: 'h', port: step.removePort, startCode: 1 })
            plain.regions = plain.regions.filter(({ server }) => server.port !== step.removePort)
          }
          expect(cache.size).toBe(plain.regions.length)
          const rows = Array.from({ length: ROWS + 1 }, (_, row) => key(row))
          const differs = rows.filter(
            (row) => cache.find(row) !== plain.find(row) || cache.findBefore(row) !== plain.findBefore(row),
          )
          expect(differs).toEqual([])
        }
      }),
      { numRuns: testRuns(300) },
    )
  })

  test('keeps a server of another start code', () => {
    const cache = new RegionCache()
    const region = regionOf(0, 5, 1, 1)
    cache.put(region)
    cache.removeServer({ ...region.server, startCode: 2 })
    expect(cache.find(key(1))).toBe(region)
  })

  test('names the gap that a row is in', () => {
    const cache = new RegionCache()
    const [first, last] = [regionOf(0, 3, 1, 1), regionOf(6, 9, 1, 1)]
    expect([cache.gapOf(key(4), false), cache.gapOf(key(0), true)]).toEqual(['', ''])
    cache.put(first)
    cache.put(last)
    expect([cache.gapOf(key(3), false), cache.gapOf(key(5), false)]).toEqual([
      first.encodedName,
      first.encodedName,
    ])
    expect([cache.gapOf(key(9), false), cache.gapOf(key(0), true)]).toEqual([
      last.encodedName,
      last.encodedName,
    ])
    expect(cache.gapOf(key(6), true)).toBe(first.encodedName)
  })
})
