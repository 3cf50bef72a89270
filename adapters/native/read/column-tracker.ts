import type { MatchCode } from './match-code.ts'

/**
 * Counts the versions of the columns of a row. The matcher shows it the cells that nothing else excludes, in order, by the
 * places of qualifier and timestamp.
 */
export interface ColumnTracker {
  /** True if the row has no more wanted columns. */
  readonly done: boolean
  /** The column that NextColumn seeks; undefined: any column after the present one. */
  readonly wanted: Buffer | undefined
  startRow(): void
  /** The caller is done with the present cell's column. Returns NextColumn or NextRow. */
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

/** Limits on the versions of a column. */
export interface VersionLimits {
  readonly maxVersions: number
  /** Number of versions to keep even after they have expired. */
  readonly minVersions: number
}
