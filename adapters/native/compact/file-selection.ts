/** Chooses the files of a compaction. HBase: SortedCompactionPolicy. */

import type { CandidateFile, ChosenFiles, Selection, SelectionRequest } from './candidate-file.ts'
import type { CompactionRules } from './compaction-rules.ts'
import { explore, isMajorDueBySize } from './size-selection.ts'
import { chooseForMajor, chooseInWindow, isMajorDueByTime } from './time-selection.ts'

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
  const isMajorDue = (major && isOfAll) || isDue(candidates, rules, request)
  const isTryingMajor =
    (major && isOfAll && isByUser) || (isMajorDue && isOfAll && candidates.length < rules.filesMax)
  const isMajor = isAfterSplit || isTryingMajor
  const chosen = choose(candidates, rules, request, isMajor, mayBeStuck)
  const selected = isMajor && isByUser ? chosen.files : chosen.files.slice(0, rules.filesMax)
  if (selected.length === 0) return undefined
  const selectsAll = selected.length === files.length
  return {
    files: selected,
    boundaries: chosen.boundaries,
    isOfAll: selectsAll,
    isMajor: isTryingMajor && selectsAll,
  }
}

/**
 * Chooses among the files behind those that compactions under way have: never all files of the store. Undefined where these are too few.
 * HBase: SortedCompactionPolicy.getCurrentEligibleFiles.
 */
export function selectBeside<File extends CandidateFile>(
  files: readonly File[],
  isTaken: (file: File) => boolean,
  rules: CompactionRules,
): Selection<File> | undefined {
  const candidates = withoutLargeFiles(files.slice(files.findLastIndex(isTaken) + 1), rules)
  if (candidates.some(({ isHalf }) => isHalf)) return undefined
  // A compaction under way makes one file of those that it has.
  const left = files.filter((file) => !isTaken(file)).length + 1
  const chosen = explore(candidates, rules, left >= rules.blockingFiles).slice(0, rules.filesMax)
  return chosen.length === 0 ? undefined : { files: chosen, isOfAll: false, isMajor: false }
}

function isDue(files: readonly CandidateFile[], rules: CompactionRules, request: SelectionRequest): boolean {
  return rules.choice === 'by time'
    ? isMajorDueByTime(files, rules, request)
    : isMajorDueBySize(files, rules, request)
}

function choose<File extends CandidateFile>(
  files: readonly File[],
  rules: CompactionRules,
  { now }: SelectionRequest,
  isMajor: boolean,
  mayBeStuck: boolean,
): ChosenFiles<File> {
  if (rules.choice === 'by time')
    return isMajor ? chooseForMajor(files, rules, now) : chooseInWindow(files, rules, now, mayBeStuck)
  return { files: isMajor ? files : explore(files, rules, mayBeStuck) }
}

function withoutLargeFiles<File extends CandidateFile>(
  files: readonly File[],
  { bytesMax }: CompactionRules,
): readonly File[] {
  const first = files.findIndex(({ bytes }) => bytes <= bytesMax)
  return first < 0 ? [] : files.slice(first)
}
