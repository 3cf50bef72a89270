import type {
  Comparator,
  Comparison,
  Filter,
  FilterOfKind,
  FilterOperator,
  RowRange,
  SingleColumnValue,
} from '../../model/filter.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'

/** So many digits tell any two floats apart. */
const FLOAT_DIGITS = 9

/** Members in their order; a bigint is written as a number. */
type Members = readonly (readonly [name: string, value: MemberValue])[]
type MemberValue = string | number | boolean | bigint | readonly MemberValue[] | { readonly members: Members }

/**
 * The JSON that parseFilterJson reads as this filter; undefined if that form cannot express it. HBase:
 * ScannerModel.stringifyFilter.
 */
export function printFilterJson(filter: Filter): string | undefined {
  const members = filterMembers(filter)
  return members === undefined ? undefined : json({ members })
}

function json(value: MemberValue): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object') return JSON.stringify(value)
  if ('members' in value) {
    return `{${value.members.map(([name, member]) => `"${name}":${json(member)}`).join(',')}}`
  }
  return `[${value.map(json).join(',')}]`
}

function filterMembers(filter: Filter): Members | undefined {
  const members = ownMembers(filter)
  return members && [['type', filter.kind], ...members]
}

function ownMembers(filter: Filter): Members | undefined {
  if (filter.kind === 'FilterList') return list(filter.filters, [['op', filter.operator]])
  if (filter.kind === 'SkipFilter' || filter.kind === 'WhileMatchFilter') return list([filter.filter], [])
  return 'operator' in filter ? comparingMembers(filter) : leafMembers(filter)
}

type Comparing = Extract<Filter, { readonly operator: FilterOperator }>
type Leaf = Exclude<Filter, Comparing | FilterOfKind<'FilterList' | 'SkipFilter' | 'WhileMatchFilter'>>

function comparingMembers(filter: Comparing): Members | undefined {
  switch (filter.kind) {
    case 'ColumnValueFilter':
      return undefined
    case 'FamilyFilter':
    case 'QualifierFilter':
    case 'RowFilter':
    case 'ValueFilter':
      return comparison(filter)
    case 'SingleColumnValueExcludeFilter':
    case 'SingleColumnValueFilter':
      return singleColumnValue(filter)
    case 'DependentColumnFilter': {
      const { family, qualifier, dropDependentColumn, operator, comparator } = filter
      const compared = comparator && comparison({ operator, comparator })
      if (compared === undefined) return undefined
      return [
        ['family', base64(family)],
        ['qualifier', base64(qualifier)],
        ['dropDependentColumn', dropDependentColumn],
        ...compared,
      ]
    }
  }
}

function leafMembers(filter: Leaf): Members | undefined {
  switch (filter.kind) {
    case 'AccessControlFilter':
    case 'FilterAllFilter':
    case 'FirstKeyValueMatchingQualifiersFilter':
      return undefined
    case 'FirstKeyOnlyFilter':
      return []
    case 'KeyOnlyFilter':
      return filter.lengthAsValue ? undefined : []
    case 'ColumnPrefixFilter':
    case 'PrefixFilter':
      return [['value', base64(filter.prefix)]]
    case 'InclusiveStopFilter':
      return [['value', base64(filter.stopRow)]]
    case 'ColumnCountGetFilter':
      return [['limit', filter.limit]]
    case 'ColumnPaginationFilter':
      return columnPagination(filter)
    case 'ColumnRangeFilter':
      return columnRange(filter)
    case 'FuzzyRowFilter':
      return fuzzyRow(filter)
    case 'MultiRowRangeFilter':
      return [['ranges', filter.ranges.map(rowRange)]]
    case 'MultipleColumnPrefixFilter':
      return [['prefixes', filter.prefixes.map(base64)]]
    case 'PageFilter':
      return [['value', filter.pageSize.toString()]]
    case 'RandomRowFilter':
      return [['chance', float(filter.chance)]]
    case 'TimestampsFilter':
      return filter.canHint ? undefined : [['timestamps', filter.timestamps]]
  }
}

function columnPagination({ limit, offset }: FilterOfKind<'ColumnPaginationFilter'>): Members | undefined {
  if (typeof offset !== 'number') return undefined
  return [
    ['limit', limit],
    ['offset', offset],
  ]
}

function columnRange({
  min,
  includeMin,
  max,
  includeMax,
}: FilterOfKind<'ColumnRangeFilter'>): Members | undefined {
  if (min === undefined || max === undefined) return undefined
  return [
    ['minColumn', base64(min)],
    ['minColumnInclusive', includeMin],
    ['maxColumn', base64(max)],
    ['maxColumnInclusive', includeMax],
  ]
}

function fuzzyRow({ keys, isMaskV2 }: FilterOfKind<'FuzzyRowFilter'>): Members | undefined {
  if (!isMaskV2) return undefined
  const members = keys.map(({ row, mask }) => ({
    members: [
      ['key', base64(row)],
      ['mask', base64(mask)],
    ] as const,
  }))
  return [['fuzzyKeys', members]]
}

function rowRange(range: RowRange): { members: Members } {
  return {
    members: [
      ['startRow', base64(range.startRow)],
      ['startRowInclusive', range.includeStartRow],
      ['stopRow', base64(range.stopRow)],
      ['stopRowInclusive', range.includeStopRow],
    ],
  }
}

function list(filters: readonly Filter[], before: Members): Members | undefined {
  const elements: MemberValue[] = []
  for (const filter of filters) {
    const members = filterMembers(filter)
    if (members === undefined) return undefined
    elements.push({ members })
  }
  return [...before, ['filters', elements]]
}

function comparison({ operator, comparator }: Comparison): Members | undefined {
  const members = comparatorMembers(comparator)
  return (
    members && [
      ['op', operator],
      ['comparator', { members: [['type', comparator.kind], ...members] }],
    ]
  )
}

function singleColumnValue(filter: SingleColumnValue): Members | undefined {
  const compared = comparison(filter)
  return (
    compared && [
      ['family', base64(filter.family)],
      ['qualifier', base64(filter.qualifier)],
      ...compared,
      ['ifMissing', filter.filterIfMissing],
      ['latestVersion', filter.latestVersionOnly],
    ]
  )
}

function comparatorMembers(comparator: Comparator): Members | undefined {
  switch (comparator.kind) {
    case 'BinaryComparator':
    case 'BinaryPrefixComparator':
      return [['value', base64(comparator.value)]]
    case 'BitComparator':
      return [
        ['value', base64(comparator.value)],
        ['op', comparator.operator],
      ]
    case 'NullComparator':
      return []
    case 'RegexStringComparator': {
      const { pattern, flags, charset, engine } = comparator
      if (flags !== PatternFlag.Dotall || charset !== 'UTF-8' || engine !== 'JAVA') return undefined
      return [['value', pattern]]
    }
    case 'SubstringComparator':
      return [['value', comparator.substring]]
    case 'BigDecimalComparator':
    case 'BinaryComponentComparator':
    case 'LongComparator':
      return undefined
  }
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64')
}

/** The shortest number that reads as this float; NaN and the infinities are strings. */
function float(value: number): number | string {
  if (!Number.isFinite(value)) return String(value)
  for (let digits = 1; digits < FLOAT_DIGITS; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return value
}
