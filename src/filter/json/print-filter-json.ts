import type { Comparator, Filter, FuzzyKey, RowRange } from '../../model/filter.ts'
import { PatternFlag } from '../regex/pattern-flags.ts'
import { type FieldType, type FieldValue, fieldsOf, jsonKinds, valueOf } from '../schema/filter-schema.ts'

/** Digits that suffice to keep any two floats apart. */
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
  if (!jsonKinds.has(filter.kind)) return undefined
  const members: [string, MemberValue][] = []
  for (const field of fieldsOf(filter.kind)) {
    const value = valueOf(filter, field)
    if (field.json !== undefined) {
      const print = printers[field.type] as PrintField<unknown>
      const printed = print(value)
      if (printed === undefined) return undefined
      members.push([field.json, printed])
    } else if (value !== field.otherwise) return undefined
  }
  return members
}

/** undefined: JSON cannot express the value. */
type PrintField<Value> = (value: Value) => MemberValue | undefined

const printers: { readonly [Type in FieldType]: PrintField<FieldValue<Type>> } = {
  boolean: (value) => value,
  optionalBoolean: (value) => value,
  int32: (value) => value,
  int64: String,
  float,
  offset: (value) => (typeof value === 'number' ? value : undefined),
  bytes: base64,
  optionalBytes: base64,
  bound: (value) => value && base64(value),
  operator: (value) => value,
  comparator: comparatorObject,
  optionalComparator: (value) => value && comparatorObject(value),
  fuzzyKeys: (keys) => keys.map(fuzzyKey),
  ranges: (ranges) => ranges.map(rowRange),
  sortedBytes: (list) => list.map(base64),
  timestamps: (timestamps) => timestamps,
}

function fuzzyKey({ row, mask }: FuzzyKey): { members: Members } {
  return {
    members: [
      ['key', base64(row)],
      ['mask', base64(mask)],
    ],
  }
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

function comparatorObject(comparator: Comparator): { members: Members } | undefined {
  const members = comparatorMembers(comparator)
  return members && { members: [['type', comparator.kind], ...members] }
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
