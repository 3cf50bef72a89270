/** Random filter trees that HBase's constructors accept, in the form into which the constructors bring them. */

import fc from 'fast-check'
import { compareBytes } from '../../src/model/bytes.ts'
import type {
  Comparator,
  Comparison,
  Filter,
  FilterKind,
  FilterOfKind,
  FilterOperator,
  FuzzyKey,
  RowRange,
} from '../../src/model/filter.ts'
import { anyBytes, comparators } from './comparator-arbitrary.ts'

/** The words from which arguments of filters are drawn. Small sets make filters that meet the data. */
export interface FilterWords {
  readonly rows: fc.Arbitrary<Buffer>
  readonly families: fc.Arbitrary<Buffer>
  readonly qualifiers: fc.Arbitrary<Buffer>
  readonly values: fc.Arbitrary<Buffer>
  readonly timestamps: fc.Arbitrary<bigint>
  readonly comparators: fc.Arbitrary<Comparator>
  /** Filters of these kinds are left out. */
  readonly without?: readonly FilterKind[]
  /** How deep lists, skip and while filters nest. */
  readonly depth?: number
}

/** Any bytes at all. */
export const anyWords: FilterWords = {
  rows: anyBytes,
  families: anyBytes,
  qualifiers: anyBytes,
  values: anyBytes,
  timestamps: fc.oneof(fc.bigInt({ min: 0n, max: 9n }), fc.bigInt({ min: 0n, max: (1n << 63n) - 1n })),
  comparators,
}

/** Trees of every kind of filter. */
export function filterArbitrary(words: FilterWords = anyWords): fc.Arbitrary<Filter> {
  const { without = [], depth = 3 } = words
  const leaves = Object.values(leafArbitraries(words)) as fc.Arbitrary<Filter>[]
  const leaf = fc.oneof(...leaves).filter((filter) => !without.includes(filter.kind))
  const nodes = (child: fc.Arbitrary<Filter>): fc.Arbitrary<Filter>[] => {
    const kinds: [FilterKind, number, fc.Arbitrary<Filter>][] = [
      ['FilterList', 4, filterList(child)],
      ['SkipFilter', 1, fc.record({ kind: fc.constant('SkipFilter' as const), filter: child })],
      ['WhileMatchFilter', 1, fc.record({ kind: fc.constant('WhileMatchFilter' as const), filter: child })],
    ]
    return kinds
      .filter(([kind]) => !without.includes(kind))
      .flatMap(([, weight, node]) => Array.from({ length: weight }, () => node))
  }
  let tree = leaf
  for (let level = 0; level < depth; level++) tree = fc.oneof(leaf, leaf, leaf, ...nodes(tree))
  return tree
}

/** No client can send it. */
type ServerKind = 'AccessControlFilter'
type NodeKind = 'FilterList' | 'SkipFilter' | 'WhileMatchFilter'
type LeafArbitraries = {
  [Kind in Exclude<FilterKind, NodeKind | ServerKind>]: fc.Arbitrary<FilterOfKind<Kind>>
}

function filterList(child: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  return fc.record({
    kind: fc.constant('FilterList' as const),
    operator: fc.constantFrom('MUST_PASS_ALL', 'MUST_PASS_ONE'),
    filters: fc.array(child, { maxLength: 4 }),
  })
}

function leafArbitraries(words: FilterWords): LeafArbitraries {
  return { ...columnFilters(words), ...comparingFilters(words), ...rowFilters(words), ...cellFilters(words) }
}

function columnFilters({
  qualifiers,
}: FilterWords): Pick<
  LeafArbitraries,
  | 'ColumnCountGetFilter'
  | 'ColumnPaginationFilter'
  | 'ColumnPrefixFilter'
  | 'ColumnRangeFilter'
  | 'FirstKeyValueMatchingQualifiersFilter'
  | 'MultipleColumnPrefixFilter'
> {
  return {
    ColumnCountGetFilter: fc.record({ kind: kindOf('ColumnCountGetFilter'), limit: fc.nat({ max: 9 }) }),
    ColumnPaginationFilter: fc.record({
      kind: kindOf('ColumnPaginationFilter'),
      limit: fc.nat({ max: 5 }),
      offset: fc.oneof(fc.nat({ max: 4 }), qualifiers),
    }),
    ColumnPrefixFilter: fc.record({ kind: kindOf('ColumnPrefixFilter'), prefix: qualifiers }),
    ColumnRangeFilter: fc.record({
      kind: kindOf('ColumnRangeFilter'),
      min: fc.option(qualifiers, { nil: undefined }),
      includeMin: fc.boolean(),
      max: fc.option(qualifiers, { nil: undefined }),
      includeMax: fc.boolean(),
    }),
    FirstKeyValueMatchingQualifiersFilter: fc.record({
      kind: kindOf('FirstKeyValueMatchingQualifiersFilter'),
      qualifiers: sortedSet(qualifiers, 0),
    }),
    MultipleColumnPrefixFilter: fc.record({
      kind: kindOf('MultipleColumnPrefixFilter'),
      prefixes: sortedSet(qualifiers, 1),
    }),
  }
}

type ComparingKind =
  | 'ColumnValueFilter'
  | 'DependentColumnFilter'
  | 'FamilyFilter'
  | 'QualifierFilter'
  | 'RowFilter'
  | 'SingleColumnValueFilter'
  | 'SingleColumnValueExcludeFilter'
  | 'ValueFilter'

function comparingFilters(words: FilterWords): Pick<LeafArbitraries, ComparingKind> {
  const { families, qualifiers, comparators: comparator } = words
  const comparison: { [Key in keyof Comparison]: fc.Arbitrary<Comparison[Key]> } = { operator, comparator }
  const column = { family: families, qualifier: qualifiers }
  const single = {
    ...column,
    ...comparison,
    filterIfMissing: fc.boolean(),
    latestVersionOnly: fc.boolean(),
  }
  return {
    ColumnValueFilter: fc.record({ kind: kindOf('ColumnValueFilter'), ...column, ...comparison }),
    DependentColumnFilter: fc
      .record({
        kind: kindOf('DependentColumnFilter'),
        ...column,
        dropDependentColumn: fc.boolean(),
        operator,
        comparator: fc.option(comparator, { nil: undefined }),
      })
      .map((filter) =>
        filter.comparator === undefined ? { ...filter, operator: 'NO_OP' as const } : filter,
      ),
    FamilyFilter: fc.record({ kind: kindOf('FamilyFilter'), ...comparison }),
    QualifierFilter: fc.record({ kind: kindOf('QualifierFilter'), ...comparison }),
    RowFilter: fc.record({ kind: kindOf('RowFilter'), ...comparison }),
    SingleColumnValueFilter: fc.record({ kind: kindOf('SingleColumnValueFilter'), ...single }),
    SingleColumnValueExcludeFilter: fc.record({ kind: kindOf('SingleColumnValueExcludeFilter'), ...single }),
    ValueFilter: fc.record({ kind: kindOf('ValueFilter'), ...comparison }),
  }
}

function rowFilters({
  rows,
}: FilterWords): Pick<
  LeafArbitraries,
  | 'FuzzyRowFilter'
  | 'InclusiveStopFilter'
  | 'MultiRowRangeFilter'
  | 'PageFilter'
  | 'PrefixFilter'
  | 'RandomRowFilter'
> {
  return {
    FuzzyRowFilter: fc.boolean().chain((isMaskV2) =>
      fc.record({
        kind: kindOf('FuzzyRowFilter'),
        keys: fc.array(fuzzyKey(rows, isMaskV2), { minLength: 1, maxLength: 3 }),
        isMaskV2: fc.constant(isMaskV2),
      }),
    ),
    InclusiveStopFilter: fc.record({ kind: kindOf('InclusiveStopFilter'), stopRow: rows }),
    MultiRowRangeFilter: fc.record({ kind: kindOf('MultiRowRangeFilter'), ranges: rowRanges(rows) }),
    PageFilter: fc.record({ kind: kindOf('PageFilter'), pageSize: fc.bigInt({ min: 0n, max: 5n }) }),
    PrefixFilter: fc.record({ kind: kindOf('PrefixFilter'), prefix: rows }),
    RandomRowFilter: fc.record({
      kind: kindOf('RandomRowFilter'),
      chance: fc.constantFrom(-1, 0, 0.25, 0.5, 1, 2),
    }),
  }
}

function cellFilters({
  timestamps,
}: FilterWords): Pick<
  LeafArbitraries,
  'FilterAllFilter' | 'FirstKeyOnlyFilter' | 'KeyOnlyFilter' | 'TimestampsFilter'
> {
  return {
    FilterAllFilter: fc.record({ kind: kindOf('FilterAllFilter') }),
    FirstKeyOnlyFilter: fc.record({ kind: kindOf('FirstKeyOnlyFilter') }),
    KeyOnlyFilter: fc.record({ kind: kindOf('KeyOnlyFilter'), lengthAsValue: fc.boolean() }),
    TimestampsFilter: fc.record({
      kind: kindOf('TimestampsFilter'),
      timestamps: fc
        .uniqueArray(timestamps, { maxLength: 4 })
        .map((stamps) => stamps.sort((a, b) => (a < b ? -1 : 1))),
      canHint: fc.boolean(),
    }),
  }
}

const operator: fc.Arbitrary<FilterOperator> = fc.constantFrom(
  'LESS',
  'LESS_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_OR_EQUAL',
  'GREATER',
  'NO_OP',
)

function kindOf<Kind extends FilterKind>(kind: Kind): fc.Arbitrary<Kind> {
  return fc.constant(kind)
}

function sortedSet(arbitrary: fc.Arbitrary<Buffer>, minLength: number): fc.Arbitrary<Buffer[]> {
  return fc
    .uniqueArray(arbitrary, { minLength, maxLength: 3, selector: (word) => word.toString('latin1') })
    .map((words) => words.sort(compareBytes))
}

function fuzzyKey(rows: fc.Arbitrary<Buffer>, isMaskV2: boolean): fc.Arbitrary<FuzzyKey> {
  const [fixed, any] = isMaskV2 ? [0xff, 2] : [0, 1]
  return rows.chain((row) =>
    fc.record({
      row: fc.constant(row),
      mask: fc
        .array(fc.constantFrom(fixed, any), { minLength: row.length, maxLength: row.length })
        .map((mask) => Buffer.from(mask)),
    }),
  )
}

/** Sorted ranges with room between them, which HBase makes of overlapping ranges too. The last may be open. */
function rowRanges(rows: fc.Arbitrary<Buffer>): fc.Arbitrary<RowRange[]> {
  const bounds = fc
    .uniqueArray(rows, { minLength: 2, maxLength: 6, selector: (row) => row.toString('latin1') })
    .map((chosen) => chosen.sort(compareBytes))
  const includes = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 })
  return fc.tuple(bounds, includes, fc.boolean()).map(([sorted, included, isOpen]) => {
    const ranges: RowRange[] = []
    for (let at = 0; at + 1 < sorted.length; at += 2) {
      const stopRow = isOpen && at + 3 >= sorted.length ? Buffer.alloc(0) : sorted[at + 1]!
      ranges.push({
        startRow: sorted[at]!,
        includeStartRow: included[at]!,
        stopRow,
        includeStopRow: included[at + 1]!,
      })
    }
    return ranges
  })
}
