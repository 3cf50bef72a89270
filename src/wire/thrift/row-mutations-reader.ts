import { batchMemory } from '../../model/batch-memory.ts'
import { CellType, isRowLength } from '../../model/cell.ts'
import type { MutationBatch, MutationOptions } from '../../model/mutation.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { CellSink, capacityFor } from './cell-sink.ts'
import { ColumnFields } from './column-fields.ts'
import { type ProtocolReader, WireType } from './protocol.ts'

const LOGGED: MutationOptions = { durability: 'SYNC_WAL' }
const NOT_LOGGED: MutationOptions = { durability: 'SKIP_WAL' }

/** The puts of a request, and its deletes: each in the order of the rows, with at most one mutation for each row. */
export class RowMutations {
  readonly puts: MutationBatch
  readonly deletes: MutationBatch

  constructor(puts: MutationBatch, deletes: MutationBatch) {
    this.puts = puts
    this.deletes = deletes
  }
}

/**
 * Decodes Thrift 1's mutations from the message straight into cells. The methods return undefined for mutations that are
 * not plain (a row or column that HBase refuses, a field out of order): the caller then reads them as objects.
 */
export class RowMutationsReader {
  readonly #column = new ColumnFields()

  /** `list<Mutation>` of one row. */
  readRow(reader: ProtocolReader, row: Buffer | undefined): RowMutations | undefined {
    if (row === undefined || !isRowLength(row.length)) return undefined
    const puts = new CellSink(capacityFor(reader))
    const deletes = new CellSink(0)
    if (!this.#readMutations(reader, new ViewedBytes(row), 0, row.length, puts, deletes)) return undefined
    return new RowMutations(puts.batch, deletes.batch)
  }

  /** `list<BatchMutation>`. */
  readRows(reader: ProtocolReader): RowMutations | undefined {
    const count = reader.readListBegin()
    if (count > 0 && reader.elementType !== WireType.STRUCT) return undefined
    const puts = new CellSink(batchMemory(capacityFor(reader)))
    const deletes = new CellSink(0)
    for (let i = 0; i < count; i++) {
      if (!this.#readBatch(reader, puts, deletes)) return undefined
    }
    return new RowMutations(puts.batch, deletes.batch)
  }

  #readBatch(reader: ProtocolReader, puts: CellSink, deletes: CellSink): boolean {
    let rowStart = 0
    let rowLength = 0
    let hasMutations = false
    reader.readStructBegin()
    for (;;) {
      const type = reader.readFieldBegin()
      if (type === WireType.STOP) break
      if (reader.fieldId === 1 && type === WireType.STRING) {
        rowLength = reader.readSpan()
        rowStart = reader.spanStart
      } else if (reader.fieldId === 2 && type === WireType.LIST) {
        if (!isRowLength(rowLength)) return false
        hasMutations = true
        if (!this.#readMutations(reader, reader.viewed, rowStart, rowLength, puts, deletes)) return false
      } else {
        reader.skip(type)
      }
    }
    reader.readStructEnd()
    return hasMutations && isRowLength(rowLength)
  }

  #readMutations(
    reader: ProtocolReader,
    row: ViewedBytes,
    rowStart: number,
    rowLength: number,
    puts: CellSink,
    deletes: CellSink,
  ): boolean {
    const count = reader.readListBegin()
    if (count > 0 && reader.elementType !== WireType.STRUCT) return false
    const column = this.#column
    const source = reader.viewed
    const putsBefore = puts.batch.cells.length
    const deletesBefore = deletes.batch.cells.length
    let putsLogged = true
    let deletesLogged = true
    for (let i = 0; i < count; i++) {
      column.readMutation(reader)
      if (column.familyStart < 0 || !column.splitColumn(reader.buffer)) return false
      if (column.isDelete) {
        const wholeFamily = column.qualifierStart < 0
        const type = wholeFamily ? CellType.DeleteFamily : CellType.DeleteColumn
        column.valueLength = 0
        deletes.appendCell(column, row, rowStart, rowLength, source, type)
        deletesLogged = column.isLogged
      } else {
        if (column.qualifierStart < 0) return false
        puts.appendCell(column, row, rowStart, rowLength, source, CellType.Put)
        putsLogged = column.isLogged
      }
    }
    // The last put states whether all puts of the row are logged, the last delete likewise.
    // HBase: ThriftHBaseServiceHandler.mutateRowsTs.
    if (puts.batch.cells.length > putsBefore) puts.batch.endMutation(putsLogged ? LOGGED : NOT_LOGGED)
    if (deletes.batch.cells.length > deletesBefore)
      deletes.batch.endMutation(deletesLogged ? LOGGED : NOT_LOGGED)
    return true
  }
}
