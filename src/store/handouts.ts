/** Handouts of a store, which callers use and give back by id: scanners, and the memory of results. */

import type { LentResults, ScanBatch } from '../model/results.ts'
import type { Call } from './call.ts'

/** A store gives each id to one scanner or loan only. */
export type HandoutId = number

export interface OpenScanner {
  readonly id: HandoutId
  /** The last write that the scan sees: Scan.readPoint of another scan takes it. 0n: the store does not know. */
  readonly readPoint: bigint
}

export interface ScanLimits {
  /** The most results to return: rows, or parts of rows where the scan has a batch. */
  readonly rows: number
  /** Bytes of cells after which the batch ends, at a row's end (or within a row, if partial results are allowed). */
  readonly bytes: number
  readonly allowPartial: boolean
  /** Bytes that each cell adds to its own when the limit is counted; undefined: none. */
  readonly cellBytes?: number | undefined
  /** Milliseconds after which the batch ends with the results so far, even none; undefined: no such limit. */
  readonly timeMs?: number | undefined
  /**
   * Bytes of blocks after which the batch ends with the results so far, even none; undefined: no such limit. A store that has no
   * blocks knows none.
   */
  readonly blockBytes?: number | undefined
  /** The caller can read cells where the store keeps them (ScatteredCells); otherwise cells come back to back. */
  readonly allowScattered?: boolean
}

export interface Handouts {
  /**
   * The next results. One call at a time for a scanner. Throws UNKNOWN_SCANNER for an id that is not open,
   * NOT_SERVING_REGION, TABLE_NOT_FOUND and the like where the table has gone meanwhile, and CALLER_GONE or TIMEOUT.
   */
  next(scanner: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch>
  /** Frees what the scanner holds. Does nothing for a scanner that is not open. */
  closeScanner(scanner: HandoutId): Promise<void>
  /** Gives back the memory of results that are no longer read. Does nothing for a loan that has ended. */
  release(loan: NonNullable<LentResults['loan']>): void
}
