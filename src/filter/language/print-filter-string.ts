import type { Comparator, Filter, FilterOfKind } from '../../model/filter.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'
import { type FieldValue, fieldsOf, valueOf } from '../schema/filter-schema.ts'
import { goesWith, operatorSign } from './comparison-text.ts'
import { type ArgumentType, namedFilters } from './named-filters.ts'

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

function printedArguments(filter: Filter): Arguments | undefined {
  if (!namedFilters.has(filter.kind)) return undefined
  // Two filters have arguments that may be left out.
  if (filter.kind === 'KeyOnlyFilter' && !filter.lengthAsValue) return []
  const lacksComparison =
    filter.kind === 'DependentColumnFilter' && filter.operator === 'NO_OP' && filter.comparator === undefined
  const printed: (string | undefined)[] = []
  for (const field of fieldsOf(filter.kind).slice(0, lacksComparison ? -2 : undefined)) {
    const value = valueOf(filter, field)
    if (field.isArgument !== false) {
      const print = printers[field.type as ArgumentType] as PrintArgument<unknown>
      const text = print(value, filter)
      if (Array.isArray(text)) for (const each of text) printed.push(each)
      else printed.push(text)
    } else if (value !== field.otherwise) return undefined
  }
  return printed
}

/** A list has an argument for each element; undefined: the language cannot express the value. */
type PrintArgument<Value> = (value: Value, filter: Filter) => string | undefined | string[]

const printers: { readonly [Type in ArgumentType]: PrintArgument<FieldValue<Type>> } = {
  boolean: String,
  optionalBoolean: String,
  int32: String,
  int64: String,
  offset: (value) => (typeof value === 'number' ? String(value) : undefined),
  bytes: (value) => quoted(value),
  optionalBytes: (value) => quoted(value),
  bound,
  operator: operatorSign,
  comparator: (value, filter) =>
    'operator' in filter && filter.kind !== 'FilterList' && goesWith(value, filter.operator)
      ? comparatorText(value)
      : undefined,
  optionalComparator: (value) => value && comparatorText(value),
  sortedBytes: (list) => list.map((bytes) => quoted(bytes)),
  timestamps: (list) => list.map(String),
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
