/**
 * Batches, and changes of one row: puts, tombstones, counters, appends, and now and then a change that a store refuses.
 */

import fc from 'fast-check'
import { CellType } from '../../../src/model/cell.ts'
import type { CompareOperator } from '../../../src/model/filter.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import { totalComparators } from '../../filter/comparator-arbitrary.ts'
import { bytes } from '../suite/store-under-test.ts'
import { family, maybeTimeRange, qualifier, row, tags, timestamp, value } from './arbitrary-cell-parts.ts'
import { filter } from './arbitrary-reads.ts'
import type { CellChange, DrawnCondition, DrawnOperation, RowChange } from './step.ts'

const putCell = fc.record({ family, qualifier, type: fc.constant(CellType.Put), timestamp, value, tags })
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
/** Cells of missing families, or with negative times: maybe several, and among valid cells. */
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
 * A column of its own, whose cells all have one TTL: if an overwritten cell outlived its successor, flushes would decide
 * whether it comes back.
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
export const changes: fc.Arbitrary<RowChange[]> = fc.array(
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
/** Mostly without a time. */
const deltaTime = fc.oneof(
  { weight: 3, arbitrary: fc.constant(LATEST_TIMESTAMP) },
  { weight: 1, arbitrary: timestamp },
)
/** Counters mostly have columns of their own, so that they do count. */
const delta = fc.record({
  family,
  qualifier: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('n', 'nn') },
    { weight: 1, arbitrary: qualifier },
  ),
  type: fc.constant(CellType.Put),
  timestamp: deltaTime,
  value: fc.oneof({ weight: 12, arbitrary: long }, { weight: 1, arbitrary: value }),
  tags,
})
const addition = fc.tuple(putCell, deltaTime).map(([cell, timestamp]) => ({ ...cell, timestamp }))

/** Now and then with a cell of a missing family, or with a negative time. */
function deltas(cell: fc.Arbitrary<CellChange>): fc.Arbitrary<CellChange[]> {
  const wrong = fc
    .tuple(cell, wrongCell)
    .map(([cell, { family, timestamp }]) => ({ ...cell, family, timestamp }))
  return fc.array(fc.oneof({ weight: 30, arbitrary: cell }, { weight: 1, arbitrary: wrong }), {
    minLength: 1,
    maxLength: 3,
  })
}

export const rowOperation: fc.Arbitrary<DrawnOperation> = fc.oneof(
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

const columnCondition = fc.record({
  kind: fc.constant('column' as const),
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
  comparator: fc.oneof(
    {
      weight: 3,
      arbitrary: value.map((value) => ({ kind: 'BinaryComparator' as const, value: bytes(value) })),
    },
    { weight: 2, arbitrary: fc.option(totalComparators(value.map(bytes)), { nil: undefined, freq: 9 }) },
  ),
  timeRange: maybeTimeRange,
})
const filterCondition = fc.record({
  kind: fc.constant('filter' as const),
  filter,
  timeRange: maybeTimeRange,
})
export const condition: fc.Arbitrary<DrawnCondition> = fc.oneof(
  { weight: 3, arbitrary: columnCondition },
  { weight: 1, arbitrary: filterCondition },
)
