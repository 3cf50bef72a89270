import { EMPTY } from '../../../src/model/bytes.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import type { MessageReader } from '../../../src/wire/rpc/message-reader.ts'

export interface ResultMessage {
  /** The number of cells in the frame's cell block that belong to this result. */
  readonly cellCount: number
  /** The cells within the message, as answers of conditional and atomic changes have them; undefined where there are none. */
  readonly own: CellBlockBuilder | undefined
}

/** Stands for a cell whose existence alone was asked for. */
const ANY_CELL = new CellBlockBuilder()
ANY_CELL.appendParts({ row: EMPTY, family: EMPTY, qualifier: EMPTY, timestamp: 0n, type: 4, value: EMPTY })

export const NO_RESULT: ResultMessage = { cellCount: 0, own: undefined }

export function readResult(reader: MessageReader): ResultMessage {
  let cellCount = 0
  let own: CellBlockBuilder | undefined
  while (reader.next()) {
    if (reader.field === Field.Result.associatedCellCount) cellCount = reader.uint32()
    else if (reader.field === Field.Result.exists) own = reader.bool() ? ANY_CELL : undefined
    else if (reader.field === Field.Result.cell) {
      own ??= new CellBlockBuilder()
      readCell(reader.message(), own)
    } else reader.skip()
  }
  return cellCount === 0 && own === undefined ? NO_RESULT : { cellCount, own }
}

function readCell(reader: MessageReader, into: CellBlockBuilder): void {
  let row = EMPTY
  let family = EMPTY
  let qualifier = EMPTY
  let value = EMPTY
  let timestamp = 0n
  let type = 0
  while (reader.next()) {
    if (reader.field === Field.Cell.row) row = reader.bytes()
    else if (reader.field === Field.Cell.family) family = reader.bytes()
    else if (reader.field === Field.Cell.qualifier) qualifier = reader.bytes()
    else if (reader.field === Field.Cell.timestamp) timestamp = BigInt.asIntN(64, reader.uint64())
    else if (reader.field === Field.Cell.cellType) type = reader.uint32()
    else if (reader.field === Field.Cell.value) value = reader.bytes()
    else reader.skip()
  }
  into.appendParts({ row, family, qualifier, timestamp, type, value })
}
