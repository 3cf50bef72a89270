/** Random cells, written one after the other with some flushes in between, and random reads of them. */

import fc from 'fast-check'
import type { FamilyRules } from '../../../../adapters/native/read/family-rules.ts'
import type { FamilyRuns } from '../../../../adapters/native/read/family-runs.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { ALL_COLUMNS, ColumnsBuilder, type Scan, scan } from '../../../../src/model/query.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import type { ScanLimits } from '../../../../src/store/handouts.ts'
import type { OracleTable } from './read-oracle.ts'
import { SortedRun, timeToLiveTag, type WrittenCell } from './sorted-run.ts'

export const NOW = 100
const FAMILIES = ['f', 'g']
const QUALIFIERS = ['', 'a', 'ab']
export const ROWS: readonly string[] = ['a', 'a', 'a', 'ab', 'b', 'b\0']
const FAMILY_TYPES: readonly number[] = [CellType.DeleteFamily, CellType.DeleteFamilyVersion]

const type: fc.Arbitrary<CellType> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(CellType.Put) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      CellType.Delete,
      CellType.DeleteColumn,
      CellType.DeleteFamily,
      CellType.DeleteFamilyVersion,
    ),
  },
)

const written: fc.Arbitrary<Omit<WrittenCell, 'sequenceId'>> = fc
  .record({
    row: fc.constantFrom(...ROWS),
    family: fc.constantFrom('f', 'f', 'g'),
    qualifier: fc.constantFrom(...QUALIFIERS),
    timestamp: fc.integer({ min: 92, max: 101 }),
    type,
    value: fc.string({ maxLength: 3 }),
    life: fc.option(fc.integer({ min: 0, max: 12 }), { freq: 6, nil: undefined }),
  })
  .map((cell) => ({
    row: Buffer.from(cell.row),
    family: Buffer.from(cell.family),
    qualifier: Buffer.from(FAMILY_TYPES.includes(cell.type) ? '' : cell.qualifier),
    timestamp: BigInt(cell.timestamp),
    type: cell.type,
    value: cell.type === CellType.Put ? Buffer.from(cell.value) : Buffer.alloc(0),
    ...(cell.life === undefined || cell.type !== CellType.Put ? {} : { tags: timeToLiveTag(cell.life) }),
  }))

function rules(name: string, newVersionBehavior: boolean): fc.Arbitrary<FamilyRules> {
  return fc.record({
    name: fc.constant(Buffer.from(name)),
    maxVersions: fc.constantFrom(1, 3, 5),
    minVersions: fc.constantFrom(0, 1, 2),
    timeToLiveMs: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 6),
    keepDeletedCells: fc.constantFrom('FALSE', 'TRUE', 'TTL'),
    newVersionBehavior: fc.constant(newVersionBehavior),
    inMemoryCompaction: fc.constant(undefined),
  })
}

const columns = fc
  .array(fc.tuple(fc.constantFrom(...FAMILIES), fc.option(fc.constantFrom(...QUALIFIERS), { freq: 3 })), {
    maxLength: 4,
  })
  .map((chosen) => {
    const builder = new ColumnsBuilder()
    for (const [family, qualifier] of chosen) {
      if (qualifier === null) builder.addFamily(Buffer.from(family))
      else builder.addColumn(Buffer.from(family), Buffer.from(qualifier))
    }
    return builder.build()
  })

const timeRange = fc
  .option(fc.tuple(fc.integer({ min: 88, max: 103 }), fc.nat({ max: 8 })), { freq: 2, nil: undefined })
  .map((bounds) =>
    bounds === undefined
      ? TimeRange.ALL
      : TimeRange.between(BigInt(bounds[0]), BigInt(bounds[0] + bounds[1])),
  )

const asOf = fc.option(fc.bigInt({ min: 90n, max: 102n }), { freq: 2, nil: undefined })

const bound = fc.constantFrom('', '', ...ROWS, 'aa', 'zz').map((row) => Buffer.from(row))

export const scans: fc.Arbitrary<Scan> = fc
  .record({
    columns,
    timeRange,
    asOf,
    maxVersions: fc.constantFrom(1, 2, 5),
    familyLimit: fc.constantFrom(-1, -1, -1, 0, 1, 3),
    familyOffset: fc.constantFrom(0, 0, 0, 1, 2),
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    reversed: fc.boolean(),
    batch: fc.constantFrom(-1, -1, 1, 2, 3),
    limit: fc.constantFrom(-1, -1, 1, 2, 3),
    raw: fc.constantFrom(false, false, false, true),
  })
  .map((options) => scan({ ...options, columns: options.raw ? ALL_COLUMNS : options.columns }))

export const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.integer({ min: 1, max: 4 }),
  bytes: fc.constantFrom(1, 40, 100, 10_000),
  allowPartial: fc.boolean(),
  allowScattered: fc.boolean(),
})

export interface World extends OracleTable {
  readonly runs: readonly FamilyRuns[]
  readonly readPoint: number
}

/** Worlds that are read at a point between the writes. `newVersionBehavior`: of the family `g`. */
export function worldsOf(newVersionBehavior: boolean): fc.Arbitrary<World> {
  return fc
    .record({
      writes: fc.array(written, { maxLength: 60, size: 'max' }),
      flushes: fc.array(fc.nat({ max: 60 }), { maxLength: 4 }),
      families: fc.tuple(rules('f', false), rules('g', newVersionBehavior)),
      unread: fc.constantFrom(0, 0, 0, 1, 5),
    })
    .map(({ writes, flushes, families, unread }) => {
      const cells = writes.map((cell, at): WrittenCell => ({ ...cell, sequenceId: at + 1 }))
      const ends = [...flushes, 60].sort((a, b) => a - b)
      const runs = families.map((family) => ({
        rules: family,
        runs: ends.map((end, at) => {
          const start = ends[at - 1] ?? 0
          return new SortedRun(cells.slice(start, end).filter((cell) => cell.family.equals(family.name)))
        }),
      }))
      const readPoint = cells.length - unread
      return {
        families,
        cells: cells.filter((cell) => cell.sequenceId <= readPoint),
        now: NOW,
        runs,
        readPoint,
      }
    })
}

export const worlds: fc.Arbitrary<World> = worldsOf(false)

/** Worlds for PlainRows: one family of one run without times to live, nearly all puts. */
export const plainWorlds: fc.Arbitrary<World> = fc
  .array(fc.tuple(written, fc.nat({ max: 5 }), fc.nat({ max: 9 })), { maxLength: 60, size: 'max' })
  .map((writes) => {
    const cells = writes.map(
      ([{ tags, ...cell }, tombstone, row], at): WrittenCell => ({
        ...cell,
        ...(tombstone > 0 && { type: CellType.Put }),
        ...(tombstone === 1 && tags !== undefined && { tags }),
        family: Buffer.from('f'),
        row: Buffer.concat([cell.row, Buffer.from(String(row))]),
        sequenceId: at + 1,
      }),
    )
    const family: FamilyRules = {
      name: Buffer.from('f'),
      maxVersions: 1,
      minVersions: 0,
      timeToLiveMs: Number.POSITIVE_INFINITY,
      keepDeletedCells: 'FALSE',
      newVersionBehavior: false,
      inMemoryCompaction: undefined,
    }
    const runs = [{ rules: family, runs: [new SortedRun(cells)] }]
    return { families: [family], cells, now: NOW, runs, readPoint: cells.length }
  })

export const plainScans: fc.Arbitrary<Scan> = fc
  .record({
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    limit: fc.constantFrom(-1, -1, 1, 2, 3),
  })
  .map((options) => scan(options))
