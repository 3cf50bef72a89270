import { CellBlock } from '../../model/cell-block.ts'
import type { AnswerCells } from './scattered-block.ts'

/** Peers read one compressed stream: zlib's own format has no way to say that another one follows. */
export function oneBlock(cells: readonly AnswerCells[]): Buffer {
  const blocks = cells.map((each) => {
    const { buffer, start, end } = each instanceof CellBlock ? each : each.gathered()
    return buffer.subarray(start, end)
  })
  return blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks)
}
