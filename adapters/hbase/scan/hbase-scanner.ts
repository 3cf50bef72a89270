import { isHBaseError } from '../../../src/model/errors.ts'
import { NO_RESULTS, type ScanBatch } from '../../../src/model/results.ts'
import type { Call } from '../../../src/store/call.ts'
import type { HandoutId, ScanLimits } from '../../../src/store/handouts.ts'
import type { Retrier } from '../retry/retrier.ts'
import { type FetchedRows, NO_ROWS } from './fetched-rows.ts'
import { PendingFetch } from './pending-fetch.ts'
import { takePortion } from './portion.ts'
import type { ReadAhead } from './read-ahead.ts'
import type { ScannedRows } from './scanned-rows.ts'

/**
 * Rows of the first call of a caller that has not said how many it takes: most scans are short. Later calls ask for as many rows as
 * the caller takes at a time, so that an answer is handed on whole. For a caller that takes few rows, they ask for more each time.
 */
const FIRST_ROWS = 128
const ROWS_GROWTH = 8

export interface HBaseScannerParts {
  readonly source: ScannedRows
  /** The most cells of a result; 0 or less: no limit. */
  readonly batch: number
  /** True: results may be parts of rows, for callers that accept parts. */
  readonly hasParts: boolean
  /** The most rows of one call of a server. */
  readonly rowsMax: number
  readonly readAhead: ReadAhead
  readonly retrier: Retrier
  /** Undefined: the garbage collector frees the memory of responses. */
  readonly lend: Lend | undefined
}

/** Keeps the function that returns a response's memory, under the id of a loan. */
export type Lend = (release: () => void) => HandoutId

/** Hands out fetched results in the portions that the caller wants. */
export class HBaseScanner {
  readonly #source: ScannedRows
  readonly #parts: HBaseScannerParts
  /** Results that are fetched but not handed out. */
  #ready: FetchedRows = NO_ROWS
  /** ScanBatch.rowsFiltered and ScanBatch.rowsUnread since the last batch. */
  #rowsFiltered = 0
  #rowsUnread = 0
  #rows: number
  /** The most rows that the caller has asked for at once. */
  #rowsTaken = 0
  /** A fetch in flight that was begun ahead, or whose caller has stopped waiting. */
  #pending: PendingFetch | undefined
  #fetches = 0

  constructor(parts: HBaseScannerParts) {
    this.#source = parts.source
    this.#parts = parts
    this.#rows = Math.min(FIRST_ROWS, parts.rowsMax)
  }

  /** See ScannedRows. */
  get readPoint(): bigint {
    return this.#source.readPoint
  }

  /** Makes the first call, so that an impossible scan fails at once. `rows`: as Scan.firstRows; 0: not known. Throws HBaseErrors. */
  async open(rows: number, call: Call): Promise<void> {
    this.#receive(await this.#fetch(rows, call))
  }

  /** As Handouts.next. */
  async next(limits: ScanLimits, call: Call): Promise<ScanBatch> {
    const { retrier, batch, hasParts } = this.#parts
    const { timeMs, cellBytes } = limits
    const mayCut = limits.allowPartial && hasParts
    retrier.checkIsAwaited(call)
    const until = timeMs === undefined ? Number.POSITIVE_INFINITY : retrier.time.now() + timeMs
    const rows = Math.max(1, limits.rows)
    this.#rowsTaken = Math.max(this.#rowsTaken, rows)
    while (this.#ready.counts.length === 0) {
      const isAlone = this.#pending === undefined
      if (mayCut && isAlone && this.#source.hasPart) this.#ready = this.#source.takePart()
      else if (isAlone && this.#source.ended) return this.#emptyBatch('scan')
      else if (isAlone && timeMs === undefined) this.#receive(await this.#fetch(rows, call))
      else {
        const fetched = await this.#awaited(rows, until, call)
        if (fetched === undefined) return this.#emptyBatch('batch')
        this.#receive(fetched)
      }
    }
    const bytes = Math.max(1, limits.bytes)
    const { results, rest } = takePortion(this.#ready, { rows, bytes, cellBytes, mayCut }, batch)
    this.#ready = rest
    return this.#batchOf(results, rows, call)
  }

  async close(): Promise<void> {
    this.#ready = NO_ROWS
    this.#source.close()
    this.#drop()
  }

  #receive(fetched: FetchedRows): void {
    this.#ready = fetched
    this.#rowsFiltered += fetched.rowsFiltered ?? 0
    this.#rowsUnread += fetched.rowsUnread ?? 0
  }

  #takeCounts(): Pick<ScanBatch, 'rowsSeen' | 'rowsFiltered' | 'rowsUnread'> {
    const counts = { rowsSeen: undefined, rowsFiltered: this.#rowsFiltered, rowsUnread: this.#rowsUnread }
    this.#rowsFiltered = 0
    this.#rowsUnread = 0
    return counts
  }

  /** `wanted`: rows that the caller has asked for. */
  #batchOf(taken: FetchedRows, wanted: number, call: Call): ScanBatch {
    const source = this.#source
    const { cells, counts, partial, release, isStale } = taken
    const stale = isStale === undefined ? undefined : counts.map(() => isStale)
    const { lend } = this.#parts
    const isAllOut = this.#ready.counts.length === 0
    let cellsSeen = 0
    for (const count of counts) cellsSeen += count
    const batch: ScanBatch = {
      results: release && lend ? { cells, counts, stale, loan: lend(release) } : { cells, counts, stale },
      ended: !isAllOut ? 'batch' : source.ended ? 'scan' : source.isAtRegionEnd ? 'region' : 'batch',
      partial: partial?.includes(true) === true ? partial : undefined,
      cellsSeen,
      ...this.#takeCounts(),
      position: isAllOut ? source.position : undefined,
    }
    if (isAllOut && !source.ended && this.#fetches > 1) {
      // A server may answer fewer rows than it was asked for. The caller will then ask for the rest.
      const missing = wanted - counts.length
      this.#fetchAhead(missing > 0 ? missing : this.#rowsTaken, call)
    }
    return batch
  }

  /** A batch without results. */
  #emptyBatch(ended: 'batch' | 'scan'): ScanBatch {
    const { position } = this.#source
    const nothing = { results: NO_RESULTS, partial: undefined, cellsSeen: 0 }
    const isTableDone = ended === 'scan' && this.#source.isTableDone === true
    return { ...nothing, ended, ...this.#takeCounts(), isTableDone, position }
  }

  #fetch(wanted: number, call: Call): Promise<FetchedRows> {
    const { rowsMax } = this.#parts
    const rows = Math.min(this.#rowsTaken < FIRST_ROWS ? Math.max(this.#rows, wanted) : wanted, rowsMax)
    this.#rows = Math.min(this.#rows * ROWS_GROWTH, rowsMax)
    this.#fetches++
    return this.#source.fetch(rows, call)
  }

  /** The rows of the pending fetch, begun now if there is none; undefined where it is still in flight at `until`. */
  async #awaited(rows: number, until: number, call: Call): Promise<FetchedRows | undefined> {
    const { retrier } = this.#parts
    const pending = this.#pending ?? this.#begin(rows, call)
    try {
      const fetched = await pending.resultFor(call, until, retrier.time)
      if (fetched !== undefined && this.#pending === pending) this.#drop()
      return fetched
    } catch (error) {
      retrier.checkIsAwaited(call)
      // The caller that began the fetch may have hung up; this one still waits.
      if (pending.isOf(call) || !isHBaseError(error) || error.code !== 'CALLER_GONE') throw error
      return NO_ROWS
    }
  }

  /** A caller that has taken a second answer whole will likely go on, so the next one is fetched while it reads. */
  #fetchAhead(rows: number, call: Call): void {
    const { readAhead } = this.#parts
    if (this.#pending === undefined && readAhead.begin()) this.#begin(rows, call, () => readAhead.end())
  }

  #begin(rows: number, call: Call, onDrop?: () => void): PendingFetch {
    // Without the caller's deadline: a later call may take the results.
    const own = call.deadline === Number.POSITIVE_INFINITY ? call : { ...call, deadline: Infinity }
    const pending = new PendingFetch(this.#fetch(rows, own), call.signal, onDrop)
    this.#pending = pending
    // Drop a failure that no caller waits for: the outage may be over by the next call.
    pending.rows.catch(() => {
      if (this.#pending === pending) this.#drop()
    })
    return pending
  }

  #drop(): void {
    this.#pending?.onDrop?.()
    this.#pending = undefined
  }
}
