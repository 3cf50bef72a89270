/**
 * Makes one store file of several. Reads see the old files until the manifest records the new one in their place, on disk;
 * open scanners keep the old ones until they end. A crash leaves the old files or the new one.
 */

import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'
import { JobCancelled } from '../background/file-job.ts'
import type { CellRun } from '../cells/cell-run.ts'
import type { Engine } from '../engine/engine.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { HFile } from '../hfile/hfile.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { FamilyRules } from '../read/family-rules.ts'
import type { FamilyStore } from '../region/family-store.ts'
import type { Region } from '../region/region.ts'
import type { SharedRun } from '../region/shared-run.ts'
import type { RetentionTime } from '../retention/retention-matcher.ts'
import type { RetentionPlan } from '../retention/retention-plan.ts'
import type { CandidateFile, Selection } from './candidate-file.ts'

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
      earliest: run.info.get(InfoKey.TimeRange)?.readBigInt64BE(0) ?? 0n,
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
  /** Once true, the compaction ends with JobCancelled. */
  readonly isCancelled: () => boolean
  /** Called now and then with the number of cells read so far. */
  readonly onCells: (cellsRead: number) => void
}

export interface CompactionOutcome {
  readonly cellsRead: number
  readonly cellsWritten: number
  readonly bytesWritten: number
}

/** Undefined if the store has changed meanwhile, so that the new files were of no use. Throws CORRUPTION, IO, UNAVAILABLE. */
export async function compactFiles(
  engine: Engine,
  task: CompactionTask,
): Promise<CompactionOutcome | undefined> {
  const { region, store, selection } = task
  const { descriptor, rules } = store
  const { catalogLog, storeFiles } = engine
  const runs = selection.files.map(({ shared }) => shared.run)
  const outputs = (selection.boundaries ?? [0n]).map((since) => ({ number: catalogLog.takeNumber(), since }))
  const maxSequenceId = Math.max(...runs.map((run) => run.maxSequenceId))
  const sources = selection.files.map(({ shared }) => shared)
  for (const shared of sources) shared.retain()
  try {
    const stamps = storeFiles.watch.check(region, store, sources)
    const files = newestFirst(runs).map((run) => ({
      path: run.path,
      number: run.fileId,
      identity: run.identity,
      ...(run instanceof BoundedHFile && { rows: run.rows }),
    }))
    const { cellsRead, cellsWritten, records } = await storeFiles.write(region, descriptor, {
      kind: 'compaction',
      outputs,
      source: { kind: 'files', files },
      mayHaveTags: runs.some((run) => run.hasTags),
      inputBytes: selection.files.reduce((sum, { bytes }) => sum + bytes, 0),
      summary: { maxSequenceId, majorCompaction: selection.isOfAll },
      retention: planOf(rules, task, runs),
      isCancelled: task.isCancelled,
      onCells: task.onCells,
    })
    const areSources = storeFiles.watch.isUnchanged(sources, stamps)
    const bytesWritten = areSources ? await install(engine, task, rules, records) : undefined
    if (bytesWritten !== undefined) return { cellsRead, cellsWritten, bytesWritten }
    for (const { number } of records)
      storeFiles.removeUnnamed(storeFiles.pathOf(region, descriptor.name, number))
    return undefined
  } catch (error) {
    // The files of a dropped table cannot be opened any more.
    if (task.isCancelled()) throw new JobCancelled()
    storeFiles.logFaults(runs, error)
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    throw new HBaseError('IO', String(error), { cause: error })
  } finally {
    for (const shared of sources) shared.release()
  }
}

/** Takes files out of a store without a look at their cells, which all have expired. Throws as compactFiles. */
export async function dropFiles(
  { catalogLog, storeFiles, flusher }: Engine,
  region: Region,
  store: FamilyStore,
  files: readonly CompactableFile[],
): Promise<void> {
  const { rules } = store
  await flusher.exclusively(async () => {
    if (!isAsItWas(region, store, rules, files)) return
    const replaced = files.map(({ number }) => number)
    await catalogLog.commit({ kind: 'compaction', region: region.number, replaced, files: [] })
    store.replaceFiles(
      files.map(({ shared }) => shared),
      [],
    )
    for (const number of replaced) storeFiles.remove(storeFiles.pathOf(region, store.descriptor.name, number))
  })
}

/** Puts the new files in the place of the old ones, while no flush and no change of the table runs; their bytes, or undefined. */
function install(
  { catalogLog, storeFiles, flusher }: Engine,
  { region, store, selection }: CompactionTask,
  rules: FamilyRules,
  records: readonly FileRecord[],
): Promise<number | undefined> {
  return flusher.exclusively(async () => {
    const { files } = selection
    if (!isAsItWas(region, store, rules, files)) return undefined
    const family = store.descriptor.name
    const replaced = files.map(({ number }) => number)
    const opened: SharedRun<HFile>[] = []
    try {
      for (const record of records) opened.push(storeFiles.open(region, record))
      await catalogLog.commit({ kind: 'compaction', region: region.number, replaced, files: records })
    } catch (error) {
      for (const file of opened) file.release()
      catalogLog.undo(error, () => {
        for (const { number } of records) storeFiles.removeUnnamed(storeFiles.pathOf(region, family, number))
      })
      throw error
    }
    storeFiles.named(records.map(({ number }) => storeFiles.pathOf(region, family, number)))
    store.replaceFiles(
      files.map(({ shared }) => shared),
      opened,
    )
    for (const number of replaced) storeFiles.remove(storeFiles.pathOf(region, family, number))
    return opened.reduce((bytes, { run }) => bytes + run.fileBytes, 0)
  })
}

/** True if the rules are unchanged: with other rules, dropped cells might have to stay. */
function isAsItWas(
  region: Region,
  store: FamilyStore,
  rules: FamilyRules,
  files: readonly CompactableFile[],
): boolean {
  if (!region.isOpen || !region.stores.includes(store) || store.rules !== rules) return false
  const present = new Set<SharedRun<CellRun>>(store.files)
  return files.every(({ shared }) => present.has(shared))
}

/** `runs`: in the order of their store, see FamilyStore.files. */
function newestFirst(runs: readonly HFile[]): HFile[] {
  return runs.toReversed().sort((a, b) => b.maxSequenceId - a.maxSequenceId)
}

function planOf(
  rules: FamilyRules,
  { selection, time, purgeDeletesMs }: CompactionTask,
  runs: readonly HFile[],
): RetentionPlan {
  const { isOfAll } = selection
  if (rules.newVersionBehavior) {
    const mayDrop = isOfAll && rules.keepDeletedCells === 'FALSE'
    return mayDrop ? { kind: 'new versions', rules, time } : { kind: 'all' }
  }
  if (!isOfAll) return { kind: 'by rules', rules, time }
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
  return { kind: 'by rules', rules, time, drop: { earliestPutHigh, earliestPutLow, purgeDeletesMs } }
}
