import { toStringBinary } from '../../../src/model/bytes.ts'
import { cellType, isRowLength, isStoredType, rowLength } from '../../../src/model/cell.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { familyOf } from '../cells/cell-text.ts'

/** Looks at a cell of a file that no store has written. Throws DO_NOT_RETRY where no write could have made it in this family. */
export function checkForeignCell(buffer: Buffer, cell: number, family: Buffer): void {
  const found = familyOf(buffer, cell)
  if (!found.equals(family))
    throw refused(`family ${toStringBinary(found)}, not of ${toStringBinary(family)}`)
  const rowBytes = rowLength(buffer, cell)
  if (!isRowLength(rowBytes)) throw refused(`a row of ${rowBytes} bytes, which no row may have`)
  const type = cellType(buffer, cell)
  if (!isStoredType(type)) throw refused(`type ${type}, which is none of HBase's`)
}

function refused(what: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `the file has cells of ${what}`)
}
