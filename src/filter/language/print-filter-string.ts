import type { Comparator, Comparison, Filter, FilterOfKind, SingleColumnValue } from '../../model/filter.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'
import { goesWith, operatorSign } from './comparison-text.ts'

/** Arguments as they stand between commas; the language cannot express a filter with an undefined one. */
type Arguments = readonly (string | undefined)[]

/**
 * The text that parseFilterString reads as this filter; undefined if the language cannot express it. HBase has no such
 * function.
 */
export function printFilterString(filter: Filter): Buffer | undefined {
  const text = printed(filter)
  return text === undefined ? undefined : Buffer.from(text, 'latin1')
}

/** One character a byte, since what stands in quotes is bytes. */
function printed(filter: Filter): string | undefined {
  if (filter.kind === 'FilterList') return printedList(filter)
  if (filter.kind === 'SkipFilter') return wrapped('SKIP', filter.filter)
  if (filter.kind === 'WhileMatchFilter') return wrapped('WHILE', filter.filter)
  const list = printedArguments(filter)
  return list === undefined || list.includes(undefined) ? undefined : `${filter.kind}(${list.join(', ')})`
}

/** A list of one filter is that filter. */
function printedList({ operator, filters }: FilterOfKind<'FilterList'>): string | undefined {
  const members = filters.map(operand)
  if (members.length < 2 || members.includes(undefined)) return undefined
  return members.join(operator === 'MUST_PASS_ALL' ? ' AND ' : ' OR ')
}

function wrapped(word: string, filter: Filter): string | undefined {
  const text = operand(filter)
  return text === undefined ? undefined : `${word} ${text}`
}

/** Puts a filter with operators in parentheses: HBase misreads some mixes of operators without them. */
function operand(filter: Filter): string | undefined {
  const text = printed(filter)
  const { kind } = filter
  const isNode = kind === 'FilterList' || kind === 'SkipFilter' || kind === 'WhileMatchFilter'
  return text !== undefined && isNode ? `(${text})` : text
}

type Simple = Exclude<Filter, FilterOfKind<'FilterList' | 'SkipFilter' | 'WhileMatchFilter'>>

function printedArguments(filter: Simple): Arguments | undefined {
  switch (filter.kind) {
    case 'FamilyFilter':
    case 'QualifierFilter':
    case 'RowFilter':
    case 'ValueFilter':
      return comparison(filter)
    case 'SingleColumnValueExcludeFilter':
    case 'SingleColumnValueFilter':
      return singleColumnValue(filter)
    case 'ColumnValueFilter':
      return [quoted(filter.family), quoted(filter.qualifier), ...comparison(filter)]
    case 'DependentColumnFilter': {
      const { family, qualifier, dropDependentColumn, operator, comparator } = filter
      const column = [quoted(family), quoted(qualifier), String(dropDependentColumn)]
      if (comparator === undefined) return operator === 'NO_OP' ? column : undefined
      return [...column, operatorSign(operator), comparatorText(comparator)]
    }
    case 'ColumnCountGetFilter':
      return [String(filter.limit)]
    case 'ColumnPaginationFilter':
      return typeof filter.offset === 'number' ? [String(filter.limit), String(filter.offset)] : undefined
    case 'ColumnPrefixFilter':
    case 'PrefixFilter':
      return [quoted(filter.prefix)]
    case 'ColumnRangeFilter':
      return [bound(filter.min), String(filter.includeMin), bound(filter.max), String(filter.includeMax)]
    case 'FirstKeyOnlyFilter':
      return []
    case 'InclusiveStopFilter':
      return [quoted(filter.stopRow)]
    case 'KeyOnlyFilter':
      return filter.lengthAsValue ? ['true'] : []
    case 'MultipleColumnPrefixFilter':
      return filter.prefixes.map((prefix) => quoted(prefix))
    case 'PageFilter':
      return [String(filter.pageSize)]
    case 'TimestampsFilter':
      return filter.canHint ? undefined : filter.timestamps.map(String)
    case 'AccessControlFilter':
    case 'FilterAllFilter':
    case 'FirstKeyValueMatchingQualifiersFilter':
    case 'FuzzyRowFilter':
    case 'MultiRowRangeFilter':
    case 'RandomRowFilter':
      return undefined
  }
}

function singleColumnValue(filter: SingleColumnValue): Arguments {
  return [
    quoted(filter.family),
    quoted(filter.qualifier),
    ...comparison(filter),
    String(filter.filterIfMissing),
    String(filter.latestVersionOnly),
  ]
}

function comparison({ operator, comparator }: Comparison): Arguments {
  return goesWith(comparator, operator) ? [operatorSign(operator), comparatorText(comparator)] : [undefined]
}

function comparatorText(comparator: Comparator): string | undefined {
  switch (comparator.kind) {
    case 'BinaryComparator':
      return quoted(comparator.value, 'binary:')
    case 'BinaryPrefixComparator':
      return quoted(comparator.value, 'binaryprefix:')
    case 'RegexStringComparator': {
      const { pattern, flags, charset, engine } = comparator
      const type = REGEX_TYPES.get(flags)
      if (type === undefined || charset !== 'UTF-8' || engine !== 'JAVA') return undefined
      return quoted(Buffer.from(pattern), type)
    }
    case 'SubstringComparator':
      return quoted(Buffer.from(comparator.substring), 'substring:')
    case 'BigDecimalComparator':
    case 'BinaryComponentComparator':
    case 'BitComparator':
    case 'LongComparator':
    case 'NullComparator':
      return undefined
  }
}

const { CaseInsensitive, Dotall } = PatternFlag
const REGEX_TYPES: ReadonlyMap<number, string> = new Map([
  [Dotall, 'regexstring:'],
  [CaseInsensitive | Dotall, 'regexstringnocase:'],
])

/** An empty argument means no bound, so the language cannot express an empty bound. */
function bound(column: Buffer | undefined): string | undefined {
  if (column === undefined) return "''"
  return column.length === 0 ? undefined : quoted(column)
}

function quoted(bytes: Buffer, before = ''): string {
  return `'${before}${bytes.toString('latin1').replaceAll("'", "''")}'`
}
