/** The figures by which files are chosen. */
export interface CandidateFile {
  /** Its number: files have numbers in the order in which they were made. */
  readonly number: number
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Whether it was made of all files of its store. */
  readonly isOfMajorCompaction: boolean
  /** Whether only a part of it counts, as after a split. */
  readonly isHalf?: boolean
  /** The least and the greatest timestamp of its cells. */
  readonly earliest: bigint
  readonly latest: bigint
}

/** Files in the order of their age, and the files to make of them. */
export interface ChosenFiles<File extends CandidateFile> {
  readonly files: readonly File[]
  /** Least timestamps of the files to make, ascending; undefined: one file. */
  readonly boundaries?: readonly bigint[] | undefined
}

/** The chosen files, which stand side by side in the store, oldest first. */
export interface Selection<File extends CandidateFile> extends ChosenFiles<File> {
  /** Whether they are all of the store's files: then tombstones may go. */
  readonly isOfAll: boolean
  /** Whether all files were looked for, not just found. HBase: CompactionRequestImpl.isMajor. */
  readonly isMajor: boolean
}

export interface SelectionRequest {
  /** A client asked for it. */
  readonly isByUser: boolean
  readonly major: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Cells before this time have expired; undefined: none expire, or some are kept nevertheless. */
  readonly expiredBefore: bigint | undefined
}
