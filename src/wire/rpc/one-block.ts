import type { CellBlock } from '../../model/cell-block.ts'

/** Peers read one compressed stream: zlib's own format has no way to say that another one follows. */
export function oneBlock(cells: readonly CellBlock[]): Buffer {
  const blocks = cells.map(({ buffer, start, end }) => buffer.subarray(start, end))
  return blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks)
}
