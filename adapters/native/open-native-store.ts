/** Opens the embedded engine: takes the directory, reads the manifest, replays the log. */

import { InvariantError } from '../../src/model/assert.ts'
import { reasonOf } from '../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../src/model/errors.ts'
import { UNFINISHED_RESTORE } from '../../src/store/kept-moment.ts'
import { NativeBackups } from './backup/native-backups.ts'
import { Compactor } from './compact/compactor.ts'
import { StoreChoice } from './compact/store-choice.ts'
import { Engine } from './engine/engine.ts'
import { engineMetrics } from './engine-metrics.ts'
import { NativeCatalog } from './facets/native-catalog.ts'
import { NativeHandouts } from './facets/native-handouts.ts'
import { NativeRows } from './facets/native-rows.ts'
import { nativeUpkeep } from './facets/native-upkeep.ts'
import { newWritePath } from './facets/new-write-path.ts'
import { removeLeftMoments } from './layout/moment-directory.ts'
import { NativeStore } from './native-store.ts'
import type { NativeStoreConfig } from './options/native-store-config.ts'
import { replayLog } from './replay-log.ts'
import { NativeSnapshots } from './snapshot/native-snapshots.ts'
import { RegionSplits } from './split/region-splits.ts'
import { Housekeeper } from './upkeep/housekeeper.ts'
import { flushForStop } from './upkeep/last-flushes.ts'
import { RequestRate } from './upkeep/request-rate.ts'
import { removeUnneededLogs } from './wal/unneeded-logs.ts'

/** Throws UNAVAILABLE where another process has the directory, CORRUPTION with file and offset, IO. */
export async function openNativeStore(config: NativeStoreConfig): Promise<NativeStore> {
  checkIsRestored(config)
  try {
    const unlock = await config.fileSystem.lock(config.directory)
    return await new Opening(config, unlock).open()
  } catch (error) {
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    throw new HBaseError('IO', reasonOf(error), { cause: error })
  }
}

/** Throws UNAVAILABLE for a folder in which a restore was cut off: it would write over what a server has written there. */
function checkIsRestored({ fileSystem, directory }: NativeStoreConfig): void {
  if (!fileSystem.exists(`${directory}/${UNFINISHED_RESTORE}`)) return
  throw new HBaseError(
    'UNAVAILABLE',
    `a restore into ${directory} has not ended: run the same \`tidegate backup restore\` again, or name another directory`,
  )
}

/** When the changes of earlier starts were made: of those in logs that a start reads that is not known. */
function noteTimes({ catalogLog: { catalog }, clock, commits, wal }: Engine): void {
  for (const { last, at } of catalog.keeping?.kept ?? []) if (at !== undefined) commits.noted(last, at)
  commits.noted(wal.files.lastSequenceId, clock.now())
}

/** An engine, and what works on it besides requests. */
class Opening {
  readonly #config: NativeStoreConfig
  readonly #unlock: () => void
  readonly #engine: Engine
  readonly #compactor: Compactor
  readonly #splits: RegionSplits
  readonly #snapshots: NativeSnapshots
  readonly #backups: NativeBackups
  readonly #requests: RequestRate
  readonly #housekeeper: Housekeeper

  constructor(config: NativeStoreConfig, unlock: () => void) {
    const engine = new Engine(config)
    const choice = new StoreChoice(engine)
    this.#config = config
    this.#unlock = unlock
    this.#engine = engine
    this.#compactor = new Compactor(engine, choice, (region) => {
      engine.limits.flushIfLarge(region)
      this.#splits.splitIfLarge(region)
    })
    this.#splits = new RegionSplits(engine, this.#compactor)
    engine.afterFlushes = this.#splits
    this.#snapshots = new NativeSnapshots(engine)
    this.#backups = new NativeBackups(engine)
    this.#requests = new RequestRate(engine)
    const workers = {
      compactor: this.#compactor,
      choice,
      snapshots: this.#snapshots,
      backups: this.#backups,
      requests: this.#requests,
    }
    this.#housekeeper = new Housekeeper(engine, workers)
  }

  async open(): Promise<NativeStore> {
    this.#config.onOpening?.(() => this.#engine.recovery.progress)
    try {
      await this.#recover()
    } catch (error) {
      await this.#abandon()
      throw error
    }
    if (this.#config.wakeUps !== undefined) this.#housekeeper.start(this.#config.wakeUps)
    return this.#assemble()
  }

  async #recover(): Promise<void> {
    const engine = this.#engine
    const { catalogLog, storeFiles, tables, mvcc } = engine
    const { catalog, discarded } = catalogLog
    await catalogLog.open(engine.random)
    removeLeftMoments(engine.fileSystem, engine.directory)
    await storeFiles.settleOrphans(catalog, discarded.numbers, engine.lost)
    discarded.removedAll()
    await removeUnneededLogs(engine.fileSystem, engine.logDirectory, catalog, engine.turns)
    for (const table of catalog.tables.values()) await tables.open(table)
    await replayLog(engine)
    // Not before: a flush during the replay counts as all up to the last sequence id, which must not pass what was replayed.
    mvcc.raise(catalog.nextSequenceId - 1)
    // Readers of changes may have had ids that no region has seen.
    mvcc.raise(engine.wal.files.lastSequenceId)
    mvcc.publish()
    noteTimes(engine)
    this.#splits.begin()
  }

  #assemble(): NativeStore {
    const engine = this.#engine
    const handouts = new NativeHandouts(engine.calls, engine.options)
    const workers = {
      compactor: this.#compactor,
      splits: this.#splits,
      snapshots: this.#snapshots,
      backups: this.#backups,
      requests: this.#requests,
    }
    engine.tables.onGone = () => handouts.letGoOfGone()
    return new NativeStore(engine, {
      rows: new NativeRows(engine, handouts, newWritePath(engine)),
      handouts,
      catalog: new NativeCatalog(engine),
      upkeep: nativeUpkeep(engine, workers),
      metrics: engineMetrics(engine, workers),
      release: () => this.#release(),
    })
  }

  /** Throws, once all is closed, where the folder is not this store's any more: its cells may be nowhere. */
  async #release(): Promise<void> {
    const { catalogLog, fileSystem, directory, flusher, wal } = this.#engine
    this.#housekeeper.stop()
    this.#engine.publisher?.close()
    await catalogLog.verify().catch(() => undefined)
    const loss = fileSystem.lockLoss(directory)
    const failure = loss === undefined ? undefined : catalogLog.failure
    await this.#snapshots.settled()
    await this.#backups.close()
    await this.#splits.close()
    await this.#compactor.close()
    await flushForStop(this.#engine)
    try {
      await flusher.exclusively(async () => wal.close(flusher.flushedUpTo))
    } finally {
      await this.#abandon()
    }
    if (failure !== undefined) throw failure
  }

  /** Closes the catalog log and the tables, and unlocks the directory. */
  async #abandon(): Promise<void> {
    const { runner, storeFiles, catalogLog, tables } = this.#engine
    await this.#compactor.close()
    await runner.close()
    await storeFiles.settled()
    await catalogLog.close()
    await tables.close()
    this.#unlock()
  }
}
