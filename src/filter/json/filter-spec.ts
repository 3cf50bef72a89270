/**
 * The JSON of a filter as HBase's REST server reads it: one object for all kinds of filters, with the members of all of
 * them. A missing or senseless member shows only when the filter is built. HBase: ScannerModel.FilterModel.
 */

import type { JsonReader } from '../../wire/text/json-reader.ts'
import { FILTER_DEPTH_MAX, tooDeep } from '../filter-depth.ts'
import {
  type ReadMember,
  readBoolean,
  readBytes,
  readFloat,
  readInt32,
  readInt64,
  readListOf,
  readPrimitiveBoolean,
  readString,
} from './member-readers.ts'

interface ComparatorMembers {
  type: string
  value: string
  op: string
}

interface RowRangeMembers {
  startRow: Buffer
  startRowInclusive: boolean
  stopRow: Buffer
  stopRowInclusive: boolean
}

interface FuzzyKeyMembers {
  key: Buffer
  mask: Buffer
}

interface FilterMembers {
  type: string
  op: string
  comparator: ComparatorSpec
  value: string
  filters: readonly (FilterSpec | undefined)[]
  limit: number
  offset: number
  family: string
  qualifier: string
  ifMissing: boolean
  latestVersion: boolean
  minColumn: string
  minColumnInclusive: boolean
  maxColumn: string
  maxColumnInclusive: boolean
  dropDependentColumn: boolean
  chance: number
  prefixes: readonly (string | undefined)[]
  ranges: readonly (RowRangeSpec | undefined)[]
  timestamps: readonly (bigint | undefined)[]
  fuzzyKeys: readonly (FuzzyKeySpec | undefined)[]
}

/** The members that are present and not null, and the place in the text where the object begins. */
export type Spec<Members> = { [Name in keyof Members]?: Members[Name] | undefined } & { readonly at: number }

export type ComparatorSpec = Spec<ComparatorMembers>
export type RowRangeSpec = Spec<RowRangeMembers>
export type FuzzyKeySpec = Spec<FuzzyKeyMembers>
export type FilterSpec = Spec<FilterMembers>

type MemberReaders<Members> = { readonly [Name in keyof Members]: ReadMember<Members[Name]> }

const comparatorReaders: MemberReaders<ComparatorMembers> = {
  type: readString,
  value: readString,
  op: readString,
}

const rowRangeReaders: MemberReaders<RowRangeMembers> = {
  startRow: readBytes,
  startRowInclusive: readPrimitiveBoolean,
  stopRow: readBytes,
  stopRowInclusive: readPrimitiveBoolean,
}

const fuzzyKeyReaders: MemberReaders<FuzzyKeyMembers> = { key: readBytes, mask: readBytes }

function filterReaders(depth: number): MemberReaders<FilterMembers> {
  return {
    type: readString,
    op: readString,
    comparator: readObjectOf(comparatorReaders),
    value: readString,
    filters: readListOf((reader) => readFilterSpec(reader, depth + 1)),
    limit: readInt32,
    offset: readInt32,
    family: readString,
    qualifier: readString,
    ifMissing: readBoolean,
    latestVersion: readBoolean,
    minColumn: readString,
    minColumnInclusive: readBoolean,
    maxColumn: readString,
    maxColumnInclusive: readBoolean,
    dropDependentColumn: readBoolean,
    chance: readFloat,
    prefixes: readListOf(readString),
    ranges: readListOf(readObjectOf(rowRangeReaders)),
    timestamps: readListOf(readInt64),
    fuzzyKeys: readListOf(readObjectOf(fuzzyKeyReaders)),
  }
}

/** undefined for null. Throws CORRUPTION or ILLEGAL_ARGUMENT. Leaves the text after the object unread. */
export function readFilterSpec(reader: JsonReader, depth = 1): FilterSpec | undefined {
  if (depth > FILTER_DEPTH_MAX) throw tooDeep()
  return readObjectOf(filterReaders(depth))(reader)
}

/** Of several members with one name the last counts; a member without a reader is refused. */
function readObjectOf<Members extends object>(readers: MemberReaders<Members>): ReadMember<Spec<Members>> {
  return (reader) => {
    const kind = reader.peek()
    if (kind === 'null') {
      reader.nil()
      return undefined
    }
    if (kind !== 'object') return reader.fail('an object must stand here')
    const values: Record<string, unknown> = { at: reader.offset }
    reader.beginObject()
    for (let first = true; reader.nextMember(first); first = false) {
      const name = reader.textString()
      if (!Object.hasOwn(readers, name)) reader.fail(`there is no member "${name.slice(0, 40)}"`)
      values[name] = readers[name as keyof Members](reader)
    }
    return values as Spec<Members>
  }
}
