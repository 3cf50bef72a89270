/** The checks of HBase's filter constructors, with HBase's messages. */

import { abbreviated, compareBytes } from '../model/bytes.ts'
import { HBaseError } from '../model/errors.ts'
import type { Filter, FilterKind, FilterOfKind, FuzzyKey } from '../model/filter.ts'
import { mergeRowRanges } from './evaluate/row-ranges.ts'

type Checks = { readonly [Kind in FilterKind]?: (filter: FilterOfKind<Kind>) => void }

const checks: Checks = {
  ColumnCountGetFilter: ({ limit }) => check(limit >= 0, `limit be positive ${limit}`),
  ColumnPaginationFilter: ({ limit, offset }) => {
    check(limit >= 0, `limit must be positive ${limit}`)
    if (typeof offset === 'number') check(offset >= 0, `offset must be positive ${offset}`)
  },
  FuzzyRowFilter: ({ keys }) => checkFuzzyKeys(keys),
  MultiRowRangeFilter: ({ ranges }) => void mergeRowRanges(ranges),
  MultipleColumnPrefixFilter: ({ prefixes }) => check(areDistinct(prefixes), 'prefixes must be distinct'),
  PageFilter: ({ pageSize }) => check(pageSize >= 0n, `must be positive ${pageSize}`),
  TimestampsFilter: ({ timestamps }) => {
    for (const timestamp of timestamps) check(timestamp >= 0n, `must be positive ${timestamp}`)
  },
}

/** Throws ILLEGAL_ARGUMENT. Checks the filter itself, but neither the filters within it nor its comparator. */
export function checkFilter(filter: Filter): void {
  const checkKind = checks[filter.kind] as ((filter: Filter) => void) | undefined
  checkKind?.(filter)
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new HBaseError('ILLEGAL_ARGUMENT', message)
}

function checkFuzzyKeys(keys: readonly FuzzyKey[]): void {
  for (const { row, mask } of keys) {
    const pair = `{${abbreviated(row)},${abbreviated(mask)}}`
    check(row.length === mask.length, `Fuzzy pair lengths do not match: ${pair}`)
  }
  // QUIRK filter-bytes-unsound-fuzzy-row: HBase's priority queue refuses a size of 0 with an exception without a message.
  check(keys.length > 0, '')
}

function areDistinct(prefixes: readonly Buffer[]): boolean {
  const sorted = prefixes.toSorted(compareBytes)
  return sorted.every((prefix, i) => i === 0 || !prefix.equals(sorted[i - 1]!))
}
