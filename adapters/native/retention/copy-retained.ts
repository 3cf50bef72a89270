import { EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { cellLength, KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { CellMerge } from '../read/cell-merge.ts'
import { MatchCode } from '../read/match-code.ts'
import { RowKey } from '../read/row-key.ts'
import type { Retention } from './retention-matcher.ts'

/** A step within a block costs less than a search. */
const STEPS_BEFORE_SEEK = 16
/** Most cells between two pauses: a stretch of dropped cells writes no block. */
const CELLS_A_PAUSE = 2000

/** Takes cells in order. */
export interface CellSink {
  /** True where it has written a block: a moment to let other tasks run. See HFileWriter.append. */
  append(buffer: Buffer, cell: number, sequenceId: number, tags: number, tagsBytes: number): boolean
}

/** Writes the cells that `retention` keeps. `pause` is awaited every few blocks or thousand cells; it may throw to stop. */
export class RetainedCopy {
  /** Cells read so far; those that a seek passed over do not count. */
  cellsRead = 0
  cellsWritten = 0
  /** Bytes of the KeyValues written so far. */
  bytesWritten = 0
  readonly #cells: CellMerge
  readonly #retention: Retention
  readonly #row = new RowKey()
  readonly #key = new SeekKey()

  /** The merge stands nowhere yet; the caller closes it. */
  constructor(cells: CellMerge, retention: Retention) {
    this.#cells = cells
    this.#retention = retention
  }

  async to(writer: CellSink, pause: () => Promise<void>): Promise<void> {
    const cells = this.#cells
    this.#key.firstOfRow(EMPTY)
    cells.seek(this.#key.buffer, 0)
    let isNewRow = true
    let nextPause = CELLS_A_PAUSE
    while (cells.valid) {
      if (isNewRow) this.#startRow()
      const wroteBlock = this.#step(writer)
      isNewRow = cells.valid && !this.#row.isRowOf(cells.buffer, cells.cell)
      if (!wroteBlock && this.cellsRead < nextPause) continue
      nextPause = this.cellsRead + CELLS_A_PAUSE
      await pause()
    }
  }

  #startRow(): void {
    this.#row.setToRowOf(this.#cells.buffer, this.#cells.cell)
    this.#retention.startRow()
  }

  /** Decides on one cell and moves on. True if the writer has written a block. */
  #step(writer: CellSink): boolean {
    const cells = this.#cells
    this.cellsRead++
    const code = this.#retention.match(cells)
    let wroteBlock = false
    if (code <= MatchCode.IncludeAndNextRow) {
      const { tagsBytes, sequenceId } = cells.iterator
      // Without tags their place may lie behind the end of the cell's block.
      const tags = tagsBytes === 0 ? 0 : cells.iterator.tags
      this.cellsWritten++
      this.bytesWritten += cellLength(cells.buffer, cells.cell)
      wroteBlock = writer.append(cells.buffer, cells.cell, sequenceId, tags, tagsBytes)
    }
    if (code === MatchCode.NextColumn || code === MatchCode.IncludeAndNextColumn) this.#nextColumn()
    else cells.next()
    return wroteBlock
  }

  #nextColumn(): void {
    const cells = this.#cells
    // Tombstones of the family stand among the versions of the column without a qualifier.
    if (hasEmptyQualifier(cells.buffer, cells.cell)) {
      cells.next()
      return
    }
    this.#key.afterColumn(cells.buffer, cells.cell)
    cells.skipTo(this.#key.buffer, 0, STEPS_BEFORE_SEEK)
  }
}

function hasEmptyQualifier(buffer: Buffer, cell: number): boolean {
  const row = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
  return readInt32(buffer, cell) === KEY_FIXED_BYTES + row + buffer[cell + 10 + row]!
}
