import type { Scanner } from '../../../src/gateway/scanner.ts'
import { NO_RESULTS, type Results, type ScanBatch } from '../../../src/model/results.ts'
import type { ScanLimits } from '../../../src/store/handouts.ts'
import { portionOf } from './portion.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { ScanSource } from './scan-source.ts'

/**
 * Rows of the first call: most scans of clients are short. Later ones ask for what the caller takes at a time, so that an
 * answer can be handed on whole; for a caller who takes few, for more and more of them.
 */
const FIRST_ROWS = 128
const ROWS_GROWTH = 8

const END: ScanBatch = { results: NO_RESULTS, more: false, partial: false }

export interface HBaseScannerParts {
  readonly source: ScanSource
  /** Cells of a result. */
  readonly batch: number
  /** Rows of one call of a server. */
  readonly rowsMax: number
  readonly readAhead: ReadAhead
}

/** Hands out what its source has fetched, in the portions that its caller wants. */
export class HBaseScanner implements Scanner {
  readonly #source: ScanSource
  readonly #rowsMax: number
  readonly #batch: number
  readonly #readAhead: ReadAhead
  /** Fetched and not handed out. */
  #ready: Results = NO_RESULTS
  #rows: number
  /** The most rows that the caller has asked for at a time. */
  #rowsTaken = 0
  /** The next fetch, if it was begun before it was asked for, unless it has failed by then. */
  #ahead: Promise<Results> | undefined
  #fetches = 0

  constructor({ source, batch, rowsMax, readAhead }: HBaseScannerParts) {
    this.#source = source
    this.#batch = batch
    this.#rowsMax = rowsMax
    this.#rows = Math.min(FIRST_ROWS, rowsMax)
    this.#readAhead = readAhead
  }

  /** Makes the first call, so that what cannot be scanned fails at once. Throws HBaseErrors. */
  async open(): Promise<void> {
    this.#ready = await this.#fetch(0)
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    const rows = Math.max(1, limits.rows)
    this.#rowsTaken = Math.max(this.#rowsTaken, rows)
    let isPart = false
    while (this.#ready.counts.length === 0) {
      isPart = limits.allowPartial && this.#source.hasPart && this.#ahead === undefined
      if (isPart) this.#ready = this.#source.takePart()
      else if (this.#source.ended && this.#ahead === undefined) return END
      else this.#ready = await this.#fetched(rows)
    }
    const bytes = Math.max(1, limits.bytes)
    const { results, rest, isCut } = portionOf(
      this.#ready,
      { rows, bytes, mayCut: limits.allowPartial },
      this.#batch,
    )
    this.#ready = rest
    const isAtEnd = rest.counts.length === 0 && this.#source.ended
    if (rest.counts.length === 0 && !isAtEnd && this.#fetches > 1) {
      // A server may answer fewer rows than it was asked for: then the caller comes back for those that are missing.
      const missing = rows - results.counts.length
      this.#fetchAhead(missing > 0 ? missing : this.#rowsTaken)
    }
    return { results, more: !isAtEnd, partial: isCut || isPart }
  }

  async close(): Promise<void> {
    this.#ready = NO_RESULTS
    this.#source.close()
    if (this.#ahead !== undefined) this.#dropAhead()
  }

  #fetched(rows: number): Promise<Results> {
    const ahead = this.#ahead
    if (ahead === undefined) return this.#fetch(rows)
    this.#dropAhead()
    return ahead
  }

  #fetch(wanted: number): Promise<Results> {
    const rows = Math.min(this.#rowsTaken < FIRST_ROWS ? Math.max(this.#rows, wanted) : wanted, this.#rowsMax)
    this.#rows = Math.min(this.#rows * ROWS_GROWTH, this.#rowsMax)
    this.#fetches++
    return this.#source.fetch(rows)
  }

  /** Who has taken all of a second answer goes on, most likely: the server works while it looks at this one. */
  #fetchAhead(rows: number): void {
    if (this.#ahead !== undefined || !this.#readAhead.begin()) return
    const ahead = this.#fetch(rows)
    this.#ahead = ahead
    // An outage that nobody noticed may be over when the next call comes.
    ahead.catch(() => {
      if (this.#ahead === ahead) this.#dropAhead()
    })
  }

  #dropAhead(): void {
    this.#ahead = undefined
    this.#readAhead.end()
  }
}
