/** How large a cell may be: the check that HBase's client makes before it sends a put, and that of its servers. */

import { abbreviated } from '../model/bytes.ts'
import { CellType } from '../model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock, CellCursor } from '../model/cell-block.ts'
import { HBaseError } from '../model/errors.ts'
import { LATEST_HIGH, LATEST_LOW, timestampText } from '../model/timestamp.ts'

/** `bytes`: of the whole KeyValue. Throws ILLEGAL_ARGUMENT. HBase: ConnectionUtils.validatePut. */
export function checkPutSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new HBaseError('ILLEGAL_ARGUMENT', 'KeyValue size too large')
}

/** A cell counts with the length before it. Throws DO_NOT_RETRY. HBase: RSRpcServices.checkCellSizeLimit. */
export function checkCellSizes(cells: CellBlock, bytesMax: number): void {
  if (cells.byteLength <= bytesMax) return
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    const bytes = cursor.cellLength + CELL_PREFIX_BYTES
    if (bytes <= bytesMax) continue
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Cell[${keyText(cursor)}] with size ${bytes} exceeds limit of ${bytesMax} bytes`,
    )
  }
}

const TYPE_NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(CellType).map(([name, code]) => [code, name]),
)

/** HBase: KeyValue.toString, with what is long cut: HBase's message has all of a qualifier of 10 MB. */
function keyText(cursor: CellCursor): string {
  const { row, family, qualifier } = cursor.parts()
  const { timestampHigh: high, timestampLow: low, type, valueLength } = cursor
  const isLatest = high === LATEST_HIGH && low === LATEST_LOW
  const timestamp = isLatest ? 'LATEST_TIMESTAMP' : timestampText(high, low)
  const column = `${abbreviated(row)}/${abbreviated(family)}:${abbreviated(qualifier)}`
  return `${column}/${timestamp}/${TYPE_NAMES.get(type) ?? type}/vlen=${valueLength}/seqid=0`
}
