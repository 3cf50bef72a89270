/**
 * The JSON of a filter as HBase's REST server reads it: one object for all kinds of filters, with the members of all of
 * them. A missing or senseless member shows only when the filter is built. HBase: ScannerModel.FilterModel.
 */

import { isSteps, type Steps } from '../../model/steps.ts'
import type { JsonReader } from '../../wire/text/json-reader.ts'
import { FILTER_DEPTH_MAX, tooDeep } from '../schema/filter-depth.ts'
import type {
  ComparatorMembers,
  FilterMembers,
  FilterSpec,
  FuzzyKeyMembers,
  RowRangeMembers,
  Spec,
} from '../schema/filter-members.ts'
import {
  type ReadMember,
  readBoolean,
  readBytes,
  readFloat,
  readInt32,
  readInt64,
  readPrimitiveBoolean,
  readString,
} from './member-readers.ts'

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

/** Members whose values are one each. */
const singleReaders: MemberReaders<Omit<FilterMembers, keyof FilterLists>> = {
  type: readString,
  op: readString,
  comparator: readObjectOf(comparatorReaders),
  value: readString,
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
}

type FilterLists = Pick<FilterMembers, 'prefixes' | 'ranges' | 'timestamps' | 'fuzzyKeys' | 'filters'>

/** Read the elements of the lists but `filters`. */
const elementReaders: { readonly [Name in Exclude<keyof FilterLists, 'filters'>]: ReadMember<unknown> } = {
  prefixes: readString,
  ranges: readObjectOf(rowRangeReaders),
  timestamps: readInt64,
  fuzzyKeys: readObjectOf(fuzzyKeyReaders),
}

/** undefined for null. Throws CORRUPTION or ILLEGAL_ARGUMENT. Leaves the text after the object unread. */
export function* readFilterSpec(reader: JsonReader, depth = 1): Steps<FilterSpec | undefined> {
  if (depth > FILTER_DEPTH_MAX) throw tooDeep()
  const values = beginObject(reader)
  if (values === undefined) return undefined
  for (let first = true; reader.nextMember(first); first = false) {
    const name = reader.textString()
    if (name === 'filters') values[name] = yield* readList(reader, () => readFilterSpec(reader, depth + 1))
    else if (isListName(name)) {
      const read = elementReaders[name]
      values[name] = yield* readList(reader, () => read(reader))
    } else readSingle(reader, name, values)
  }
  return values as FilterSpec
}

function isListName(name: string): name is keyof typeof elementReaders {
  return Object.hasOwn(elementReaders, name)
}

function readSingle(reader: JsonReader, name: string, values: Record<string, unknown>): void {
  if (!Object.hasOwn(singleReaders, name)) reader.fail(`there is no member "${name.slice(0, 40)}"`)
  values[name] = singleReaders[name as keyof typeof singleReaders](reader)
}

/** Elements that are read in a step. */
const STEP_ELEMENTS = 64

/** undefined for null; an element that is null is undefined. */
function* readList<Value>(reader: JsonReader, read: () => Value | Steps<Value>): Steps<Value[] | undefined> {
  const kind = reader.peek()
  if (kind === 'null') {
    reader.nil()
    return undefined
  }
  if (kind !== 'array') return reader.fail('an array must stand here')
  const elements: Value[] = []
  reader.beginArray()
  while (reader.nextElement(elements.length === 0)) {
    const element = read()
    elements.push(isSteps(element) ? yield* element : element)
    if (elements.length % STEP_ELEMENTS === 0) yield
  }
  // Each list by itself may be short.
  yield
  return elements
}

/** Stands at the object's first member; undefined for null. */
function beginObject(reader: JsonReader): Record<string, unknown> | undefined {
  const kind = reader.peek()
  if (kind === 'null') {
    reader.nil()
    return undefined
  }
  if (kind !== 'object') return reader.fail('an object must stand here')
  const values = { at: reader.offset }
  reader.beginObject()
  return values
}

/** Reads an object. Of several members with one name the last counts; a member without a reader is refused. */
function readObjectOf<Members extends object>(readers: MemberReaders<Members>): ReadMember<Spec<Members>> {
  return (reader) => {
    const values = beginObject(reader)
    if (values === undefined) return undefined
    for (let first = true; reader.nextMember(first); first = false) {
      const name = reader.textString()
      if (!Object.hasOwn(readers, name)) reader.fail(`there is no member "${name.slice(0, 40)}"`)
      values[name] = readers[name as keyof Members](reader)
    }
    return values as Spec<Members>
  }
}
