import type { MatchCode } from './match-code.ts'

/**
 * Counts the versions of the columns of a row. It is shown the cells that nothing else excludes, in order, as the place
 * of the qualifier and the halves of the timestamp.
 */
export interface ColumnTracker {
  /** True where no column of the row is wanted any more. */
  readonly done: boolean
  /** The column that NextColumn seeks; undefined: whichever follows the present one. */
  readonly wanted: Buffer | undefined
  startRow(): void
  /** The present cell's column is finished for a reason of the caller's: NextColumn or NextRow. */
  leaveColumn(buffer: Buffer, qualifier: number, length: number): MatchCode
  check(
    buffer: Buffer,
    qualifier: number,
    length: number,
    timestamp: number,
    type: number,
    expired: boolean,
  ): MatchCode
}

/** What column trackers are made from. */
export interface VersionLimits {
  readonly maxVersions: number
  /** So many versions are kept although they have expired. */
  readonly minVersions: number
}
