import type { CellParts } from '../../src/model/cell.ts'
import { blockOf, CELL_PREFIX_BYTES } from '../../src/model/cell-block.ts'
import { ScatteredCells } from '../../src/model/scattered-cells.ts'
import { ViewedBytes } from '../../src/model/viewed-bytes.ts'

/** Cells that lie in turn in several memories, backwards, amid other bytes. */
export function scatteredOf(cells: readonly CellParts[], memories = 3): ScatteredCells {
  const blocks = cells.map((cell) => blockOf([cell]))
  const scattered = new ScatteredCells()
  const where = new Map<number, { memory: ViewedBytes; cell: number; bytes: number }>()
  for (let memory = 0; memory < memories; memory++) {
    const own = blocks.flatMap((block, i) => (i % memories === memory ? [{ block, i }] : [])).reverse()
    const buffer = Buffer.alloc(
      own.reduce((sum, { block }) => sum + block.byteLength + 3, 5),
      0xee,
    )
    const viewed = new ViewedBytes(buffer)
    let at = 5
    for (const { block, i } of own) {
      const bytes = block.byteLength - CELL_PREFIX_BYTES
      block.buffer.copy(buffer, at, block.start + CELL_PREFIX_BYTES, block.end)
      where.set(i, { memory: viewed, cell: at, bytes })
      at += bytes + 3
    }
  }
  for (let i = 0; i < cells.length; i++) {
    const { memory, cell, bytes } = where.get(i)!
    scattered.add(memory, cell, bytes)
  }
  return scattered
}
