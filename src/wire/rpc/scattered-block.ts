import { CELL_PREFIX_BYTES, CellBlock, CellBlockBuilder } from '../../model/cell-block.ts'
import { copyInSteps } from '../../model/join-results.ts'
import { PLACE_INTS, type ScatteredCells } from '../../model/scattered-cells.ts'
import { StagedCells } from '../../model/staged-cells.ts'
import type { Steps } from '../../model/steps.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import type { MessageWriter } from './message-writer.ts'

/** Cells that are sent as one cell block. */
export type AnswerCells = CellBlock | ScatteredBlock

/** Cells that lie where a store has them, and become a cell block only within the answer. */
export class ScatteredBlock {
  readonly byteLength: number
  /** Bytes that must be free in the answer's buffer before the cells are written. */
  readonly roomBytes: number
  readonly #cells: ScatteredCells
  readonly #staged: StagedCells | undefined

  constructor(cells: ScatteredCells) {
    this.#cells = cells
    this.#staged = StagedCells.of(cells)
    this.byteLength = cells.byteLength
    this.roomBytes = this.byteLength + (this.#staged?.bytes ?? 0)
  }

  writeTo(writer: MessageWriter): void {
    const start = writer.reserve(this.roomBytes)
    const end = start + this.byteLength
    const target = new ViewedBytes(writer.buffer)
    if (this.#staged === undefined) this.#cells.copyTo(target, start)
    else this.#spread(this.#staged.copyTo(target, end), target, start)
    writer.length = end
  }

  /** As writeTo. The writer must not be used for anything else between two steps. */
  *writeInSteps(writer: MessageWriter): Steps<void> {
    const start = writer.reserve(this.byteLength)
    writer.length = yield* copyInSteps(this.#cells, new ViewedBytes(writer.buffer), start)
  }

  gathered(): CellBlock {
    const builder = new CellBlockBuilder(this.byteLength)
    builder.appendScattered(this.#cells)
    return builder.block()
  }

  /** Copies each cell from where it was staged behind the answer, in the answer's own buffer. */
  #spread(shifts: Int32Array, { buffer, view }: ViewedBytes, start: number): void {
    const { entries, count } = this.#cells
    const last = count * PLACE_INTS
    let at = start
    for (let i = 0; i < last; i += PLACE_INTS) {
      const cell = entries[i + 1]! + shifts[entries[i]!]!
      const bytes = entries[i + 2]!
      view.setInt32(at, bytes)
      at += CELL_PREFIX_BYTES
      buffer.copyWithin(at, cell, cell + bytes)
      at += bytes
    }
  }
}

/** Bytes that must be free in an answer's buffer before the cells are written. */
export function roomOf(cells: readonly AnswerCells[]): number {
  let bytes = 0
  for (const each of cells) bytes += each instanceof CellBlock ? each.byteLength : each.roomBytes
  return bytes
}
