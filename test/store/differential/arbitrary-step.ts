/** What may happen to a store, from few names and times, so that much of it meets. */

import fc from 'fast-check'
import { compareBytes } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { CompareOperator } from '../../../src/model/filter.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import { ALL_VERSIONS, type Query, type Scan } from '../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { ScanLimits } from '../../../src/store.ts'
import { filterArbitrary, totalComparators } from '../../filter/filter-arbitrary.ts'
import { bytes, columns } from '../suite/store-under-test.ts'

export interface CellChange {
  readonly family: string
  readonly qualifier: string
  readonly type: CellType
  readonly timestamp: bigint
  readonly value: string
}

export interface RowChange {
  readonly row: string
  readonly cells: readonly CellChange[]
  readonly ttlMs: number | undefined
  readonly durability: Durability
}

export interface FamilyAttributes {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

export type Action =
  | { readonly kind: 'reopen'; readonly killed: boolean }
  | {
      readonly kind: 'createTable' | 'modifyTable'
      readonly families: readonly FamilyAttributes[]
      readonly splits: readonly string[]
    }
  | { readonly kind: 'enableTable' | 'disableTable' | 'deleteTable' | 'flushTable' | 'describeTable' }
  | { readonly kind: 'truncateTable'; readonly preserveSplits: boolean }
  | { readonly kind: 'mutate'; readonly changes: readonly RowChange[] }
  | {
      readonly kind: 'mutateRow'
      readonly row: string
      readonly operations: readonly {
        readonly kind: 'mutate' | 'increment' | 'append'
        readonly cells: readonly CellChange[]
        readonly timeRange: TimeRange | undefined
      }[]
      readonly condition:
        | {
            readonly family: string
            readonly qualifier: string
            readonly operator: CompareOperator
            readonly value: string
            readonly timeRange: TimeRange | undefined
          }
        | undefined
    }
  | { readonly kind: 'get'; readonly rows: readonly string[]; readonly query: Partial<Query> }
  | { readonly kind: 'scan'; readonly scan: Partial<Scan>; readonly limits: ScanLimits }
  | { readonly kind: 'openScanner'; readonly slot: number; readonly scan: Partial<Scan> }
  | { readonly kind: 'nextOfScanner'; readonly slot: number; readonly limits: ScanLimits }
  | { readonly kind: 'closeScanner'; readonly slot: number }

export type Step = Action & { readonly table: TableName; readonly pauseMs: number }

const row = fc.constantFrom('a', 'a\x00', 'ab', 'b', 'm', '\x00', '\xff', '\xff\xff')
const family = fc.constantFrom('f', 'g')
const qualifier = fc.constantFrom('', 'q', 'q\x00', 'qq', '\xff')
/** Some near each other, some near the present of the test clock, and the ends. */
const timestamp = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, 7n) },
  { weight: 4, arbitrary: fc.constant(LATEST_TIMESTAMP) },
  { weight: 2, arbitrary: fc.bigInt(1_700_000_000_000n - 5000n, 1_700_000_000_000n + 5000n) },
  { weight: 1, arbitrary: fc.constantFrom(2n ** 53n + 1n, LATEST_TIMESTAMP - 1_000_000n) },
)
const value = fc.oneof(
  fc.constantFrom('', 'a', 'm', 'z'),
  fc.integer({ min: 0, max: 40 }).map((length) => 'x'.repeat(length)),
)
const timeRange = fc
  .tuple(
    fc.oneof(fc.bigInt(0n, 7n), fc.constant(1_700_000_000_000n)),
    fc.oneof(fc.bigInt(0n, 7n), fc.constant(LATEST_TIMESTAMP)),
  )
  .map(([min, length]) =>
    TimeRange.between(min, min + length > LATEST_TIMESTAMP ? LATEST_TIMESTAMP : min + length),
  )
const maybeTimeRange = fc.option(timeRange, { nil: undefined, freq: 3 })

const putCell = fc.record({ family, qualifier, type: fc.constant(CellType.Put), timestamp, value })
const tombstone = fc.oneof(
  fc.record({
    family,
    qualifier,
    type: fc.constantFrom(CellType.Delete, CellType.Delete, CellType.DeleteColumn),
    timestamp,
    value: fc.constant(''),
  }),
  fc.record({
    /** Without a family: of the whole row. */
    family: fc.constantFrom('f', 'g', ''),
    qualifier: fc.constant(''),
    type: fc.constantFrom(CellType.DeleteFamily, CellType.DeleteFamilyVersion),
    timestamp,
    value: fc.constant(''),
  }),
)
const changedCell = fc.oneof({ weight: 3, arbitrary: putCell }, { weight: 2, arbitrary: tombstone })

const lastingChange = fc.record({
  row,
  cells: fc.array(changedCell, { minLength: 1, maxLength: 4 }),
  ttlMs: fc.constant(undefined),
})
/** Cells of families that are not there, or before all times: maybe several, and amid others. */
const wrongCell = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(changedCell, fc.constantFrom('nope', 'e', 'zip'))
      .map(([cell, family]) => ({ ...cell, family })),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(changedCell, fc.bigInt(-(2n ** 63n), -1n))
      .map(([cell, timestamp]) => ({ ...cell, timestamp })),
  },
)
const cellsWithWrongOnes = fc
  .tuple(fc.array(changedCell, { maxLength: 2 }), fc.array(wrongCell, { minLength: 1, maxLength: 3 }))
  .chain(([right, wrong]) =>
    fc.shuffledSubarray([...right, ...wrong], { minLength: right.length + wrong.length }),
  )
const refusedChange = fc.record({ row, cells: cellsWithWrongOnes, ttlMs: fc.constant(undefined) })
/**
 * A column of its own, whose cells all have one TTL: where an overwritten cell outlives what has overwritten it, it depends
 * on flushes whether it comes back.
 */
const passingChange = fc.record({
  row,
  cells: fc.array(
    putCell.map((cell) => ({ ...cell, qualifier: 'ttl' })),
    { minLength: 1, maxLength: 2 },
  ),
  ttlMs: fc.constant(1000),
})
const durability = fc.constantFrom<Durability>('USE_DEFAULT', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL')
const changes: fc.Arbitrary<RowChange[]> = fc.array(
  fc
    .tuple(
      fc.oneof(
        { weight: 16, arbitrary: lastingChange },
        { weight: 3, arbitrary: passingChange },
        { weight: 1, arbitrary: refusedChange },
      ),
      durability,
    )
    .map(([change, durability]) => ({ ...change, durability })),
  { minLength: 1, maxLength: 5 },
)

const long = fc.oneof(fc.bigInt(-9n, 9n), fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n))).map((amount) => {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(amount)
  return buffer.toString('latin1')
})
/** Without a time most of the time. */
const deltaTime = fc.oneof(
  { weight: 3, arbitrary: fc.constant(LATEST_TIMESTAMP) },
  { weight: 1, arbitrary: timestamp },
)
/** Counters have columns of their own most of the time, so that they come to be counted. */
const delta = fc.record({
  family,
  qualifier: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('n', 'nn') },
    { weight: 1, arbitrary: qualifier },
  ),
  type: fc.constant(CellType.Put),
  timestamp: deltaTime,
  value: fc.oneof({ weight: 12, arbitrary: long }, { weight: 1, arbitrary: value }),
})
const addition = fc.tuple(putCell, deltaTime).map(([cell, timestamp]) => ({ ...cell, timestamp }))

/** Now and then one of a family that is not there, or of a time before all. */
function deltas(cell: fc.Arbitrary<CellChange>): fc.Arbitrary<CellChange[]> {
  const wrong = fc
    .tuple(cell, wrongCell)
    .map(([cell, { family, timestamp }]) => ({ ...cell, family, timestamp }))
  return fc.array(fc.oneof({ weight: 30, arbitrary: cell }, { weight: 1, arbitrary: wrong }), {
    minLength: 1,
    maxLength: 3,
  })
}

const rowOperation = fc.oneof(
  fc.record({
    kind: fc.constant('mutate' as const),
    cells: fc.oneof(
      { weight: 20, arbitrary: fc.array(changedCell, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: cellsWithWrongOnes },
    ),
    timeRange: fc.constant(undefined),
  }),
  fc.record({
    kind: fc.constant('increment' as const),
    cells: deltas(delta),
    timeRange: maybeTimeRange,
  }),
  fc.record({
    kind: fc.constant('append' as const),
    cells: deltas(addition),
    timeRange: maybeTimeRange,
  }),
)

const condition = fc.record({
  family,
  qualifier,
  operator: fc.constantFrom<CompareOperator>(
    'LESS',
    'LESS_OR_EQUAL',
    'EQUAL',
    'NOT_EQUAL',
    'GREATER_OR_EQUAL',
    'GREATER',
  ),
  value,
  timeRange: maybeTimeRange,
})

/** From the names and times that there are. Chance has no part in it, nor has anything that fails for some values. */
const filter = filterArbitrary({
  rows: row.map(bytes),
  families: family.map(bytes),
  qualifiers: qualifier.map(bytes),
  values: value.map(bytes),
  timestamps: timestamp,
  comparators: totalComparators(fc.oneof(row, qualifier, value).map(bytes)),
  without: ['RandomRowFilter'],
})

const query: fc.Arbitrary<Partial<Query>> = fc
  .record({
    names: fc.oneof(
      { weight: 4, arbitrary: fc.constant<string[]>([]) },
      { weight: 2, arbitrary: fc.array(family, { minLength: 1, maxLength: 2 }) },
      {
        weight: 3,
        arbitrary: fc.array(
          fc.tuple(family, qualifier).map((parts) => parts.join(':')),
          { minLength: 1, maxLength: 4 },
        ),
      },
    ),
    maxVersions: fc.constantFrom(1, 1, 2, 3, ALL_VERSIONS),
    timeRange: maybeTimeRange,
    familyTimeRange: fc.option(fc.tuple(fc.constantFrom('f', 'g'), timeRange), { nil: undefined, freq: 8 }),
    familyLimit: fc.constantFrom(-1, -1, -1, 0, 1, 2),
    familyOffset: fc.constantFrom(0, 0, 0, 1, 2),
    filter: fc.option(filter, { nil: undefined, freq: 1 }),
  })
  .map(({ names, timeRange, familyTimeRange, ...rest }) => ({
    ...rest,
    ...columns(...names),
    ...(timeRange === undefined ? {} : { timeRange }),
    ...(familyTimeRange === undefined ? {} : { familyTimeRanges: new Map([familyTimeRange]) }),
  }))

const bound = fc.oneof({ weight: 2, arbitrary: fc.constant('') }, { weight: 1, arbitrary: row }).map(bytes)
const scanned: fc.Arbitrary<Partial<Scan>> = fc
  .record({
    query,
    startRow: bound,
    includeStartRow: fc.boolean(),
    stopRow: bound,
    includeStopRow: fc.boolean(),
    reversed: fc.boolean(),
    batch: fc.constantFrom(-1, -1, 1, 2, 3),
    limit: fc.constantFrom(-1, -1, 1, 2),
  })
  .map(({ query, ...rest }) => ({ ...query, ...rest }))

const limits: fc.Arbitrary<ScanLimits> = fc.record({
  rows: fc.constantFrom(1, 2, 3, 1000),
  bytes: fc.constantFrom(1, 60, 200, 1_000_000),
  allowPartial: fc.boolean(),
})

const familyAttributes = fc
  .record({
    versions: fc.integer({ min: 1, max: 3 }),
    minVersions: fc.integer({ min: 0, max: 3 }),
    ttl: fc.constantFrom('2147483647', '2147483647', '2'),
    keep: fc.constantFrom('FALSE', 'FALSE', 'TRUE', 'TTL'),
    bloom: fc.constantFrom('NONE', 'ROW', 'ROWCOL'),
    blockBytes: fc.constantFrom('65536', '1024'),
    compression: fc.constantFrom('NONE', 'GZ'),
  })
  .map(({ versions, minVersions, ttl, keep, bloom, blockBytes, compression }) => ({
    VERSIONS: String(versions),
    MIN_VERSIONS: String(Math.min(minVersions, versions)),
    TTL: ttl,
    KEEP_DELETED_CELLS: keep,
    BLOOMFILTER: bloom,
    BLOCKSIZE: blockBytes,
    COMPRESSION: compression,
  }))
/** f, maybe g, maybe one that nothing is written to. */
const families = fc
  .tuple(familyAttributes, fc.option(familyAttributes, { freq: 9 }), fc.option(familyAttributes, { freq: 1 }))
  .map((attributes) =>
    ['f', 'g', 'h'].flatMap((name, i) => (attributes[i] ? [{ name, attributes: attributes[i] }] : [])),
  )
const splits = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>([]) },
  { weight: 2, arbitrary: fc.uniqueArray(row, { maxLength: 3 }) },
)
const slot = fc.integer({ min: 0, max: 2 })

const creation = fc.record({ kind: fc.constant('createTable' as const), families, splits })

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen' as const), killed: fc.boolean() }) },
  { weight: 1, arbitrary: creation },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('modifyTable' as const), families, splits: fc.constant([]) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'flushTable' as const,
        'flushTable' as const,
        'describeTable' as const,
        'enableTable' as const,
        'enableTable' as const,
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('disableTable' as const, 'deleteTable' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('truncateTable' as const), preserveSplits: fc.boolean() }),
  },
  {
    weight: 30,
    arbitrary: fc.record({
      kind: fc.constant('mutate' as const),
      changes,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('mutateRow' as const),
      row,
      operations: fc.array(rowOperation, { maxLength: 3 }),
      condition: fc.option(condition, { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('get' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 4 }),
      query,
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('scan' as const), scan: scanned, limits }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('openScanner' as const), slot, scan: scanned }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('nextOfScanner' as const), slot, limits }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('closeScanner' as const), slot }) },
)

const filteredScan = fc.tuple(scanned, filter, limits).map(([scan, filter, limits]) => {
  const [startRow, stopRow] = [scan.startRow!, scan.stopRow!]
  const isEmpty = stopRow.length > 0 && compareBytes(startRow, stopRow) > 0 !== scan.reversed
  const bounds = isEmpty ? { startRow: stopRow, stopRow: startRow } : {}
  return { kind: 'scan' as const, scan: { ...scan, ...bounds, filter }, limits }
})
const filteredGet = fc.tuple(query, filter).map(([query, filter]) => {
  return { kind: 'get' as const, rows: ['a', 'ab', 'b', 'm'], query: { ...query, filter } }
})
const write = fc.record({ kind: fc.constant('mutate' as const), changes })

/** Writes to a table, and a read of it through a filter. */
export const arbitraryFilteredRead: fc.Arbitrary<Step[]> = fc
  .tuple(
    creation,
    fc.array(write, { maxLength: 12, size: 'max' }),
    fc.array(write, { maxLength: 6, size: 'max' }),
    fc.oneof({ weight: 3, arbitrary: filteredScan }, { weight: 1, arbitrary: filteredGet }),
  )
  .map(([creation, flushed, fresh, read]) => {
    const steps: Action[] = [creation, ...flushed, { kind: 'flushTable' }, ...fresh, read]
    return steps.map((action) => ({ ...action, table: parseTableName('t'), pauseMs: 0 }))
  })

/** One table is used more than the other. */
const table = fc.constantFrom('t', 't', 't', 'u').map(parseTableName)

const arbitraryStep: fc.Arbitrary<Step> = fc
  .record({ action, table, pauseMs: fc.constantFrom(0, 0, 1, 50, 1500) })
  .map(({ action, table, pauseMs }) => ({ ...action, table, pauseMs }))

/** Both tables are made, then anything may happen to them. */
export const arbitraryHistory: fc.Arbitrary<Step[]> = fc
  .tuple(creation, creation, fc.array(arbitraryStep, { minLength: 1, maxLength: 60, size: 'max' }))
  .map(([first, second, steps]) => [
    { ...first, table: parseTableName('t'), pauseMs: 0 },
    { ...second, table: parseTableName('u'), pauseMs: 0 },
    ...steps,
  ])
