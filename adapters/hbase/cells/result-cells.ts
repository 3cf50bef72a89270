import { CellBlock } from '../../../src/model/cell-block.ts'
import type { Results } from '../../../src/model/results.ts'
import type { ResultMessage } from '../messages/result-message.ts'
import { afterCells } from './cell-offsets.ts'

/** The cells of one result, in the memory of the response. */
export interface ResultCells {
  readonly cells: CellBlock
  readonly count: number
}

export const NO_CELLS: ResultCells = { cells: CellBlock.EMPTY, count: 0 }

/** Assigns the cells of a response's cell block to its results, in the order of the results. */
export class ResultCellsReader {
  readonly #cells: CellBlock
  #at: number

  constructor(cells: CellBlock) {
    this.#cells = cells
    this.#at = cells.start
  }

  next({ cellCount, own }: ResultMessage): ResultCells {
    if (own !== undefined) return { cells: own.block(), count: own.count }
    if (cellCount === 0) return NO_CELLS
    const { buffer, end } = this.#cells
    const start = this.#at
    this.#at = afterCells(buffer, start, cellCount, end)
    return { cells: new CellBlock(buffer, start, this.#at), count: cellCount }
  }
}

/** Results as one block, in order; without a copy where one response already holds them so. */
export function joinedResults(results: readonly ResultCells[]): Results {
  const runs: CellBlock[] = []
  for (const { cells } of results) appendBlock(runs, cells)
  return { cells: joinedBlocks(runs), counts: results.map(({ count }) => count) }
}

/** Adds a block, or extends the last one where the block follows it in memory. */
export function appendBlock(blocks: CellBlock[], block: CellBlock): void {
  if (block.byteLength === 0) return
  const last = blocks.at(-1)
  if (last !== undefined && last.buffer === block.buffer && last.end === block.start) {
    blocks[blocks.length - 1] = new CellBlock(last.buffer, last.start, block.end)
  } else blocks.push(block)
}

export function joinedBlocks(blocks: readonly CellBlock[]): CellBlock {
  if (blocks.length === 0) return CellBlock.EMPTY
  if (blocks.length === 1) return blocks[0]!
  return new CellBlock(Buffer.concat(blocks.map(({ buffer, start, end }) => buffer.subarray(start, end))))
}
