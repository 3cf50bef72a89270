/** Whenever the event loop may run, a scan holds the region that it is in, whose cells could go otherwise; it holds no others. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { NativeScanner } from '../../../../adapters/native/read/native-scanner.ts'
import type { HeldRegion, ReadRegion } from '../../../../adapters/native/read/read-region.ts'
import { RegionRequests } from '../../../../adapters/native/read/region-requests.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { LoopTurns } from '../../../../src/model/loop-turns.ts'
import { scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { SortedRun } from './sorted-run.ts'

const NOTHING = (): void => undefined
const FAMILY = Buffer.from('f')
const RULES = familyRules(familyDescriptor('f'))
const seed = SEED === undefined ? {} : { seed: SEED }

/** A region of which it shows whether it is held, and whether a scan reads it. */
class ShownRegion implements ReadRegion {
  readonly startKey: Buffer
  readonly endKey: Buffer
  readonly requests: RegionRequests = new RegionRequests()
  readonly run: SortedRun
  holds = 0
  holdsEver = 0

  constructor(start: string, end: string, rows: readonly string[]) {
    this.startKey = Buffer.from(start)
    this.endKey = Buffer.from(end)
    this.run = new SortedRun(
      rows.map((row) => ({
        row: Buffer.from(row),
        family: FAMILY,
        qualifier: FAMILY,
        timestamp: 1n,
        type: CellType.Put,
        value: FAMILY,
        sequenceId: 1,
      })),
    )
  }

  families(): HeldRegion['families'] {
    return [{ rules: RULES, runs: [this.run] }]
  }

  hold(): HeldRegion {
    this.holds++
    this.holdsEver++
    return {
      requests: this.requests,
      families: this.families(),
      resume: NOTHING,
      release: () => void this.holds--,
    }
  }

  beginGet(): never {
    throw new Error('no scan gets')
  }

  keepReadPoint(): () => void {
    return NOTHING
  }

  keepReadPointOfTable(): () => void {
    return NOTHING
  }

  addWaiter(): () => void {
    return NOTHING
  }
}

/** Turns that look at the regions before the event loop runs. */
class WatchedTurns extends LoopTurns {
  readonly #look: () => void

  constructor(look: () => void) {
    super(() => 0)
    this.#look = look
  }

  override next(): Promise<void> {
    this.#look()
    return super.next()
  }
}

/** Regions from '', '1', '2'... with so many rows. */
function regionsOf(rowsOfEach: readonly number[]): ShownRegion[] {
  return rowsOfEach.map((count, index) => {
    const start = index === 0 ? '' : String.fromCharCode(0x61 + index)
    const end = index === rowsOfEach.length - 1 ? '' : String.fromCharCode(0x62 + index)
    const rows = Array.from({ length: count }, (_, row) => `${String.fromCharCode(0x61 + index)}${row}`)
    return new ShownRegion(start, end, rows)
  })
}

function checkHolds(regions: readonly ShownRegion[]): void {
  for (const { holds, run } of regions) expect(holds).toBeGreaterThanOrEqual(run.openIterators)
  expect(regions.reduce((sum, { holds }) => sum + holds, 0)).toBeLessThanOrEqual(1)
}

test('a scan holds the region that it is in whenever the event loop may run', async () => {
  const shape = fc.record({
    rowsOfEach: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 8 }),
    page: fc.integer({ min: 1, max: 30 }),
    sliceCells: fc.integer({ min: 1, max: 30 }),
    reversed: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(shape, async ({ rowsOfEach, page, sliceCells, reversed }) => {
      const regions = regionsOf(rowsOfEach)
      const expected = regions.flatMap(({ run }) => run.written.map(({ row }) => row.toString()))
      const turns = new WatchedTurns(() => checkHolds(regions))
      const blocks = { blockBytesRead: 0 }
      const context = { readPoint: 1, now: 1, random: Math.random, loans: new Loans(), blocks, turns }
      const parts = { context, clock: { now: () => 0 }, sliceCells, check: NOTHING, isGone: () => false }
      const scanner = new NativeScanner(regions, scan({ reversed }), parts)
      const rows: string[] = []
      for (let isOver = false; !isOver; ) {
        checkHolds(regions)
        const batch = await scanner.next({ rows: page, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
        rows.push(...cellsOf(gathered(batch.results).cells).map(({ row }) => row.toString()))
        isOver = batch.ended === 'scan'
      }
      expect(rows).toEqual(reversed ? expected.reverse() : expected)
      expect(regions.every(({ holds }) => holds === 0)).toBe(true)
    }),
    { numRuns: testRuns(500), ...seed },
  )
})

test('a scan holds no region that it reads within a turn', async () => {
  const regions = regionsOf([2, 2, 2, 2, 2])
  const turns = new LoopTurns(() => 0)
  const context = {
    readPoint: 1,
    now: 1,
    random: Math.random,
    loans: new Loans(),
    blocks: { blockBytesRead: 0 },
    turns,
  }
  const parts = { context, clock: { now: () => 0 }, sliceCells: 1000, check: NOTHING, isGone: () => false }
  const scanner = new NativeScanner(regions, scan(), parts)
  await scanner.next({ rows: 7, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
  // The first was open when the scan was, and the fourth is not at its end.
  expect(regions.map(({ holdsEver }) => holdsEver)).toEqual([1, 0, 0, 1, 0])
  scanner.close()
})
