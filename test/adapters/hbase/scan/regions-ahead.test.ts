import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReadAhead } from '../../../../adapters/hbase/scan/read-ahead.ts'
import { AHEAD_REGIONS_MAX } from '../../../../adapters/hbase/scan/regions-ahead.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { resultTexts } from '../../../store/suite/store-under-test.ts'
import { FakeCluster } from '../fake-cluster.ts'
import { remote } from '../remote.ts'
import { settled } from '../retry/manual-time.ts'
import { ALL, cellsOfRows, expected, opened, outline, results } from './scanned-cluster.ts'

const REGIONS = 30
const KEYS = Array.from({ length: REGIONS }, (_, index) => `k${String(index).padStart(2, '0')}`)

function sizesOf(cells: (index: number) => number): Record<string, number> {
  return Object.fromEntries(KEYS.map((key, index) => [key, cells(index)]))
}

/** A region for each row. */
function manyRegions(sizes: Readonly<Record<string, number>>): FakeCluster {
  const fake = new FakeCluster()
  fake.layOut(KEYS.slice(1), cellsOfRows(sizes))
  return fake
}

function scans(fake: FakeCluster): number {
  return fake.calls.filter((call) => call.startsWith('Scan')).length
}

async function underWay(): Promise<void> {
  for (let i = 0; i < 3; i++) await settled()
}

describe('a scan over small regions', () => {
  test('opens more and more of them before their turn, each once', async () => {
    const sizes = sizesOf(() => 1)
    const fake = manyRegions(sizes)
    // The second scan knows where the regions are.
    expect(await results(fake, {})).toEqual(expected(sizes, {}))
    const before = scans(fake)
    const scanner = await fake.passing(opened(fake, {}))
    const begun: number[] = []
    for (let ended = ''; ended !== 'scan'; ) {
      const batch = await fake.passing(scanner.next(ALL, OWN_CALL))
      ended = batch.ended
      begun.push(scans(fake) - before)
    }
    expect(Math.max(...begun.map((count, index) => count - index))).toBeGreaterThan(AHEAD_REGIONS_MAX / 2)
    expect(begun.at(-1)).toBe(REGIONS)
    await scanner.close()
  })

  test('gives its rows, however regions and servers change meanwhile', async () => {
    const changes = [
      (fake: FakeCluster, at: number): void => fake.move(at),
      (fake: FakeCluster, at: number): void => fake.split(`${KEYS[at]!}a`),
      (fake: FakeCluster, at: number): void => fake.merge(KEYS[Math.min(at, REGIONS - 3)]!),
      (fake: FakeCluster): void => fake.forgetScanners(),
      (): void => {
        throw remote('org.apache.hadoop.hbase.RegionTooBusyException')
      },
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(0, 1, 1, 1, 1, 4), { minLength: REGIONS, maxLength: REGIONS }),
        fc.integer({ min: 1, max: 2 * REGIONS }),
        fc.nat(REGIONS - 1),
        fc.constantFrom(...changes),
        async (cells, call, at, change) => {
          const sizes = sizesOf((index) => cells[index]!)
          const fake = manyRegions(sizes)
          fake.cellsOfAnswer = () => 2
          expect(await results(fake, {})).toEqual(expected(sizes, {}))
          let calls = 0
          fake.before = () => {
            if (++calls === call) change(fake, at)
          }
          expect(await results(fake, {})).toEqual(expected(sizes, {}))
          await underWay()
          expect(fake.regions.reduce((sum, { openScanners }) => sum + openScanners, 0)).toBe(0)
        },
      ),
      { numRuns: testRuns(10) },
    )
  })

  test('closes those that it has opened when it is closed', async () => {
    const sizes = sizesOf((index) => (index < 15 ? 1 : 3))
    const fake = manyRegions(sizes)
    await results(fake, {})
    fake.cellsOfAnswer = () => 2
    const readAhead = new ReadAhead(1)
    const scanner = await fake.passing(opened(fake, {}, { readAhead }))
    for (let row = 0; row < 12; row++) {
      const { results: found } = await fake.passing(scanner.next(ALL, OWN_CALL))
      expect(resultTexts(found).map(outline)).toEqual([`${KEYS[row]}0-0`])
    }
    await underWay()
    expect(fake.regions.reduce((sum, { openScanners }) => sum + openScanners, 0)).toBeGreaterThan(2)
    await scanner.close()
    await underWay()
    expect(fake.regions.reduce((sum, { openScanners }) => sum + openScanners, 0)).toBe(0)
    expect(readAhead.begin()).toBe(true)
  })
})
