/**
 * The clusters that a change has been to, in the record of the log: one more cell before the others, of a family that no table has. Older versions
 * drop the cells of unknown families when they replay a record.
 *
 *     family METAFAMILY | qualifier tidegate.clusters | value: count i32 | (UUID as two i64)*       as HBase's attribute `_cs.id`
 *
 * PERSISTED: never rename.
 */

import { EMPTY, equalRange, readInt32 } from '../../../src/model/bytes.ts'
import { CellType, familyLengthOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'

/** HBase: WALEdit.METAFAMILY. */
export const META_FAMILY: Buffer = Buffer.from('METAFAMILY', 'latin1')
const QUALIFIER: Buffer = Buffer.from('tidegate.clusters', 'latin1')

/** Bytes of the attribute without any id. */
export const COUNT_BYTES = 4
const UUID_BYTES = 16

/** Bytes of the ids that the attribute states, with their count. Undefined for other bytes: HBase's Mutation.getClusterIds reads past their end. */
export function statedClusterBytes(bytes: Buffer): number | undefined {
  if (bytes.length < COUNT_BYTES) return undefined
  const length = COUNT_BYTES + Math.max(0, readInt32(bytes, 0)) * UUID_BYTES
  return length <= bytes.length ? length : undefined
}

/** The ids in bytes of the attribute's form. Undefined for other bytes. */
export function clusterIdsIn(bytes: Buffer): readonly string[] | undefined {
  const length = statedClusterBytes(bytes)
  if (length === undefined) return undefined
  const ids: string[] = []
  for (let at = COUNT_BYTES; at < length; at += UUID_BYTES) ids.push(uuidAt(bytes, at))
  return ids
}

/** The bytes of the attribute. */
export function encodeClusterIds(ids: readonly string[]): Buffer {
  const bytes = Buffer.alloc(COUNT_BYTES + ids.length * UUID_BYTES)
  bytes.writeInt32BE(ids.length, 0)
  for (const [index, id] of ids.entries())
    bytes.write(id.replaceAll('-', ''), COUNT_BYTES + index * UUID_BYTES, UUID_BYTES, 'hex')
  return bytes
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + UUID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** The cells behind one that states the clusters. */
export function withClusterIds(cells: CellBlock, ids: Buffer): CellBlock {
  const builder = new CellBlockBuilder(cells.byteLength + ids.length + 256)
  const first = new CellCursor(cells)
  first.next()
  const { buffer, rowOffset, rowLength } = first
  const row = buffer.subarray(rowOffset, rowOffset + rowLength)
  builder.append(row, META_FAMILY, QUALIFIER, 0, 0, CellType.Put, ids)
  const at = builder.reserve(cells.byteLength)
  cells.buffer.copy(builder.buffer, at, cells.start, cells.end)
  builder.length = at + cells.byteLength
  return builder.block()
}

/** Where the cells of a record's block begin behind the cell that states the clusters; its own beginning where there is none. */
export function cellsStart({ buffer, start, end }: CellBlock): number {
  return start < end && isOfClusters(buffer, start)
    ? start + CELL_PREFIX_BYTES + readInt32(buffer, start)
    : start
}

/** The value of the cell that states the clusters; empty where there is none. */
export function clusterIdsOf(cells: CellBlock): Buffer {
  const start = cellsStart(cells)
  if (start === cells.start) return EMPTY
  const cursor = new CellCursor(new CellBlock(cells.buffer, cells.start, start))
  cursor.next()
  return cells.buffer.subarray(cursor.valueOffset, cursor.valueOffset + cursor.valueLength)
}

function isOfClusters(buffer: Buffer, prefix: number): boolean {
  const length = familyLengthOffset(buffer, prefix + CELL_PREFIX_BYTES)
  if (buffer[length] !== META_FAMILY.length) return false
  if (!equalRange(META_FAMILY, 0, META_FAMILY.length, buffer, length + 1, META_FAMILY.length)) return false
  const cursor = new CellCursor(new CellBlock(buffer, prefix))
  cursor.next()
  return equalRange(QUALIFIER, 0, QUALIFIER.length, buffer, cursor.qualifierOffset, cursor.qualifierLength)
}
