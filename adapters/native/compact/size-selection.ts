/** Chooses files by their size. HBase: RatioBasedCompactionPolicy, ExploringCompactionPolicy. */

import type { CandidateFile, SelectionRequest } from './candidate-file.ts'
import type { CompactionRules } from './compaction-rules.ts'

/** A selection must be so much better in files a byte to be preferred, where the store may be stuck. */
const BETTER_BY = 1.05

/** HBase: RatioBasedCompactionPolicy.shouldPerformMajorCompaction. */
export function isMajorDueBySize(
  files: readonly CandidateFile[],
  rules: CompactionRules,
  { now, expiredBefore }: SelectionRequest,
): boolean {
  if (!isPeriodOver(files, rules, now)) return false
  const [only] = files
  if (files.length > 1 || only === undefined || !only.isOfMajorCompaction) return true
  return expiredBefore !== undefined && only.latest < expiredBefore
}

/** Whether the oldest file is older than the time between major compactions. HBase: SortedCompactionPolicy.getNextMajorCompactTime. */
export function isPeriodOver(
  files: readonly CandidateFile[],
  { majorPeriodMs, majorJitter }: CompactionRules,
  now: number,
): boolean {
  if (files.length === 0 || majorPeriodMs <= 0) return false
  const jitter = majorPeriodMs * majorJitter
  // The same files always give the same time, so that a restart does not start all major compactions at once.
  const period = majorPeriodMs + jitter - 2 * jitter * fractionOf(files[0]!.number)
  return Math.min(...files.map(({ createdAt }) => createdAt)) < now - period
}

/** A number from 0 up to 1 that neighbours do not share: multiples of the golden ratio. */
function fractionOf(number: number): number {
  return (number * 0.618_033_988_749_895) % 1
}

/**
 * Of all neighbours in ratio the most files, and of these the least bytes. HBase: ExploringCompactionPolicy. A table may let any number of
 * files go together, so that each look at neighbours adds one file to those before.
 */
export function explore<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  mayBeStuck: boolean,
): readonly File[] {
  const { filesMin, filesMax, bytesMin, bytesMax, ratio } = rules
  let best: Neighbours = NONE
  let smallest: Neighbours = { ...NONE, bytes: Number.POSITIVE_INFINITY }
  for (let start = 0; start < files.length; start++) {
    const endMax = Math.min(files.length, start + filesMax)
    let bytes = 0
    let largest = 0
    for (let end = start + 1; end <= endMax; end++) {
      const added = files[end - 1]!.bytes
      bytes += added
      if (added > largest) largest = added
      if (end - start < filesMin) continue
      if (bytes < smallest.bytes) smallest = { start, end, bytes }
      if (bytes > bytesMax) continue
      // If the largest is in ratio to the others, so is each of them.
      if (bytes >= bytesMin && largest > (bytes - largest) * ratio) continue
      if (isBetter(end - start, bytes, best.end - best.start, best.bytes, mayBeStuck))
        best = { start, end, bytes }
    }
  }
  const chosen = best.end === 0 && mayBeStuck ? smallest : best
  return files.slice(chosen.start, chosen.end)
}

interface Neighbours {
  readonly start: number
  readonly end: number
  readonly bytes: number
}

const NONE: Neighbours = { start: 0, end: 0, bytes: 0 }

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
