import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareBytes, equalRange } from '../../../src/model/bytes.ts'
import { CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import type { Scan } from '../../../src/model/query.ts'
import { NO_RESULTS, type Results, type ScanBatch } from '../../../src/model/results.ts'
import type { ScanLimits, Scanner } from '../../../src/store.ts'
import type { HeldRegion, Region } from '../region/region.ts'
import type { ScanContext } from './family-runs.ts'
import { RegionScanner } from './region-scanner.ts'

/** Bytes of cells that are gathered before other requests have their turn. */
const SLICE_BYTES = 4 * 1024 * 1024

const END: ScanBatch = { results: NO_RESULTS, more: false, partial: false }

export interface NativeScannerParts {
  readonly context: ScanContext
  /** Cells that are looked at, shown or not, before other requests have their turn. */
  readonly sliceCells: number
  /** Throws where the table cannot be read any more. */
  readonly checkTable: () => void
  readonly onClose: () => void
}

/**
 * A scan over the regions of a table, one after the other, of what was there when it was opened. It runs in slices, and the
 * event loop between them, so that a scan over much that is hidden does not keep other requests waiting.
 */
export class NativeScanner implements Scanner {
  readonly #scan: Scan
  readonly #parts: NativeScannerParts
  /** Those that are still to be read, in the scan's order. */
  readonly #regions: HeldRegion[]
  #open: RegionScanner | undefined
  #rowsLeft: number
  #lastRow: Buffer | undefined
  /** Bytes handed out since the event loop had its turn: who awaits batch after batch need not give it one. */
  #bytesInTurn = 0
  #closed = false

  /** Throws NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY. */
  constructor(regions: readonly Region[], scan: Scan, parts: NativeScannerParts) {
    this.#scan = scan
    this.#parts = parts
    this.#rowsLeft = scan.limit
    const within = regions.filter((region) => mayHaveRowsOf(region, scan))
    // A scan of no rows is checked as any other.
    if (within.length === 0) within.push(regions[0]!)
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
    this.#open = next && new RegionScanner(next.families, scan, this.#parts.context)
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    this.#parts.checkTable()
    if (this.#bytesInTurn >= SLICE_BYTES) await this.#pause()
    const gathered: Results[] = []
    const { allowPartial } = limits
    let { rows } = limits
    let bytes = Math.max(1, limits.bytes)
    while (this.#open !== undefined) {
      const { results, more, partial } = this.#nextSlice(this.#open, { rows, bytes, allowPartial })
      if (results.counts.length > 0) gathered.push(results)
      rows -= results.counts.length
      bytes -= results.cells.byteLength
      const isFull = more ? rows <= 0 || bytes <= 0 : gathered.length > 0
      if (isFull) return { results: joined(gathered), more: this.#open !== undefined, partial }
      if (this.#open !== undefined) await this.#pause()
    }
    return END
  }

  /** `more` is false at the end of a region, where the next one has been opened. */
  #nextSlice(region: RegionScanner, limits: ScanLimits): ScanBatch {
    const { sliceCells } = this.#parts
    // What may end within a row would do so at the end of the slice.
    const bytes = limits.allowPartial ? limits.bytes : Math.min(limits.bytes, SLICE_BYTES)
    const slice = region.next({ ...limits, bytes }, sliceCells)
    this.#bytesInTurn += slice.results.cells.byteLength
    if (this.#scan.limit > 0) this.#countRows(slice.results)
    if (!slice.more) {
      if (region.endsTable) this.#releaseAll()
      else this.#closeRegion()
      const isAtLimit = this.#scan.limit > 0 && this.#rowsLeft <= 0
      if (!isAtLimit) this.#openNext()
    }
    return slice
  }

  /** Lets the event loop run. Meanwhile the table may have gone, or the scanner been closed: then nothing is open. */
  async #pause(): Promise<void> {
    await nextTurn()
    this.#bytesInTurn = 0
    this.#parts.checkTable()
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
    this.#parts.onClose()
  }

  #releaseAll(): void {
    this.#open?.close()
    this.#open = undefined
    for (const region of this.#regions) region.release()
    this.#regions.length = 0
  }
}

function joined(parts: readonly Results[]): Results {
  if (parts.length === 1) return parts[0]!
  const cells = parts.map(({ cells: { buffer, start, end } }) => buffer.subarray(start, end))
  const block = new CellBlock(Buffer.concat(cells))
  for (const { release } of parts) release?.()
  return { cells: block, counts: parts.flatMap(({ counts }) => counts) }
}

function mayHaveRowsOf({ startKey, endKey }: Region, scan: Scan): boolean {
  const [least, greatest] = scan.reversed ? [scan.stopRow, scan.startRow] : [scan.startRow, scan.stopRow]
  if (endKey.length > 0 && least.length > 0 && compareBytes(least, endKey) >= 0) return false
  return greatest.length === 0 || compareBytes(startKey, greatest) <= 0
}
