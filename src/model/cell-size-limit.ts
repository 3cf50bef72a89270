import { abbreviated } from './bytes.ts'
import { CELL_PREFIX_BYTES, type CellBlock, CellCursor } from './cell-block.ts'
import type { TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'

/** HBase's key of the setting, which a table may have among its attributes. */
const CELL_SIZE_KEY = 'hbase.server.keyvalue.maxsize'

/** Bytes of a table's largest cell; Infinity: any size. `otherwise`: where the table states none. HBase: HRegion.maxCellSize. */
export function cellBytesMaxOf(table: TableDescriptor, otherwise: number): number {
  const stated = table.attributes.get(CELL_SIZE_KEY)?.trim() ?? ''
  if (!/^-?\d{1,15}$/.test(stated)) return otherwise
  const bytes = Number(stated)
  return bytes > 0 ? bytes : Number.POSITIVE_INFINITY
}

/** Throws DO_NOT_RETRY for a cell of more bytes, with the length before it. HBase: RSRpcServices.checkCellSizeLimit. */
export function checkCellSizes(block: CellBlock, bytesMax: number): void {
  const cursor = new CellCursor(block)
  while (cursor.next()) {
    const bytes = cursor.cellLength + CELL_PREFIX_BYTES
    if (bytes <= bytesMax) continue
    const { row, family, qualifier } = cursor.parts()
    const name = `${abbreviated(row)}/${abbreviated(family)}:${abbreviated(qualifier)}`
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Cell[${name}] with size ${bytes} exceeds limit of ${bytesMax} bytes`,
    )
  }
}
