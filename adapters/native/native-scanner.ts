import { compareBytes, equalRange } from '../../src/model/bytes.ts'
import { CellCursor } from '../../src/model/cell-block.ts'
import type { Scan } from '../../src/model/query.ts'
import { NO_RESULTS, type Results, type ScanBatch } from '../../src/model/results.ts'
import type { ScanLimits, Scanner } from '../../src/store.ts'
import type { ReadContext } from './read/family-runs.ts'
import { RegionScanner } from './read/region-scanner.ts'
import type { HeldRegion, Region } from './region.ts'

/** A scan over the regions of a table, one after the other, of what was there when it was opened. */
export class NativeScanner implements Scanner {
  readonly #scan: Scan
  readonly #context: ReadContext
  readonly #checkTable: () => void
  readonly #onClose: () => void
  /** Those that are still to be read, in the scan's order. */
  readonly #regions: HeldRegion[]
  #open: RegionScanner | undefined
  #rowsLeft: number
  #lastRow: Buffer | undefined
  #closed = false

  /** `checkTable` throws where the table cannot be read any more. Throws NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY. */
  constructor(
    regions: readonly Region[],
    scan: Scan,
    context: ReadContext,
    checkTable: () => void,
    onClose: () => void,
  ) {
    this.#scan = scan
    this.#context = context
    this.#checkTable = checkTable
    this.#onClose = onClose
    this.#rowsLeft = scan.limit
    const within = regions.filter((region) => mayHaveRowsOf(region, scan))
    if (scan.reversed) within.reverse()
    this.#regions = within.map((region) => region.hold())
    try {
      this.#openNext()
    } catch (error) {
      this.#releaseAll()
      throw error
    }
  }

  #openNext(): void {
    const next = this.#regions[0]
    const scan = this.#scan.limit > 0 ? { ...this.#scan, limit: this.#rowsLeft } : this.#scan
    this.#open = next && new RegionScanner(next.families, scan, this.#context)
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    if (this.#closed) return { results: NO_RESULTS, more: false, partial: false }
    this.#checkTable()
    while (this.#open !== undefined) {
      const batch = this.#open.next(limits)
      if (this.#scan.limit > 0) this.#countRows(batch.results)
      if (batch.more) return batch
      this.#closeRegion()
      const isAtLimit = this.#scan.limit > 0 && this.#rowsLeft <= 0
      if (!isAtLimit) this.#openNext()
      if (batch.results.counts.length > 0) return { ...batch, more: this.#open !== undefined }
    }
    return { results: NO_RESULTS, more: false, partial: false }
  }

  #closeRegion(): void {
    this.#open?.close()
    this.#open = undefined
    this.#regions.shift()?.release()
  }

  /** A row may come in several results, and end in the next batch. */
  #countRows({ cells, counts }: Results): void {
    const cursor = new CellCursor(cells)
    for (const count of counts) {
      for (let i = 0; i < count; i++) cursor.next()
      const { buffer, rowOffset, rowLength } = cursor
      const last = this.#lastRow
      if (last !== undefined && equalRange(last, 0, last.length, buffer, rowOffset, rowLength)) continue
      this.#lastRow = Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
      this.#rowsLeft--
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    this.#releaseAll()
    this.#onClose()
  }

  #releaseAll(): void {
    this.#open?.close()
    this.#open = undefined
    for (const region of this.#regions) region.release()
    this.#regions.length = 0
  }
}

function mayHaveRowsOf({ startKey, endKey }: Region, scan: Scan): boolean {
  const [least, greatest] = scan.reversed ? [scan.stopRow, scan.startRow] : [scan.startRow, scan.stopRow]
  if (endKey.length > 0 && least.length > 0 && compareBytes(least, endKey) >= 0) return false
  return greatest.length === 0 || compareBytes(startKey, greatest) <= 0
}
