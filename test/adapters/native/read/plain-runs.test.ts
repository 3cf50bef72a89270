/**
 * Scans of memstores and store files, which add rows of puts by themselves, beside scans that walk from cell to cell, and beside those that
 * ask the matcher about each cell.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CellRun } from '../../../../adapters/native/cells/cell-run.ts'
import { ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'
import { Memstore } from '../../../../adapters/native/memstore/memstore.ts'
import { familyRules } from '../../../../adapters/native/read/family-rules.ts'
import { Loans } from '../../../../adapters/native/read/loans.ts'
import { RegionScanner } from '../../../../adapters/native/read/region-scanner.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../../../src/model/cell-block.ts'
import { familyDescriptor } from '../../../../src/model/descriptor.ts'
import { type Scan, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import { CountedRun, ReadCounts } from '../../../harness/counted-run.ts'
import { open, writeFile } from '../hfile/cells.ts'
import { SortedRun, timeToLiveTag, type WrittenCell } from './sorted-run.ts'

const RULES = familyRules(familyDescriptor('f'))

/** Rows of one length, and rows of which one begins as the other. */
const row = fc.oneof(
  fc.nat({ max: 300 }).map((number) => `row${String(number).padStart(5, '0')}`),
  fc.nat({ max: 40 }).map((number) => `a long beginning of a row ${number}`),
  fc.constantFrom('a', 'a\0', 'ab', 'a\0\0\0\0', 'row00001\0'),
)

const written = fc
  .record({
    row,
    qualifier: fc.constantFrom('q', 'q', 'q', 'q', 'qualifier', 'r', ''),
    timestamp: fc.integer({ min: 1, max: 4 }),
    isDeleted: fc.nat({ max: 40 }).map((number) => number === 0),
    hasTags: fc.nat({ max: 40 }).map((number) => number === 0),
    value: fc.string({ maxLength: 12 }),
  })
  .map(({ row, qualifier, timestamp, isDeleted, hasTags, value }) => ({
    row: Buffer.from(row),
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    timestamp: BigInt(timestamp),
    type: isDeleted ? CellType.DeleteColumn : CellType.Put,
    value: Buffer.from(isDeleted ? '' : value),
    ...(hasTags && !isDeleted && { tags: timeToLiveTag(1000) }),
  }))

const writes = fc
  .array(written, { maxLength: 300, size: 'max' })
  .map((cells) => cells.map((cell, index): WrittenCell => ({ ...cell, sequenceId: index + 1 })))

const bound = fc.oneof(fc.constant(''), fc.constant(''), row).map((text) => Buffer.from(text))

const scans = fc
  .record({
    startRow: bound,
    stopRow: bound,
    includeStopRow: fc.boolean(),
    limit: fc.constantFrom(-1, -1, 5),
  })
  .map((options) => scan(options))

const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.constantFrom(1, 3, 50, 1000),
  bytes: fc.constantFrom(1, 60, 300, 2000, 100_000),
  allowPartial: fc.boolean(),
  allowScattered: fc.boolean(),
})

function memstoreOf(cells: readonly WrittenCell[]): Memstore {
  const memstore = new Memstore(new ChunkPool())
  for (const cell of cells) {
    const { buffer, end } = blockOf([cell])
    const tags = cell.tags ?? Buffer.alloc(0)
    const whole = Buffer.concat([buffer.subarray(CELL_PREFIX_BYTES, end), tags])
    memstore.add(
      whole,
      0,
      whole.length - tags.length,
      whole.length - tags.length,
      tags.length,
      cell.sequenceId,
    )
  }
  return memstore
}

/** A file of several blocks. */
function fileOf(cells: readonly WrittenCell[]): CellRun {
  const stored = new SortedRun(cells).cells.map(({ bytes, cellBytes, sequenceId }) => ({
    keyValue: bytes.subarray(0, cellBytes),
    tags: bytes.subarray(cellBytes),
    sequenceId,
  }))
  return open(writeFile(stored, { blockBytes: 500, includeTags: true }))
}

/** The batches of a scan: the cells of each result. `cellsMax`: of the slices. */
function batchesOf(
  runs: readonly CellRun[],
  query: Scan,
  limits: ScanLimits,
  readPoint: number,
  cellsMax: number,
): string[] {
  const loans = new Loans()
  const context = { readPoint, now: 100, random: () => 0.5, loans }
  const scanner = new RegionScanner([{ rules: RULES, runs }], query, context)
  const batches: string[] = []
  for (let more = true; more; ) {
    const batch = scanner.next(limits, cellsMax)
    const { counts, cells, loan } = batch.results
    const { buffer, start, end } = gathered({ cells, counts }).cells
    more = batch.more
    batches.push(`${counts.join()} ${batch.partial?.join()} ${more} ${buffer.toString('hex', start, end)}`)
    if (loan !== undefined) loans.release(loan)
    expect(batches.length).toBeLessThan(5000)
  }
  scanner.close()
  return batches
}

/** The same scan for the matcher: a limit of cells that no row has keeps plain readers away. */
function matched(query: Scan): Scan {
  return { ...query, familyLimit: 1_000_000 }
}

it('a row of several cells is cut where the bytes of a partial result end', () => {
  const cells = ['a', 'b', 'c', 'd'].map((qualifier, index) => ({
    row: Buffer.from('row'),
    family: Buffer.from('f'),
    qualifier: Buffer.from(qualifier),
    timestamp: 1n,
    type: CellType.Put,
    value: Buffer.alloc(50),
    sequenceId: index + 1,
  }))
  const after = { ...cells[0]!, row: Buffer.from('row after it'), sequenceId: 9 }
  const limits = { rows: 9, bytes: 150, allowPartial: true, allowScattered: true }
  for (const run of [memstoreOf([...cells, after]), fileOf([...cells, after])]) {
    const batches = batchesOf([run], scan(), limits, 100, Number.POSITIVE_INFINITY)
    expect(batches.map((batch) => batch.split(' ').slice(0, 3))).toEqual([
      ['2', 'true', 'true'],
      ['2', 'undefined', 'true'],
      ['1', 'undefined', 'false'],
    ])
  }
})

describe.each([
  ['a memstore', memstoreOf],
  ['a store file', fileOf],
])('rows that %s adds by itself', (_, runOf) => {
  it('are those that a walk from cell to cell finds, in the same batches', () => {
    fc.assert(
      fc.property(
        writes,
        scans,
        limits,
        fc.constantFrom(0, 0, 0, 3, 40),
        fc.constantFrom(7, 100, Number.POSITIVE_INFINITY),
        (cells, query, stepLimits, unread, cellsMax) => {
          const run = runOf(cells)
          const readPoint = cells.length - unread
          const walked = new CountedRun(run, new ReadCounts())
          expect(batchesOf([run], query, stepLimits, readPoint, cellsMax)).toEqual(
            batchesOf([walked], query, stepLimits, readPoint, cellsMax),
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('are those that the matcher chooses, in the same batches', () => {
    fc.assert(
      fc.property(
        writes,
        scans,
        limits,
        fc.constantFrom(0, 0, 0, 3, 40),
        (cells, query, stepLimits, unread) => {
          const readPoint = cells.length - unread
          const of = (each: Scan): string[] =>
            batchesOf([runOf(cells)], each, stepLimits, readPoint, Number.POSITIVE_INFINITY)
          expect(of(query)).toEqual(of(matched(query)))
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** The newest run first. */
type Division = (cells: readonly WrittenCell[]) => WrittenCell[][]

const BOUNDS = ['b', 'row00100', 'row00200', 'z']

describe.each<[string, Division]>([
  [
    'have rows of their own',
    (cells) =>
      BOUNDS.map((_, at) =>
        cells.filter(({ row }) => BOUNDS.findIndex((end) => row.toString() < end) === at),
      ),
  ],
  [
    'share their rows',
    (cells) => [2, 1, 0].map((third) => cells.filter(({ sequenceId }) => sequenceId % 3 === third)),
  ],
  [
    'were written one after the other',
    (cells) => [2, 1, 0].map((third) => cells.slice(third * 100, third * 100 + 100)),
  ],
])('rows of several runs that %s', (_, divide) => {
  it('are those that a walk from cell to cell finds, in the same batches', () => {
    fc.assert(
      fc.property(
        writes,
        scans,
        limits,
        fc.constantFrom(0, 0, 0, 3, 40),
        fc.constantFrom(7, 100, Number.POSITIVE_INFINITY),
        (cells, query, stepLimits, unread, cellsMax) => {
          const runs = divide(cells)
            .filter((own) => own.length > 0)
            .map((own, index) => (index === 1 ? memstoreOf(own) : fileOf(own)))
          const walked = runs.map((run) => new CountedRun(run, new ReadCounts()))
          const readPoint = cells.length - unread
          expect(batchesOf(runs, query, stepLimits, readPoint, cellsMax)).toEqual(
            batchesOf(walked, query, stepLimits, readPoint, cellsMax),
          )
          const whole = Number.POSITIVE_INFINITY
          expect(batchesOf(runs, query, stepLimits, readPoint, whole)).toEqual(
            batchesOf(runs, matched(query), stepLimits, readPoint, whole),
          )
        },
      ),
      { numRuns: 100 },
    )
  })
})
