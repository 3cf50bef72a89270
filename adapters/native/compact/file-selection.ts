/** Chooses the files of a compaction. HBase: SortedCompactionPolicy, ExploringCompactionPolicy. */

import type { CompactionRules } from './compaction-rules.ts'

/** What the choice is made by. */
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
  /** The greatest timestamp of its cells. */
  readonly latest: bigint
}

export interface Selection<File extends CandidateFile> {
  /** Side by side in the store, oldest first. */
  readonly files: readonly File[]
  /** Whether they are all of the store's files: then tombstones may go. */
  readonly isOfAll: boolean
  /** Least timestamps of the files to make, ascending; undefined: one file. */
  readonly boundaries?: readonly bigint[] | undefined
}

export interface SelectionRequest {
  /** Somebody asked for it. */
  readonly isByUser: boolean
  readonly major: boolean
  /** Milliseconds since 1970. */
  readonly now: number
  /** Cells before this time have expired; undefined: none expire, or some are kept nevertheless. */
  readonly expiredBefore: bigint | undefined
}

/** A selection must be so much better in files a byte to be preferred, where the store may be stuck. */
const BETTER_BY = 1.05

/** Files without a cell that still lives, but never the newest file. HBase: DefaultStoreFileManager.getUnneededFiles. */
export function expiredFiles<File extends CandidateFile>(
  files: readonly File[],
  expiredBefore: bigint | undefined,
): File[] {
  return expiredBefore === undefined ? [] : files.slice(0, -1).filter(({ latest }) => latest < expiredBefore)
}

/** `files`: all of the store's, oldest first. Undefined where there is nothing to compact. */
export function selectFiles<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  request: SelectionRequest,
): Selection<File> | undefined {
  const { isByUser, major } = request
  const mayBeStuck = files.length >= rules.blockingFiles
  // HBase: SortedCompactionPolicy.selectCompaction, isAfterSplit.
  const isAfterSplit = files.some(({ isHalf }) => isHalf)
  const candidates = major || isAfterSplit ? files : withoutLargeFiles(files, rules)
  const isOfAll = candidates.length === files.length
  const isMajorDue = (major && isOfAll) || isMajorCompactionDue(candidates, rules, request)
  const isMajor =
    isAfterSplit ||
    (major && isOfAll && isByUser) ||
    (isMajorDue && isOfAll && candidates.length < rules.filesMax)
  const chosen = isMajor ? candidates : explore(candidates, rules, mayBeStuck)
  const selected = isMajor && isByUser ? chosen : chosen.slice(0, rules.filesMax)
  if (selected.length === 0) return undefined
  return { files: selected, isOfAll: selected.length === files.length }
}

function withoutLargeFiles<File extends CandidateFile>(
  files: readonly File[],
  { bytesMax }: CompactionRules,
): readonly File[] {
  const first = files.findIndex(({ bytes }) => bytes <= bytesMax)
  return first < 0 ? [] : files.slice(first)
}

/** HBase: RatioBasedCompactionPolicy.shouldPerformMajorCompaction. */
function isMajorCompactionDue(
  files: readonly CandidateFile[],
  rules: CompactionRules,
  { now, expiredBefore }: SelectionRequest,
): boolean {
  const { majorPeriodMs, majorJitter } = rules
  if (files.length === 0 || majorPeriodMs <= 0) return false
  const jitter = majorPeriodMs * majorJitter
  // The same files always give the same time, so that a restart does not start all major compactions at once.
  const period = majorPeriodMs + jitter - 2 * jitter * fractionOf(files[0]!.number)
  const oldest = Math.min(...files.map(({ createdAt }) => createdAt))
  if (oldest >= now - period) return false
  const [only] = files
  if (files.length > 1 || only === undefined || !only.isOfMajorCompaction) return true
  return expiredBefore !== undefined && only.latest < expiredBefore
}

/** A number from 0 up to 1 that neighbours do not share: multiples of the golden ratio. */
function fractionOf(number: number): number {
  return (number * 0.618_033_988_749_895) % 1
}

/** Of all neighbours in ratio the most files, and of these the least bytes. HBase: ExploringCompactionPolicy. */
function explore<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  mayBeStuck: boolean,
): readonly File[] {
  let best: readonly File[] = []
  let bestBytes = 0
  let smallest: readonly File[] = []
  let smallestBytes = Number.POSITIVE_INFINITY
  for (let start = 0; start < files.length; start++) {
    const endMax = Math.min(files.length, start + rules.filesMax)
    for (let end = start + rules.filesMin; end <= endMax; end++) {
      const chosen = files.slice(start, end)
      const bytes = totalBytes(chosen)
      if (bytes < smallestBytes) {
        smallest = chosen
        smallestBytes = bytes
      }
      if (bytes > rules.bytesMax) continue
      if (bytes >= rules.bytesMin && !isInRatio(chosen, bytes, rules.ratio)) continue
      if (isBetter(chosen.length, bytes, best.length, bestBytes, mayBeStuck)) {
        best = chosen
        bestBytes = bytes
      }
    }
  }
  return best.length === 0 && mayBeStuck ? smallest : best
}

function isBetter(
  files: number,
  bytes: number,
  bestFiles: number,
  bestBytes: number,
  mayBeStuck: boolean,
): boolean {
  if (mayBeStuck && bestBytes > 0 && bytes > 0) return (bestFiles / bestBytes) * BETTER_BY < files / bytes
  return files > bestFiles || (files === bestFiles && bytes < bestBytes)
}

function isInRatio(files: readonly CandidateFile[], total: number, ratio: number): boolean {
  return files.every(({ bytes }) => bytes <= (total - bytes) * ratio)
}

function totalBytes(files: readonly CandidateFile[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0)
}
