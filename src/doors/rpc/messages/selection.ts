/** Reads the fields that gets and scans share. */

import { filterInSteps } from '../../../filter/protobuf/decode-filter.ts'
import { EMPTY } from '../../../model/bytes.ts'
import type { Filter } from '../../../model/filter.ts'
import { ALL_COLUMNS, ColumnsBuilder, type Query } from '../../../model/query.ts'
import type { Steps } from '../../../model/steps.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'

type SelectionField = Readonly<
  Record<
    | 'column'
    | 'attribute'
    | 'filter'
    | 'timeRange'
    | 'maxVersions'
    | 'cacheBlocks'
    | 'storeLimit'
    | 'storeOffset'
    | 'familyTimeRange',
    number
  >
>

export type SelectedQuery = Omit<Query, 'asOf'> & { readonly raw: boolean }

const RAW_ATTRIBUTE = '_raw_'

/** Gathers the fields that gets and scans share. Each of the two messages has its own numbers for them. */
export class Selection {
  readonly #field: SelectionField
  #columns: ColumnsBuilder | undefined
  #filter: Filter | undefined
  #timeRange: TimeRange = TimeRange.ALL
  #familyTimeRanges: Map<string, TimeRange> | undefined
  #maxVersions = 1
  #cacheBlocks = true
  #familyLimit = -1
  #familyOffset = 0
  #raw = false
  #attributes: Map<string, Buffer> | undefined

  constructor(field: SelectionField) {
    this.#field = field
  }

  /** Reads the current field. False for a field that is not shared: the caller reads that. */
  take(reader: MessageReader): boolean {
    const field = this.#field
    switch (reader.field) {
      case field.column:
        this.#takeColumn(reader.message())
        return true
      case field.filter:
        this.#filter = reader.decoded(filterInSteps)
        return true
      case field.timeRange:
        this.#timeRange = readTimeRange(reader.message())
        return true
      case field.familyTimeRange:
        this.#familyTimeRanges ??= new Map()
        readFamilyTimeRange(reader.message(), this.#familyTimeRanges)
        return true
      case field.maxVersions:
        this.#maxVersions = reader.int32()
        return true
      case field.cacheBlocks:
        this.#cacheBlocks = reader.bool()
        return true
      case field.storeLimit:
        this.#familyLimit = reader.int32()
        return true
      case field.storeOffset:
        this.#familyOffset = reader.int32()
        return true
      case field.attribute:
        this.#takeAttribute(reader.message())
        return true
      default:
        return false
    }
  }

  #takeColumn(reader: MessageReader): void {
    const { family, qualifiers } = readColumn(reader)
    this.#columns ??= new ColumnsBuilder()
    if (qualifiers.length === 0) this.#columns.addFamily(family)
    else this.#columns.addColumns(family, qualifiers)
  }

  /** As FieldReading.settle. */
  settle(): Steps<void> | undefined {
    return this.#columns?.settle()
  }

  /** Reads an attribute. A scan or get is raw where its attribute `_raw_` has the value of Bytes.toBytes(true). */
  #takeAttribute(reader: MessageReader): void {
    const { name, value } = readAttribute(reader)
    if (name === RAW_ATTRIBUTE) this.#raw ||= value.length > 0 && value[0] !== 0
    else {
      this.#attributes ??= new Map()
      this.#attributes.set(name, value)
    }
  }

  query(withTags: boolean): SelectedQuery {
    return {
      raw: this.#raw,
      withTags,
      attributes: this.#attributes,
      columns: this.#columns?.build() ?? ALL_COLUMNS,
      filter: this.#filter,
      timeRange: this.#timeRange,
      familyTimeRanges: this.#familyTimeRanges,
      maxVersions: this.#maxVersions,
      cacheBlocks: this.#cacheBlocks,
      familyLimit: this.#familyLimit,
      familyOffset: this.#familyOffset,
    }
  }
}

class ColumnReading {
  family: Buffer = EMPTY
  readonly qualifiers: Buffer[] = []

  take(reader: MessageReader): void {
    if (reader.field === Field.Column.family) this.family = reader.bytes()
    else if (reader.field === Field.Column.qualifier) {
      reader.countElement()
      this.qualifiers.push(reader.bytes())
    } else reader.skip()
  }
}

const newColumn = (): ColumnReading => new ColumnReading()

function readColumn(reader: MessageReader): ColumnReading {
  if (reader.isReadInSteps) return reader.readInSteps(newColumn)
  const reading = new ColumnReading()
  while (reader.next()) reading.take(reader)
  return reading
}

/** Reads a time range. A missing bound is open. HBase: ProtobufUtil.toTimeRange. */
export function readTimeRange(reader: MessageReader): TimeRange {
  let from = 0n
  let to = LATEST_TIMESTAMP
  while (reader.next()) {
    if (reader.field === Field.TimeRange.from) from = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === Field.TimeRange.to) to = BigInt.asIntN(64, reader.uint64())
    else reader.skip()
  }
  return TimeRange.between(from, to)
}

function readFamilyTimeRange(reader: MessageReader, into: Map<string, TimeRange>): void {
  let family = ''
  let range = TimeRange.ALL
  while (reader.next()) {
    if (reader.field === Field.ColumnFamilyTimeRange.columnFamily) family = reader.bytes().toString('latin1')
    else if (reader.field === Field.ColumnFamilyTimeRange.timeRange) range = readTimeRange(reader.message())
    else reader.skip()
  }
  into.set(family, range)
}

export function readAttribute(reader: MessageReader): { readonly name: string; readonly value: Buffer } {
  let name = ''
  let value = EMPTY
  while (reader.next()) {
    if (reader.field === Field.NameBytesPair.name) name = reader.string()
    else if (reader.field === Field.NameBytesPair.value) value = reader.bytes()
    else reader.skip()
  }
  return { name, value }
}
