/** The calls that a history makes on a store. */

import fc from 'fast-check'
import { compareBytes } from '../../../src/model/bytes.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { row, timestamp } from './arbitrary-cell-parts.ts'
import { changes, condition, rowOperation } from './arbitrary-changes.ts'
import { filter, limits, query, scanned } from './arbitrary-reads.ts'
import type { Action, DrawnRegion, Step } from './step.ts'
import { KEEPS_ALL } from './varied-steps.ts'

const familyAttributes = fc
  .record({
    versions: fc.integer({ min: 1, max: 3 }),
    minVersions: fc.integer({ min: 0, max: 3 }),
    ttl: fc.constantFrom('2147483647', '2147483647', '2'),
    keep: fc.constantFrom('FALSE', 'FALSE', 'TRUE', 'TTL'),
    bloom: fc.constantFrom('NONE', 'ROW', 'ROWCOL'),
    blockBytes: fc.constantFrom('65536', '1024'),
    compression: fc.constantFrom('NONE', 'GZ', 'SNAPPY', 'LZ4', 'ZSTD'),
    encoding: fc.constantFrom('NONE', 'PREFIX', 'DIFF', 'FAST_DIFF', 'ROW_INDEX_V1'),
  })
  .map(({ versions, minVersions, ttl, keep, bloom, blockBytes, compression, encoding }) => ({
    VERSIONS: String(versions),
    MIN_VERSIONS: String(Math.min(minVersions, versions)),
    TTL: ttl,
    KEEP_DELETED_CELLS: keep,
    BLOOMFILTER: bloom,
    BLOCKSIZE: blockBytes,
    COMPRESSION: compression,
    DATA_BLOCK_ENCODING: encoding,
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
/** Most steps go to the whole table. */
const region: fc.Arbitrary<DrawnRegion> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('all' as const) },
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 1, arbitrary: fc.constant('none' as const) },
)
const getBytes = fc.constantFrom(1_000_000, 1_000_000, 1, 60, 200)
const slot = fc.integer({ min: 0, max: 2 })

const creation = fc.record({ kind: fc.constant('createTable' as const), families, splits })

const regionChange: fc.Arbitrary<Action> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('splitTable' as const), at: row }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mergeRegions' as const),
      indexes: fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('unassignRegion' as const, 'assignRegion' as const),
      index: fc.nat({ max: 3 }),
    }),
  },
)

/** Most changes of several rows have no condition, so that some are made. */
const part = fc.record({
  row,
  operations: fc.array(rowOperation, { maxLength: 2 }),
  condition: fc.option(condition, { nil: undefined, freq: 1 }),
})

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 8, arbitrary: regionChange },
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
        'compactTable' as const,
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
    arbitrary: fc.record({ kind: fc.constant('mutate' as const), changes, region }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('mutateRow' as const),
      row,
      operations: fc.array(rowOperation, { maxLength: 3 }),
      condition: fc.option(condition, { nil: undefined, freq: 2 }),
      nonce: fc.option(fc.bigInt(0n, 2n), { nil: undefined, freq: 1 }),
      returnResults: fc.constantFrom(true, true, false),
      region,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mutateRows' as const),
      parts: fc.array(part, { maxLength: 4 }),
      nonce: fc.option(fc.bigInt(0n, 2n), { nil: undefined, freq: 1 }),
      region,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('get' as const),
      rows: fc.array(row, { minLength: 1, maxLength: 4 }),
      query,
      bytes: getBytes,
      region,
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('scan' as const), scan: scanned, limits, region }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('openScanner' as const), slot, scan: scanned, region }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('nextOfScanner' as const), slot, limits }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('closeScanner' as const), slot }) },
)

const filteredScan = fc.tuple(scanned, filter, limits).map(([scan, filter, limits]) => {
  const [startRow, stopRow] = [scan.startRow!, scan.stopRow!]
  const isEmpty = stopRow.length > 0 && compareBytes(startRow, stopRow) > 0 !== scan.reversed
  const bounds = isEmpty ? { startRow: stopRow, stopRow: startRow } : {}
  return { kind: 'scan' as const, scan: { ...scan, ...bounds, filter }, limits, region: 'all' as const }
})
const filteredGet = fc.tuple(query, filter).map(([query, filter]) => {
  const rows = ['a', 'ab', 'b', 'm']
  return { kind: 'get' as const, rows, query: { ...query, filter }, bytes: 1_000_000, region: 'all' as const }
})
const write = fc.record({
  kind: fc.constant('mutate' as const),
  changes,
  region: fc.constant('all' as const),
})

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

/** So flushes leave the past as it was. */
const keptFamilies = ['f', 'g'].map((name) => ({ name, attributes: KEEPS_ALL }))
const pastScan = fc
  .record({ scan: scanned, asOf: timestamp, limits, region })
  .map(({ scan, asOf, ...rest }) => {
    return { kind: 'scan' as const, scan: { ...scan, asOf }, ...rest }
  })
const pastGet = fc.record({ query, asOf: timestamp, region }).map(({ query, asOf, region }) => {
  const rows = ['a', 'ab', 'b', 'm']
  return { kind: 'get' as const, rows, query: { ...query, asOf }, bytes: 1_000_000, region }
})
const pastReads = fc.array(fc.oneof(pastScan, pastGet), { minLength: 1, maxLength: 4 })

/**
 * Writes to a table, and reads of it as it was at some time: before a flush of any families, after a flush of families
 * that keep all.
 */
export const arbitraryPastRead: fc.Arbitrary<Step[]> = fc
  .tuple(
    creation,
    fc.boolean(),
    fc.array(write, { minLength: 1, maxLength: 12, size: 'max' }),
    fc.array(write, { maxLength: 6, size: 'max' }),
    pastReads,
  )
  .map(([creation, isFlushed, before, after, reads]) => {
    const first: Action = isFlushed ? { ...creation, families: keptFamilies } : creation
    const flushes: Action[] = isFlushed ? [{ kind: 'flushTable' }] : []
    const steps: Action[] = [first, ...before, ...flushes, ...after, ...reads]
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
