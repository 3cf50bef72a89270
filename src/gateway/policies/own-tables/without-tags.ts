import { type CellBlock, CellBlockBuilder, CellCursor } from '../../../model/cell-block.ts'

/** The cells without their tags, which say who may see them, and which users get in no other answer. The same block where there are none. */
export function withoutTags(cells: CellBlock): CellBlock {
  const cursor = new CellCursor(cells)
  let hasTags = false
  while (!hasTags && cursor.next()) hasTags = cursor.tagsBytes > 0
  if (!hasTags) return cells
  const builder = new CellBlockBuilder(cells.byteLength)
  cursor.reset(cells)
  while (cursor.next())
    builder.appendCell(cursor.buffer, cursor.cell, cursor.valueOffset + cursor.valueLength - cursor.cell)
  return builder.block()
}
