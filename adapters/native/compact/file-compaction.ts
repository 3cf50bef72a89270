/**
 * Makes one store file of several. Reads see the old files until the manifest records the new one in their place, on disk;
 * open scanners keep the old ones open. A crash leaves the old files or the new one.
 */

import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'
import type { CatalogLog } from '../catalog/catalog-log.ts'
import type { FileRecord } from '../catalog/manifest-edit.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { HFile } from '../hfile/hfile.ts'
import { CellMerge } from '../read/cell-merge.ts'
import type { FamilyRules } from '../read/family-rules.ts'
import type { FamilyStore } from '../region/family-store.ts'
import type { Region } from '../region/region.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'
import type { SharedRun } from '../region/shared-run.ts'
import type { StoreFiles } from '../region/store-files.ts'
import { RetainedCopy } from './copy-retained.ts'
import type { CandidateFile, Selection } from './file-selection.ts'
import { NewVersionRetention } from './new-version-retention.ts'
import { KEEP_ALL, type Retention, RetentionMatcher, type RetentionTime } from './retention-matcher.ts'

export interface FileCompactionParts {
  readonly catalogLog: CatalogLog
  readonly storeFiles: StoreFiles
  readonly flusher: RegionFlusher
}

/** An open file of a store, which can be read. */
export interface CompactableFile extends CandidateFile {
  readonly shared: SharedRun<HFile>
}

/** Undefined where one of the store's files is damaged: then no other may be compacted either. */
export function compactableFiles(store: FamilyStore): CompactableFile[] | undefined {
  const files: CompactableFile[] = []
  for (const shared of store.files) {
    const { run } = shared
    if (!(run instanceof HFile)) return undefined
    files.push({
      shared: shared as SharedRun<HFile>,
      number: run.fileId,
      bytes: run.fileBytes,
      createdAt: run.info.getLong(InfoKey.CreateTime) ?? 0,
      isOfMajorCompaction: run.majorCompaction,
      isHalf: run instanceof BoundedHFile,
      latest: run.info.get(InfoKey.TimeRange)?.readBigInt64BE(8) ?? 0x7fff_ffff_ffff_ffffn,
    })
  }
  return files
}

export interface CompactionTask {
  readonly region: Region
  readonly store: FamilyStore
  readonly selection: Selection<CompactableFile>
  readonly time: RetentionTime
  readonly purgeDeletesMs: number
  /** See FileContents.pause. */
  readonly pause: () => Promise<void>
}

export interface CompactionOutcome {
  readonly cellsRead: number
  readonly cellsWritten: number
  readonly bytesWritten: number
}

/** Undefined if the store has changed meanwhile, so that the new file was of no use. Throws CORRUPTION, IO, UNAVAILABLE. */
export async function compactFiles(
  parts: FileCompactionParts,
  task: CompactionTask,
): Promise<CompactionOutcome | undefined> {
  const { region, store, selection } = task
  const { descriptor, rules } = store
  const { catalogLog, storeFiles } = parts
  const runs = selection.files.map(({ shared }) => shared.run)
  const number = catalogLog.takeNumber()
  const path = storeFiles.pathOf(region, descriptor.name, number)
  for (const { shared } of selection.files) shared.retain()
  let merge: CellMerge | undefined
  try {
    merge = new CellMerge(newestFirst(runs).map((run) => run.iterator(Number.POSITIVE_INFINITY, false)))
    const cells = new RetainedCopy(merge, retentionOf(rules, task, runs))
    const maxSequenceId = Math.max(...runs.map((run) => run.maxSequenceId))
    const cellsWritten = await storeFiles.write(region, descriptor, number, {
      cells,
      mayHaveTags: runs.some((run) => run.hasTags),
      summary: { maxSequenceId, majorCompaction: selection.isOfAll },
      pause: task.pause,
    })
    const record = { number, family: descriptor.name, maxSequenceId }
    const bytesWritten = await install(parts, task, rules, cellsWritten > 0 ? record : undefined)
    if (bytesWritten !== undefined) return { cellsRead: cells.cellsRead, cellsWritten, bytesWritten }
    if (cellsWritten > 0) storeFiles.remove(path)
    return undefined
  } catch (error) {
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    throw new HBaseError('IO', String(error), { cause: error })
  } finally {
    merge?.close()
    for (const { shared } of selection.files) shared.release()
  }
}

/** Takes files out of a store without a look at their cells, which all have expired. Throws as compactFiles. */
export async function dropFiles(
  { catalogLog, storeFiles, flusher }: FileCompactionParts,
  region: Region,
  store: FamilyStore,
  files: readonly CompactableFile[],
): Promise<void> {
  const { rules } = store
  await flusher.exclusively(async () => {
    if (!isAsItWas(region, store, rules, files)) return
    const replaced = files.map(({ number }) => number)
    await catalogLog.commit({ kind: 'compaction', region: region.number, replaced, files: [] })
    const shared = files.map((file) => file.shared)
    for (const file of shared) store.replaceFiles([file], undefined)
    for (const number of replaced) storeFiles.remove(storeFiles.pathOf(region, store.descriptor.name, number))
  })
}

/** Puts the new file in the place of the old ones, while no flush and no change of the table runs; its bytes, or undefined. */
function install(
  { catalogLog, storeFiles, flusher }: FileCompactionParts,
  { region, store, selection }: CompactionTask,
  rules: FamilyRules,
  record: FileRecord | undefined,
): Promise<number | undefined> {
  return flusher.exclusively(async () => {
    const { files } = selection
    if (!isAsItWas(region, store, rules, files)) return undefined
    const family = store.descriptor.name
    const opened = record && storeFiles.open(region, family, record.number)
    const replaced = files.map(({ number }) => number)
    try {
      await catalogLog.commit({
        kind: 'compaction',
        region: region.number,
        replaced,
        files: record === undefined ? [] : [record],
      })
    } catch (error) {
      opened?.release()
      // The file stays if the manifest may name it.
      const isInDoubt = isHBaseError(error) && error.code === 'UNAVAILABLE'
      if (record !== undefined && !isInDoubt)
        storeFiles.remove(storeFiles.pathOf(region, family, record.number))
      throw error
    }
    store.replaceFiles(
      files.map(({ shared }) => shared),
      opened,
    )
    for (const number of replaced) storeFiles.remove(storeFiles.pathOf(region, family, number))
    return opened?.run.fileBytes ?? 0
  })
}

/** With other rules, what was dropped might have to stay. */
function isAsItWas(
  region: Region,
  store: FamilyStore,
  rules: FamilyRules,
  files: readonly CompactableFile[],
): boolean {
  if (!region.isOpen || !region.stores.includes(store) || store.rules !== rules) return false
  return files.every(({ shared }) => store.files.includes(shared))
}

function newestFirst(runs: readonly HFile[]): HFile[] {
  return [...runs].sort((a, b) => b.maxSequenceId - a.maxSequenceId)
}

function retentionOf(
  rules: FamilyRules,
  { selection, time, purgeDeletesMs }: CompactionTask,
  runs: readonly HFile[],
): Retention {
  const { isOfAll } = selection
  if (rules.newVersionBehavior) {
    return isOfAll && rules.keepDeletedCells === 'FALSE' ? new NewVersionRetention(rules, time) : KEEP_ALL
  }
  if (!isOfAll) return new RetentionMatcher(rules, time)
  let [earliestPutHigh, earliestPutLow] = [LATEST_HIGH, LATEST_LOW]
  let earliest = 0x7fff_ffff_ffff_ffffn
  for (const { info } of runs) {
    const bytes = info.get(InfoKey.EarliestPut)
    const ofRun = bytes?.length === 8 ? bytes.readBigInt64BE(0) : 0n
    if (ofRun >= earliest) continue
    earliest = ofRun
    earliestPutHigh = Number(ofRun >> 32n)
    earliestPutLow = Number(BigInt.asIntN(32, ofRun))
  }
  return new RetentionMatcher(rules, time, { earliestPutHigh, earliestPutLow, purgeDeletesMs })
}
