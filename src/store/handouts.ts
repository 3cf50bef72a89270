/** What a store hands out for a while, used and given back by id: scanners, and memory that results are in. */

import type { LentResults, ScanBatch } from '../model/results.ts'
import type { Call } from './call.ts'

/** Never given to another scanner or loan of the same store. */
export type HandoutId = number

export interface OpenScanner {
  readonly id: HandoutId
  /** Up to where the scan sees writes, as the store counts them: Scan.readPoint of another scan; 0n: the store cannot say. */
  readonly readPoint: bigint
}

export interface ScanLimits {
  /** Results to return at most: rows, or parts of rows where the scan has a batch. */
  readonly rows: number
  /** Bytes of cells after which the batch ends, at a row's end (or within a row, if partial results are allowed). */
  readonly bytes: number
  readonly allowPartial: boolean
  /** Milliseconds after which the batch ends with what there is, be it nothing; undefined: however long it takes. */
  readonly timeMs?: number | undefined
  /** The caller reads cells where the store has them (ScatteredCells); otherwise cells come back to back. */
  readonly allowScattered?: boolean
}

export interface Handouts {
  /**
   * The next results. One call at a time for a scanner. Throws UNKNOWN_SCANNER for an id that is not open,
   * NOT_SERVING_REGION, TABLE_NOT_FOUND and the like when the table goes away meanwhile, and CALLER_GONE or TIMEOUT.
   */
  next(scanner: HandoutId, limits: ScanLimits, call: Call): Promise<ScanBatch>
  /** Frees what the scanner holds. Does nothing for a scanner that is not open. */
  closeScanner(scanner: HandoutId): Promise<void>
  /** Gives back the memory of results that nobody reads any more. Does nothing for a loan that has ended. */
  release(loan: NonNullable<LentResults['loan']>): void
}
