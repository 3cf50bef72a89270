/** Opens the embedded engine: takes the directory, reads the manifest, replays the log. */

import { InvariantError } from '../../src/model/assert.ts'
import { reasonOf } from '../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../src/model/errors.ts'
import { CatalogEventLog } from '../../src/store/catalog-events.ts'
import type { Store } from '../../src/store/store.ts'
import { assembleRows } from './assemble-rows.ts'
import type { JobRunner } from './background/file-job.ts'
import type { TableAdminParts } from './catalog/table-admin.ts'
import type { Compactor } from './compact/compactor.ts'
import { CatalogChanges } from './engine/catalog-changes.ts'
import { EngineCalls } from './engine/engine-calls.ts'
import { engineMetrics } from './engine-metrics.ts'
import { NativeCatalog } from './facets/native-catalog.ts'
import { NativeHandouts } from './facets/native-handouts.ts'
import { type NativeUpkeepParts, nativeUpkeep } from './facets/native-upkeep.ts'
import { blockCacheOf, type LruBlockCache } from './hfile/block-cache.ts'
import { CatalogLog } from './manifest/catalog-log.ts'
import { ChunkPool } from './memstore/chunk-pool.ts'
import { NativeStore } from './native-store.ts'
import type { NativeStoreConfig } from './native-store-config.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from './options/native-options.ts'
import { LostAndFound } from './platform/lost-and-found.ts'
import type { NativeLog } from './platform/native-log.ts'
import { HeldSnapshots } from './region/held-snapshots.ts'
import type { MemstoreFigures } from './region/kept-versions.ts'
import { MemstoreLimits } from './region/memstore-limits.ts'
import { Mvcc } from './region/mvcc.ts'
import { RegionFlusher } from './region/region-flusher.ts'
import { StoreFiles } from './region/store-files.ts'
import { replayLog } from './replay-log.ts'
import { NativeSnapshots } from './snapshot/native-snapshots.ts'
import { RegionSplits, type RegionSplitsParts } from './split/region-splits.ts'
import { TableMap } from './tables/table-map.ts'
import { assembleUpkeep, newRunner } from './upkeep/assemble-upkeep.ts'
import type { Housekeeper } from './upkeep/housekeeper.ts'
import { flushForStop } from './upkeep/last-flushes.ts'
import { OrphanRecords } from './wal/orphan-records.ts'
import { Recovery } from './wal/recovery.ts'
import { removeUnneededLogs } from './wal/unneeded-logs.ts'
import { WriteAheadLog } from './wal/write-ahead-log.ts'

/** Throws UNAVAILABLE where another process has the directory, CORRUPTION with file and offset, IO. */
export async function openNativeStore(config: NativeStoreConfig): Promise<Store> {
  try {
    const unlock = await config.fileSystem.lock(config.directory)
    return await new Opening(config, unlock).open()
  } catch (error) {
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    throw new HBaseError('IO', reasonOf(error), { cause: error })
  }
}

type SharedParts = Omit<NativeUpkeepParts, 'splits' | 'snapshots'> &
  Omit<RegionSplitsParts, 'options'> &
  Pick<TableAdminParts, 'events'>

/** Puts the engine's parts together. */
class Opening {
  readonly #config: NativeStoreConfig
  readonly #options: NativeOptions
  readonly #log: NativeLog
  readonly #unlock: () => void
  readonly #catalogLog: CatalogLog
  readonly #blockCache: LruBlockCache
  readonly #runner: JobRunner
  readonly #storeFiles: StoreFiles
  readonly #heldSnapshots: HeldSnapshots
  readonly #figures: MemstoreFigures = { droppedVersions: 0 }
  readonly #tables: TableMap
  readonly #mvcc = new Mvcc()
  readonly #lost: LostAndFound
  readonly #wal: WriteAheadLog
  readonly #flusher: RegionFlusher
  readonly #limits: MemstoreLimits
  readonly #compactor: Compactor
  readonly #calls: EngineCalls
  readonly #events: CatalogEventLog
  readonly #changes: CatalogChanges
  readonly #splits: RegionSplits
  readonly #snapshots: NativeSnapshots
  readonly #recovery: Recovery
  readonly #orphans: OrphanRecords
  readonly #housekeeper: Housekeeper

  constructor(config: NativeStoreConfig, unlock: () => void) {
    const { fileSystem, directory, clock, random } = config
    const options = { ...DEFAULT_NATIVE_OPTIONS, ...config.options }
    this.#config = config
    this.#options = options
    this.#log = config.log ?? ((): void => undefined)
    this.#unlock = unlock
    this.#recovery = new Recovery(clock, this.#log)
    this.#catalogLog = this.#newCatalogLog()
    this.#orphans = new OrphanRecords({ fileSystem, directory, catalogLog: this.#catalogLog, log: this.#log })
    this.#blockCache = blockCacheOf(options)
    this.#runner = newRunner(fileSystem, config.threadsMax ?? 0, this.#log, () => this.#calls.received)
    this.#storeFiles = new StoreFiles({
      fileSystem,
      clock,
      directory,
      blockCache: this.#blockCache,
      runner: this.#runner,
      log: this.#log,
      openFilesMax: options.openFilesMax,
      onRemoved: (number) => this.#catalogLog.discarded.removed(number),
    })
    this.#heldSnapshots = new HeldSnapshots(options.heldSnapshotBytesMax)
    const pool = new ChunkPool(options.poisonReleased, options.flushBytes)
    this.#tables = this.#newTables(pool)
    this.#lost = new LostAndFound(fileSystem, directory, this.#log)
    this.#wal = this.#newLog()
    this.#flusher = new RegionFlusher({
      wal: this.#wal,
      mvcc: this.#mvcc,
      clock,
      catalogLog: this.#catalogLog,
      storeFiles: this.#storeFiles,
      log: this.#log,
      walBytesMax: options.walBytesMax,
      isUnsaved: (region) => this.#orphans.isUnsaved(region),
      regions: this.#tables.regions,
      limits: () => this.#limits,
      compactor: () => this.#splits,
    })
    this.#limits = new MemstoreLimits(options, this.#flusher)
    this.#calls = new EngineCalls(clock, (cause) => this.#wal.stop(cause))
    this.#events = new CatalogEventLog(() => clock.now())
    this.#changes = new CatalogChanges(this.#calls, this.#events)
    const upkeep = assembleUpkeep({
      options,
      clock,
      random,
      log: this.#log,
      catalogLog: this.#catalogLog,
      storeFiles: this.#storeFiles,
      runner: this.#runner,
      regions: this.#tables.regions,
      flusher: this.#flusher,
      limits: this.#limits,
      compacted: (region) => {
        this.#limits.flushIfLarge(region)
        this.#splits.splitIfLarge(region)
      },
      expireSnapshots: () => this.#snapshots.expire(),
      verifyLog: () => this.#wal.verify(),
      trimMemory: () => pool.trim(),
      stop: (cause) => this.#wal.stop(cause),
    })
    this.#compactor = upkeep.compactor
    this.#housekeeper = upkeep.housekeeper
    this.#splits = new RegionSplits({ ...this.#shared(), options: options.split })
    this.#snapshots = new NativeSnapshots(this.#shared(), options.upkeep.snapshotCleanMs)
  }

  #newCatalogLog(): CatalogLog {
    return new CatalogLog(this.#config.fileSystem, this.#config.directory, this.#log, {
      clock: this.#config.clock,
      onLockLoss: (failure) => this.#wal.stop(failure),
      lastSequenceId: () => this.#mvcc.lastSequenceId,
      isInLog: (region) => this.#wal.mayHaveRegion(region),
      options: this.#options,
    })
  }

  #newTables(pool: ChunkPool): TableMap {
    const published = (): number => this.#mvcc.readPoint
    const kept = { heldSnapshots: this.#heldSnapshots, figures: this.#figures }
    const labels = { visibilityLabels: this.#options.visibilityLabels }
    return new TableMap(this.#storeFiles, this.#config.random, { pool, published, ...kept, ...labels })
  }

  #newLog(): WriteAheadLog {
    const { fileSystem, directory } = this.#config
    const events = {
      lastSequenceId: (): number => this.#mvcc.lastSequenceId,
      onCommit: (sequenceId: number): void => this.#mvcc.publish(sequenceId),
      onRoll: (): void => this.#flusher.relieveLogs(),
      onFailure: (): void => this.#rollBack(),
      onRestart: (): void => this.#flusher.flushLogged(),
    }
    const parts = { fileSystem, registry: this.#catalogLog, lost: this.#lost, log: this.#log, events }
    return new WriteAheadLog({ ...parts, directory: `${directory}/wal`, options: this.#options.wal })
  }

  /** What several parts of the engine need. */
  #shared(): SharedParts {
    return {
      calls: this.#calls,
      changes: this.#changes,
      events: this.#events,
      catalogLog: this.#catalogLog,
      tables: this.#tables,
      storeFiles: this.#storeFiles,
      flusher: this.#flusher,
      compactor: this.#compactor,
      limits: this.#limits,
      mvcc: this.#mvcc,
      clock: this.#config.clock,
      fileSystem: this.#config.fileSystem,
      log: this.#log,
    }
  }

  /** Drops the cells of the writes that the log has refused. */
  #rollBack(): void {
    for (const region of this.#tables.regions.values()) {
      const before = region.memstoreBytes
      region.rollBack(this.#mvcc.readPoint)
      this.#limits.rebuilt(before, region.memstoreBytes)
    }
  }

  async open(): Promise<Store> {
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
    const { catalog, discarded } = this.#catalogLog
    await this.#catalogLog.open(this.#config.random)
    await this.#storeFiles.settleOrphans(catalog, discarded.numbers, this.#lost)
    discarded.removedAll()
    await removeUnneededLogs(this.#config.fileSystem, `${this.#config.directory}/wal`, catalog)
    for (const table of catalog.tables.values()) await this.#tables.open(table)
    await replayLog({ ...this.#shared(), wal: this.#wal, recovery: this.#recovery, orphans: this.#orphans })
    // Not before: a flush during the replay counts as all up to the last sequence id, which must not pass what was replayed.
    this.#mvcc.raise(catalog.nextSequenceId - 1)
    this.#mvcc.publish()
    this.#splits.begin()
  }

  #assemble(): Store {
    const shared = this.#shared()
    const { calls, events, tables } = shared
    const handouts = new NativeHandouts(calls, this.#options)
    const ofRows = { handouts, wal: this.#wal, retirements: this.#catalogLog, blocks: this.#blockCache }
    return new NativeStore({
      rows: assembleRows(this.#config, this.#options, { ...shared, ...ofRows }),
      handouts,
      catalog: new NativeCatalog(shared),
      upkeep: nativeUpkeep({ ...shared, splits: this.#splits, snapshots: this.#snapshots }),
      calls,
      events,
      clusterId: this.#catalogLog.catalog.clusterId!,
      damage: this.#storeFiles.damage,
      metrics: engineMetrics({
        ...shared,
        regions: tables.regions,
        splits: this.#splits,
        runner: this.#runner,
        wal: this.#wal,
        blockCache: this.#blockCache,
        recovery: this.#recovery,
        heldSnapshots: this.#heldSnapshots,
        figures: this.#figures,
      }),
      troubles: () => [...this.#orphans.troubles(), ...this.#flusher.failures.troubles()],
      failure: () => this.#wal.failure ?? this.#catalogLog.failure,
      restart: () => this.#catalogLog.settle().then(() => this.#wal.restart()),
      release: () => this.#release(),
    })
  }

  /** Throws, once all is closed, where the folder is not this store's any more: its cells may be nowhere. */
  async #release(): Promise<void> {
    this.#housekeeper.stop()
    await this.#catalogLog.verify().catch(() => undefined)
    const loss = this.#config.fileSystem.lockLoss(this.#config.directory)
    const failure = loss === undefined ? undefined : this.#catalogLog.failure
    await this.#snapshots.settled()
    await this.#splits.close()
    await this.#compactor.close()
    const [flusher, wal, log, { clock }] = [this.#flusher, this.#wal, this.#log, this.#config]
    const regions = this.#tables.regions.values()
    await flushForStop({ regions, flusher, wal, clock, log, options: this.#options.stop })
    try {
      await flusher.exclusively(async () => wal.close(flusher.flushedUpTo))
    } finally {
      await this.#abandon()
    }
    if (failure !== undefined) throw failure
  }

  /** Closes the catalog log and the tables, and unlocks the directory. */
  async #abandon(): Promise<void> {
    await this.#compactor.close()
    await this.#runner.close()
    await this.#storeFiles.settled()
    await this.#catalogLog.close()
    await this.#tables.close()
    this.#unlock()
  }
}
