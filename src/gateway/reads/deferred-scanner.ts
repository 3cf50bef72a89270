import { detached } from '../../model/detached.ts'
import { heldBytes } from '../../model/held-bytes.ts'
import type { Scan } from '../../model/query.ts'
import { NO_RESULTS, type ScanBatch } from '../../model/results.ts'
import type { Call } from '../../store/call.ts'
import type { ScanLimits } from '../../store/handouts.ts'
import type { Store } from '../../store/store.ts'
import type { Target } from '../../store/target.ts'
import { openScanner, type Scanner } from './scanner.ts'

const END: ScanBatch = {
  results: NO_RESULTS,
  ended: 'scan',
  partial: undefined,
  cellsSeen: 0,
  rowsSeen: 0,
  position: undefined,
}

/**
 * A scanner that is opened by its first use, so that it sees all that was written before. Where opening fails, the next use tries again.
 * QUIRK thrift1-scanner-nope: HBase's gateways open a scanner on a missing table, and its first use fails.
 */
export class DeferredScanner implements Scanner {
  readonly #open: (query: Scan, call: Call) => Promise<Scanner>
  /** Bytes of memory that the scan itself takes: its filter, its columns. */
  readonly queryBytes: number
  #query: Scan
  #scanner: Promise<Scanner> | undefined
  #isClosed = false

  constructor(store: Pick<Store, 'rows' | 'handouts'>, target: Target, query: Scan) {
    // A view of bytes of the request would keep the whole request in memory while the scanner is open.
    this.#query = detached(query)
    this.queryBytes = heldBytes(this.#query)
    this.#open = (own, call) => openScanner(store, target, own, call)
  }

  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    if (this.#isClosed) return END
    this.#scanner ??= this.#opened(limits.rows, call)
    const scanner = await this.#scanner
    const batch = await scanner.next(limits, call)
    // `close` may have run meanwhile, before there was a scanner to close.
    if (this.#isClosed) await scanner.close()
    return batch
  }

  /** `firstRows`: those of the call that opens it. */
  async #opened(firstRows: number, call: Call): Promise<Scanner> {
    try {
      return await this.#open({ ...this.#query, firstRows }, call)
    } catch (error) {
      this.#scanner = undefined
      throw error
    }
  }

  /**
   * Closes the store's scanner. The next use opens another one, which begins after `row`; undefined: at the same row as the last one. For
   * scans of whole rows without a limit. Call it between two reads.
   */
  async resumeAfter(row: Buffer | undefined): Promise<void> {
    if (row !== undefined) this.#query = { ...this.#query, startRow: row, includeStartRow: false }
    const scanner = this.#scanner
    this.#scanner = undefined
    await (await scanner?.catch(() => undefined))?.close()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const scanner = await this.#scanner?.catch(() => undefined)
    await scanner?.close()
  }
}
