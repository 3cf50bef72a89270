/** The checks of HBase's filter constructors, with HBase's messages. */

import { abbreviated, compareBytes } from '../../model/bytes.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Filter, FilterKind, FilterOfKind, FuzzyKey } from '../../model/filter.ts'
import { atOnce, mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import { mergeRowRanges } from './row-ranges.ts'

type Check<Checked> = (filter: Checked) => Steps<void> | void
type Checks = { readonly [Kind in FilterKind]?: Check<FilterOfKind<Kind>> }

const checks: Checks = {
  ColumnCountGetFilter: ({ limit }) => check(limit >= 0, `limit be positive ${limit}`),
  ColumnPaginationFilter: ({ limit, offset }) => {
    check(limit >= 0, `limit must be positive ${limit}`)
    if (typeof offset === 'number') check(offset >= 0, `offset must be positive ${offset}`)
  },
  FuzzyRowFilter: ({ keys }) => checkFuzzyKeys(keys),
  MultiRowRangeFilter: function* ({ ranges }) {
    yield* mergeRowRanges(ranges)
  },
  MultipleColumnPrefixFilter: ({ prefixes }) => checkDistinct(prefixes),
  PageFilter: ({ pageSize }) => check(pageSize >= 0n, `must be positive ${pageSize}`),
  TimestampsFilter: ({ timestamps }) => checkTimestamps(timestamps),
}

/** Throws ILLEGAL_ARGUMENT. Checks the filter itself, but neither the filters within it nor its comparator. */
export function checkFilter(filter: Filter): void {
  atOnce(checkInSteps(filter))
}

/** As checkFilter. */
export function* checkInSteps(filter: Filter): Steps<void> {
  const checkKind = checks[filter.kind] as Check<Filter> | undefined
  const steps = checkKind?.(filter)
  if (steps !== undefined) yield* steps
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new HBaseError('ILLEGAL_ARGUMENT', message)
}

function* checkFuzzyKeys(keys: readonly FuzzyKey[]): Steps<void> {
  yield* mapInSteps(keys, ({ row, mask }) => {
    if (row.length === mask.length) return
    const pair = `{${abbreviated(row)},${abbreviated(mask)}}`
    check(false, `Fuzzy pair lengths do not match: ${pair}`)
  })
  // QUIRK filter-bytes-unsound-fuzzy-row: HBase's priority queue refuses a size of 0 with an exception without a message.
  check(keys.length > 0, '')
}

function* checkDistinct(prefixes: readonly Buffer[]): Steps<void> {
  const sorted = yield* sortInSteps(prefixes, compareBytes)
  yield* mapInSteps(sorted, (prefix, i) => {
    if (i > 0 && prefix.equals(sorted[i - 1]!)) check(false, 'prefixes must be distinct')
  })
}

function* checkTimestamps(timestamps: readonly bigint[]): Steps<void> {
  yield* mapInSteps(timestamps, (timestamp) => {
    if (timestamp < 0n) check(false, `must be positive ${timestamp}`)
  })
}
