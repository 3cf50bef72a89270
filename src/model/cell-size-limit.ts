import { abbreviated } from './bytes.ts'
import { CellType } from './cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock, CellCursor } from './cell-block.ts'
import type { TableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'
import { LATEST_HIGH, LATEST_LOW, timestampText } from './timestamp.ts'

/** The largest cell of a server that states no other: HBase's default. */
export const CELL_BYTES_MAX: number = 10 * 1024 * 1024

/** HBase's key of the setting, which a table may have among its attributes. */
const CELL_SIZE_KEY = 'hbase.server.keyvalue.maxsize'

/** Bytes of a table's largest cell; Infinity: any size. `otherwise`: where the table states none. HBase: HRegion.maxCellSize. */
export function cellBytesMaxOf(table: TableDescriptor, otherwise: number): number {
  const stated = table.attributes.get(CELL_SIZE_KEY)?.trim() ?? ''
  if (!/^-?\d{1,15}$/.test(stated)) return otherwise
  const bytes = Number(stated)
  return bytes > 0 ? bytes : Number.POSITIVE_INFINITY
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

/** The same, of all that an atomic change has; a change is refused so whether its conditions hold or not. */
export function checkOperationSizes(
  parts: readonly { readonly operations: readonly { readonly cells: CellBlock }[] }[],
  bytesMax: number,
): void {
  for (const { operations } of parts) for (const { cells } of operations) checkCellSizes(cells, bytesMax)
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

/**
 * The check that HBase's client makes before it sends a put. HBase's REST and Thrift servers are such clients. `bytes`: of the whole
 * KeyValue. Throws ILLEGAL_ARGUMENT. HBase: ConnectionUtils.validatePut.
 */
export function checkPutSize(bytes: number, bytesMax: number): void {
  if (bytes > bytesMax) throw new HBaseError('ILLEGAL_ARGUMENT', 'KeyValue size too large')
}
