import { giveBack } from '../../../gateway/reads/loans.ts'
import type { Scanner } from '../../../gateway/reads/scanner.ts'
import { compareCells } from '../../../model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../model/cell-block.ts'
import type { ScanBatch } from '../../../model/results.ts'
import { gathered, type Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Handouts, ScanLimits } from '../../../store/handouts.ts'

/**
 * A scanner that begins within a row. It leaves out the cells of the scan's first row up to `last`, a KeyValue. It compares keys, because
 * that cell may have been deleted since.
 */
export class ResumedScanner implements Scanner {
  readonly #handouts: Handouts
  readonly #scanner: Scanner
  #last: Buffer | undefined

  constructor(handouts: Handouts, scanner: Scanner, last: Buffer) {
    this.#handouts = handouts
    this.#scanner = scanner
    this.#last = last
  }

  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const batch = await this.#scanner.next(limits, call)
    if (this.#last === undefined || batch.results.counts.length === 0) return batch
    const all = gathered(batch.results)
    const { results, omitted, isPast } = cellsAfter(all, this.#last)
    if (isPast) this.#last = undefined
    giveBack(this.#handouts, all)
    return { ...batch, results, partial: batch.partial?.slice(omitted) }
  }

  async close(): Promise<void> {
    await this.#scanner.close()
  }
}

interface Rest {
  readonly results: Results
  /** The number of results that were left out completely. */
  readonly omitted: number
  /** True once a cell after `last` was read: later results need no comparison. */
  readonly isPast: boolean
}

function cellsAfter({ cells, counts }: Results, last: Buffer): Rest {
  const rest = new CellBlockBuilder(cells.byteLength)
  const restCounts: number[] = []
  const cursor = new CellCursor(cells)
  const row = last.subarray(10, 10 + last.readUInt16BE(8))
  for (const count of counts) {
    const before = rest.count
    for (let i = 0; i < count; i++) {
      cursor.next()
      const { buffer, cell, rowOffset, rowLength } = cursor
      const isSameRow = buffer.subarray(rowOffset, rowOffset + rowLength).equals(row)
      if (!isSameRow || compareCells(buffer, cell, last, 0) > 0) {
        rest.appendCell(buffer, cell, cursor.cellLength)
      }
    }
    if (rest.count > before) restCounts.push(rest.count - before)
  }
  return {
    results: { cells: rest.block(), counts: restCounts },
    omitted: counts.length - restCounts.length,
    isPast: restCounts.length > 0,
  }
}
