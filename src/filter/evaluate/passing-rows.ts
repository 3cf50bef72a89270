import { compareBytes, EMPTY, rowAfterPrefix } from '../../model/bytes.ts'
import type { Comparator, Filter, FilterOfKind, RowRange } from '../../model/filter.ts'
import { atOnce, mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'

/**
 * Ranges outside of which no row passes the filter, in order and disjoint, as far as the tree alone shows. A scan may go straight to them.
 * Undefined if any row may pass, or if leaving a row unread would change later answers.
 */
export function passingRows(filter: Filter): readonly RowRange[] | undefined {
  return atOnce(passingRowsInSteps(filter))
}

/** As passingRows. */
export function* passingRowsInSteps(filter: Filter): Steps<readonly RowRange[] | undefined> {
  return seesRowsLeftOut(filter) ? undefined : yield* passingRanges(filter)
}

/**
 * Whether skipping rows could change an answer: a WhileMatchFilter ends the scan at a row that fails, and some
 * comparators fail on short values.
 */
function seesRowsLeftOut(filter: Filter): boolean {
  if (filter.kind === 'WhileMatchFilter') return true
  if (filter.kind === 'SkipFilter') return seesRowsLeftOut(filter.filter)
  if (filter.kind === 'FilterList') return filter.filters.some(seesRowsLeftOut)
  return 'comparator' in filter && filter.comparator !== undefined && PARTIAL.has(filter.comparator.kind)
}

const PARTIAL: ReadonlySet<Comparator['kind']> = new Set([
  'BinaryComponentComparator',
  'LongComparator',
  'BigDecimalComparator',
])

function* passingRanges(filter: Filter): Steps<readonly RowRange[] | undefined> {
  if (filter.kind === 'PrefixFilter') return withPrefix(filter.prefix)
  if (filter.kind === 'RowFilter') return comparedRows(filter)
  if (filter.kind !== 'FilterList') return undefined
  const known: (readonly RowRange[])[] = []
  for (const [index, member] of filter.filters.entries()) {
    if (index % STEP_RANGES === STEP_RANGES - 1) yield
    const ranges = yield* passingRanges(member)
    if (ranges !== undefined) known.push(ranges)
    else if (filter.operator === 'MUST_PASS_ONE') return undefined
  }
  // Each list by itself may be short.
  yield
  if (known.length === 0) return undefined
  return yield* filter.operator === 'MUST_PASS_ALL' ? intersectAll(known) : unite(known.flat())
}

/** Filters, or ranges, that are looked at in a step. */
const STEP_RANGES = 256

function comparedRows({ operator, comparator }: FilterOfKind<'RowFilter'>): readonly RowRange[] | undefined {
  if (comparator.kind === 'BinaryPrefixComparator') {
    return operator === 'EQUAL' ? withPrefix(comparator.value) : undefined
  }
  // No row is empty, but an empty end of a range is an open end.
  if (comparator.kind !== 'BinaryComparator' || comparator.value.length === 0) return undefined
  const row = comparator.value
  switch (operator) {
    case 'EQUAL':
      return [{ startRow: row, includeStartRow: true, stopRow: row, includeStopRow: true }]
    case 'LESS':
    case 'LESS_OR_EQUAL':
      return [{ startRow: EMPTY, includeStartRow: true, stopRow: row, includeStopRow: operator !== 'LESS' }]
    case 'GREATER':
    case 'GREATER_OR_EQUAL':
      return [
        { startRow: row, includeStartRow: operator !== 'GREATER', stopRow: EMPTY, includeStopRow: false },
      ]
    case 'NOT_EQUAL':
    case 'NO_OP':
      return undefined
  }
}

function withPrefix(prefix: Buffer): readonly RowRange[] | undefined {
  if (prefix.length === 0) return undefined
  return [{ startRow: prefix, includeStartRow: true, stopRow: rowAfterPrefix(prefix), includeStopRow: false }]
}

function* intersectAll(lists: readonly (readonly RowRange[])[]): Steps<readonly RowRange[]> {
  let shared = lists[0]!
  for (let i = 1; i < lists.length; i++) {
    shared = yield* intersect(shared, lists[i]!)
    yield
  }
  return shared
}

/** The rows in both lists of ranges; both lists, and the result, are in order and disjoint. */
function* intersect(some: readonly RowRange[], others: readonly RowRange[]): Steps<readonly RowRange[]> {
  const shared: RowRange[] = []
  for (let i = 0, j = 0; i < some.length && j < others.length; ) {
    if ((i + j) % STEP_RANGES === STEP_RANGES - 1) yield
    const one = some[i]!
    const other = others[j]!
    const range = common(one, other)
    if (!isEmpty(range)) shared.push(range)
    if (compareStops(one, other) < 0) i++
    else j++
  }
  return shared
}

function common(a: RowRange, b: RowRange): RowRange {
  const later = compareStarts(a, b) >= 0 ? a : b
  const sooner = compareStops(a, b) <= 0 ? a : b
  return {
    startRow: later.startRow,
    includeStartRow: later.includeStartRow,
    stopRow: sooner.stopRow,
    includeStopRow: sooner.includeStopRow,
  }
}

function isEmpty({ startRow, includeStartRow, stopRow, includeStopRow }: RowRange): boolean {
  if (stopRow.length === 0) return false
  const order = compareBytes(startRow, stopRow)
  return order > 0 || (order === 0 && !(includeStartRow && includeStopRow))
}

function* unite(ranges: readonly RowRange[]): Steps<readonly RowRange[]> {
  const united: RowRange[] = []
  const sorted = yield* sortInSteps(ranges, compareStarts)
  yield* mapInSteps(sorted, (range) => {
    const last = united.at(-1)
    if (last === undefined || isApart(last, range)) united.push(range)
    else if (compareStops(last, range) < 0) {
      const { stopRow, includeStopRow } = range
      united[united.length - 1] = { ...last, stopRow, includeStopRow }
    }
  })
  return united
}

/** `b` does not start before `a`. */
function isApart(a: RowRange, b: RowRange): boolean {
  return a.stopRow.length > 0 && compareBytes(a.stopRow, b.startRow) < 0
}

function compareStarts(a: RowRange, b: RowRange): number {
  return compareBytes(a.startRow, b.startRow) || Number(b.includeStartRow) - Number(a.includeStartRow)
}

function compareStops(a: RowRange, b: RowRange): number {
  if (a.stopRow.length === 0 || b.stopRow.length === 0) {
    return Number(a.stopRow.length === 0) - Number(b.stopRow.length === 0)
  }
  return compareBytes(a.stopRow, b.stopRow) || Number(a.includeStopRow) - Number(b.includeStopRow)
}
