/** Chooses files by the times of their cells, so that old ones stay as they are. HBase: DateTieredCompactionPolicy. */

import type { CandidateFile, ChosenFiles, SelectionRequest } from './candidate-file.ts'
import type { CompactionRules } from './compaction-rules.ts'
import { explore, isPeriodOver } from './size-selection.ts'
import { TimeWindow } from './time-window.ts'

/**
 * Windows that are looked at from now back; the last one stands for all time before it. By default 32 windows reach back to
 * 1970; a table may state windows of a millisecond that never grow, and the thread that chooses answers clients.
 */
const WINDOWS_MAX = 20_000

/** A file goes with the newest of those before it, so that windows have neighbours. */
interface PlacedFile<File extends CandidateFile> {
  readonly file: File
  readonly latest: number
}

/** The files of the newest window that has enough of them. */
export function chooseInWindow<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  now: number,
  mayBeStuck: boolean,
): ChosenFiles<File> {
  const newestFirst = placed(files).toReversed()
  const oldest = now - rules.fileAgeMaxMs
  let window = TimeWindow.incoming(rules, now)
  let filesMin = rules.incomingFilesMin
  let windows = 1
  for (let at = 0; at < newestFirst.length && window.compareTo(oldest) >= 0; ) {
    if (window.compareTo(newestFirst[at]!.latest) > 0) {
      if (windows++ === WINDOWS_MAX) break
      window = window.earlier()
      filesMin = rules.filesMin
      continue
    }
    const inWindow: File[] = []
    while (at < newestFirst.length && window.compareTo(newestFirst[at]!.latest) <= 0)
      inWindow.unshift(newestFirst[at++]!.file)
    if (inWindow.length < filesMin) continue
    const chosen = mayBeStuck ? inWindow : explore(inWindow, { ...rules, filesMin }, false)
    if (chosen.length === 0) continue
    const isSingle = rules.isSingleOutput || chosen.length < inWindow.length
    return { files: chosen, boundaries: isSingle ? undefined : [0n, BigInt(window.start)] }
  }
  return { files: [] }
}

function placed<File extends CandidateFile>(files: readonly File[]): PlacedFile<File>[] {
  let latest = Number.NEGATIVE_INFINITY
  return files.map((file) => {
    latest = Math.max(latest, Number(file.latest))
    return { file, latest }
  })
}

/** All files, which become one of each window. */
export function chooseForMajor<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  now: number,
): ChosenFiles<File> {
  return { files, boundaries: boundariesOf(files, rules, now) }
}

/** The beginnings of all windows from the oldest cell to now, ascending. The first one stands for all time before. */
function boundariesOf(files: readonly CandidateFile[], rules: CompactionRules, now: number): bigint[] {
  const earliest = Math.min(...files.map((file) => Number(file.earliest)))
  const starts: bigint[] = []
  let window = TimeWindow.incoming(rules, now)
  for (; starts.length < WINDOWS_MAX && window.compareTo(earliest) > 0; window = window.earlier())
    starts.push(BigInt(window.start))
  return [0n, ...starts.reverse()]
}

/** HBase: DateTieredCompactionPolicy.shouldPerformMajorCompaction. */
export function isMajorDueByTime(
  files: readonly CandidateFile[],
  rules: CompactionRules,
  { now, expiredBefore }: SelectionRequest,
): boolean {
  if (!isPeriodOver(files, rules, now)) return false
  const boundaries = boundariesOf(files, rules, now)
  const windows = new Set<number>()
  for (const { earliest, latest, isOfMajorCompaction } of files) {
    if (expiredBefore !== undefined && earliest <= expiredBefore) return true
    const window = boundaries.findLastIndex((start) => start <= latest)
    const spansTwo = boundaries.findLastIndex((start) => start <= earliest) !== window
    if (!isOfMajorCompaction || spansTwo || windows.has(window)) return true
    windows.add(window)
  }
  return false
}
