/** Puts together what works on store files besides requests. */

import type { InvariantError } from '../../../src/model/assert.ts'
import type { JobRunner } from '../background/file-job.ts'
import { InProcessRunner } from '../background/in-process-runner.ts'
import { Pacer } from '../background/pacer.ts'
import { WorkerRunner } from '../background/worker-runner.ts'
import { Compactor } from '../compact/compactor.ts'
import { StoreChoice } from '../compact/store-choice.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { NativeOptions } from '../options/native-options.ts'
import type { Clock, FileSystem, RandomSource } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { MemstoreLimits } from '../region/memstore-limits.ts'
import type { Region } from '../region/region.ts'
import type { RegionFlusher } from '../region/region-flusher.ts'
import type { StoreFiles } from '../region/store-files.ts'
import { Housekeeper } from './housekeeper.ts'

/** `threadsMax`: 0 for none. `requests`: the number of requests so far. */
export function newRunner(
  fileSystem: FileSystem,
  threadsMax: number,
  log: NativeLog,
  requests: () => number,
): JobRunner {
  const ownThread = new InProcessRunner(fileSystem, new Pacer(requests))
  return threadsMax === 0 ? ownThread : new WorkerRunner({ threadsMax, ownThread, log })
}

export interface UpkeepParts {
  readonly options: NativeOptions
  readonly clock: Clock
  readonly random: RandomSource
  readonly log: NativeLog
  readonly catalogLog: CatalogLog
  readonly storeFiles: StoreFiles
  readonly runner: JobRunner
  readonly regions: ReadonlyMap<number, Region>
  readonly flusher: RegionFlusher
  readonly limits: MemstoreLimits
  /** Called after a compaction of the region. */
  readonly compacted: (region: Region) => void
  readonly expireSnapshots: () => void
  readonly verifyLog: () => void
  /** As Housekeeper's. */
  readonly trimMemory: () => void
  /** Ends all writes: called with a bug of ours. */
  readonly stop: (cause: InvariantError) => void
}

export function assembleUpkeep(parts: UpkeepParts): { compactor: Compactor; housekeeper: Housekeeper } {
  const { options, limits, log } = parts
  const lookAt = async (name: string, look: () => unknown): Promise<void> => {
    try {
      await look()
    } catch (error) {
      log('warn', `the files of the ${name} could not be looked at`, { error })
    }
  }
  // One that throws keeps nobody from looking at the others, and ends no server: nobody waits for this promise.
  const verifyFiles = async (): Promise<void> => {
    // First, for it sees whether the folder is still ours: if not, the log is nobody's to mend here.
    await lookAt('manifest', () => parts.catalogLog.verify())
    await lookAt('write-ahead log', parts.verifyLog)
    await lookAt('regions', () => parts.storeFiles.tolerant.reopen(parts.regions.values()))
    await lookAt('regions', () => parts.storeFiles.watch.look(parts.regions))
  }
  const choice = new StoreChoice({
    clock: parts.clock,
    options: options.compaction,
    flushBytesOf: (region) => limits.flushBytesOf(region),
  })
  const compactor = new Compactor({
    ...parts,
    choice,
    isOffPeak: () => housekeeper.isOffPeak(),
  })
  const housekeeper: Housekeeper = new Housekeeper({
    ...parts,
    verifyFiles: () => void verifyFiles(),
    options: options.upkeep,
    choice,
    compactor,
  })
  return { compactor, housekeeper }
}
