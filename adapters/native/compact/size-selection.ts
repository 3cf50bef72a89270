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

/** Of all neighbours in ratio the most files, and of these the least bytes. HBase: ExploringCompactionPolicy. */
export function explore<File extends CandidateFile>(
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
