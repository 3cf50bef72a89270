import { batchMemory } from '../../model/batch-memory.ts'
import { CellType, FAMILY_BYTES_MAX, isRowLength } from '../../model/cell.ts'
import type { Durability, MutationBatch, MutationOptions } from '../../model/mutation.ts'
import { CellSink, capacityFor, stampCells } from './cell-sink.ts'
import { ColumnFields } from './column-fields.ts'
import { type ProtocolReader, WireType } from './protocol.ts'

/** Thrift 2's TDurability, in the order of its codes. */
export const DURABILITIES: readonly Durability[] = [
  'USE_DEFAULT',
  'SKIP_WAL',
  'ASYNC_WAL',
  'SYNC_WAL',
  'FSYNC_WAL',
]

const OPTIONS: readonly MutationOptions[] = DURABILITIES.map((durability) => ({ durability }))

/**
 * Decodes Thrift 2's puts from the message straight into cells. The methods return undefined for puts that are not plain
 * (a row or column that HBase refuses, attributes, a field out of order): the caller then reads them as objects.
 */
export class PutReader {
  readonly #column = new ColumnFields()

  /** `TPut`. */
  readPut(reader: ProtocolReader): MutationBatch | undefined {
    const sink = new CellSink(capacityFor(reader))
    return this.#readInto(reader, sink) ? sink.batch : undefined
  }

  /** `list<TPut>`. */
  readPuts(reader: ProtocolReader): MutationBatch | undefined {
    const count = reader.readListBegin()
    if (count > 0 && reader.elementType !== WireType.STRUCT) return undefined
    const sink = new CellSink(batchMemory(capacityFor(reader)))
    for (let i = 0; i < count; i++) {
      if (!this.#readInto(reader, sink)) return undefined
    }
    return sink.batch
  }

  #readInto(reader: ProtocolReader, sink: CellSink): boolean {
    const { batch } = sink
    const start = batch.cells.length
    const countBefore = batch.cells.count
    let rowStart = 0
    let rowLength = 0
    let ownTimestamps = 0
    let timestamp: bigint | undefined
    let options = OPTIONS[0]!
    reader.readStructBegin()
    for (;;) {
      const type = reader.readFieldBegin()
      if (type === WireType.STOP) break
      const id = reader.fieldId
      if (id === 1 && type === WireType.STRING) {
        rowLength = reader.readSpan()
        rowStart = reader.spanStart
      } else if (id === 2 && type === WireType.LIST) {
        if (batch.cells.length > start || !isRowLength(rowLength)) return false
        ownTimestamps = this.#readColumnValues(reader, rowStart, rowLength, sink)
        if (ownTimestamps < 0) return false
      } else if (id === 3 && type === WireType.I64) {
        timestamp = reader.readI64()
        if (timestamp < 0n) return false
      } else if (id === 6 && type === WireType.I32) {
        const durability = OPTIONS[reader.readI32()]
        if (durability === undefined) return false
        options = durability
      } else if (id === 5 || id === 7) {
        return false
      } else {
        reader.skip(type)
      }
    }
    reader.readStructEnd()
    if (batch.cells.length === start) return false
    batch.endMutation(options)
    if (timestamp === undefined) return true
    if (ownTimestamps === 0) stampCells(batch, start, timestamp)
    return ownTimestamps === 0 || ownTimestamps === batch.cells.count - countBefore
  }

  /** Returns how many of the cells have their own timestamp; -1 where they are not plain. */
  #readColumnValues(reader: ProtocolReader, rowStart: number, rowLength: number, sink: CellSink): number {
    const count = reader.readListBegin()
    if (count > 0 && reader.elementType !== WireType.STRUCT) return -1
    const column = this.#column
    const source = reader.viewed
    let ownTimestamps = 0
    for (let i = 0; i < count; i++) {
      column.readColumnValue(reader)
      if (column.familyStart < 0 || column.qualifierStart < 0 || column.valueStart < 0) return -1
      if (column.familyLength === 0 || column.familyLength > FAMILY_BYTES_MAX || column.high < 0) return -1
      if (column.hasTimestamp) ownTimestamps++
      sink.appendCell(column, source, rowStart, rowLength, source, CellType.Put)
    }
    return ownTimestamps
  }
}
