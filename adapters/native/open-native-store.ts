/** Opens the embedded engine: takes the directory, reads the manifest, replays the log. */

import { InvariantError } from '../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../src/model/errors.ts'
import { CatalogEventLog } from '../../src/store/catalog-events.ts'
import { NonceMemory } from '../../src/store/nonce-memory.ts'
import type { Store } from '../../src/store/store.ts'
import { CatalogLog } from './catalog/catalog-log.ts'
import { TableMap } from './catalog/table-map.ts'
import { Compactor } from './compact/compactor.ts'
import { Pacer } from './compact/pacer.ts'
import { EngineCalls } from './engine-calls.ts'
import { engineMetrics } from './engine-metrics.ts'
import { LruBlockCache } from './hfile/block-cache.ts'
import { ChunkPool } from './memstore/chunk-pool.ts'
import { MemstoreLimits } from './memstore/memstore-limits.ts'
import { NativeCatalog } from './native-catalog.ts'
import { NativeCompactions } from './native-compactions.ts'
import { NativeFlushes } from './native-flushes.ts'
import { NativeHandouts } from './native-handouts.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeLog, type NativeOptions } from './native-options.ts'
import { NativeRows } from './native-rows.ts'
import { NativeStore } from './native-store.ts'
import type { Clock, FileSystem, RandomSource } from './platform/file-system.ts'
import { LostAndFound } from './platform/lost-and-found.ts'
import { BlockMemory } from './read/block-memory.ts'
import { HeldSnapshots } from './region/held-snapshots.ts'
import type { MemstoreFigures } from './region/kept-versions.ts'
import { RegionFlusher } from './region/region-flusher.ts'
import { StoreFiles } from './region/store-files.ts'
import type { WalRecord } from './wal/log-reader.ts'
import { WriteAheadLog } from './wal/write-ahead-log.ts'
import { Mvcc } from './write/mvcc.ts'
import { WritePath } from './write/write-path.ts'

export interface NativeStoreConfig {
  readonly directory: string
  readonly fileSystem: FileSystem
  readonly clock: Clock
  readonly random: RandomSource
  readonly options?: Partial<NativeOptions>
  readonly log?: NativeLog
}

/** Throws UNAVAILABLE where another process has the directory, CORRUPTION with file and offset, IO. */
export async function openNativeStore(config: NativeStoreConfig): Promise<Store> {
  try {
    const unlock = await config.fileSystem.lock(config.directory)
    return await new Opening(config, unlock).open()
  } catch (error) {
    if (isHBaseError(error) || error instanceof InvariantError) throw error
    throw new HBaseError('IO', String(error), { cause: error })
  }
}

/** Puts the engine's parts together. */
class Opening {
  readonly #config: NativeStoreConfig
  readonly #options: NativeOptions
  readonly #log: NativeLog
  readonly #unlock: () => void
  readonly #catalogLog: CatalogLog
  readonly #blockCache: LruBlockCache
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

  constructor(config: NativeStoreConfig, unlock: () => void) {
    const { fileSystem, directory, clock, random } = config
    const options = { ...DEFAULT_NATIVE_OPTIONS, ...config.options }
    this.#config = config
    this.#options = options
    this.#log = config.log ?? ((): void => undefined)
    this.#unlock = unlock
    this.#catalogLog = new CatalogLog(fileSystem, directory, this.#log)
    this.#blockCache = new LruBlockCache(options.blockCacheBytes)
    this.#storeFiles = new StoreFiles({
      fileSystem,
      clock,
      directory,
      blockCache: this.#blockCache,
      log: this.#log,
    })
    this.#heldSnapshots = new HeldSnapshots(options.heldSnapshotBytesMax)
    this.#tables = new TableMap(this.#storeFiles, random, {
      pool: new ChunkPool(options.poisonReleased),
      published: () => this.#mvcc.readPoint,
      heldSnapshots: this.#heldSnapshots,
      figures: this.#figures,
    })
    const events = {
      onCommit: (): void => this.#mvcc.publish(),
      onRoll: (): void => this.#flusher.relieveLogs(),
      onFailure: (): void => this.#rollBack(),
      onRestart: (): void => this.#flusher.flushLogged(),
    }
    this.#lost = new LostAndFound(fileSystem, directory, this.#log)
    this.#wal = new WriteAheadLog({
      fileSystem,
      directory: `${directory}/wal`,
      registry: this.#catalogLog,
      lost: this.#lost,
      log: this.#log,
      events,
      options: options.wal,
    })
    this.#flusher = new RegionFlusher({
      wal: this.#wal,
      mvcc: this.#mvcc,
      clock,
      catalogLog: this.#catalogLog,
      storeFiles: this.#storeFiles,
      log: this.#log,
      walBytesMax: options.walBytesMax,
      regions: this.#tables.regions,
      limits: () => this.#limits,
      compactor: () => this.#compactor,
    })
    this.#limits = new MemstoreLimits(options, this.#flusher)
    this.#calls = new EngineCalls(clock, (cause) => this.#wal.stop(cause))
    this.#compactor = this.#newCompactor()
  }

  #newCompactor(): Compactor {
    return new Compactor({
      catalogLog: this.#catalogLog,
      storeFiles: this.#storeFiles,
      flusher: this.#flusher,
      clock: this.#config.clock,
      log: this.#log,
      pacer: new Pacer(() => this.#calls.received),
      options: this.#options.compaction,
      flushBytesOf: (region) => this.#limits.flushBytesOf(region),
      compacted: (region) => this.#limits.flushIfLarge(region),
      stop: (cause) => this.#wal.stop(cause),
    })
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
    return this.#assemble()
  }

  async #recover(): Promise<void> {
    const { catalog } = this.#catalogLog
    await this.#catalogLog.open(this.#config.random)
    this.#storeFiles.setAsideOrphans(catalog, this.#lost)
    for (const table of catalog.tables.values()) this.#tables.open(table)
    this.#mvcc.raise(catalog.nextSequenceId - 1)
    await this.#replay()
  }

  #assemble(): Store {
    const { clock } = this.#config
    const calls = this.#calls
    const events = new CatalogEventLog(() => clock.now())
    const handouts = new NativeHandouts(calls, new BlockMemory(this.#options.poisonReleased))
    const [tables, flusher, compactor] = [this.#tables, this.#flusher, this.#compactor]
    return new NativeStore({
      rows: this.#rows(calls, handouts),
      handouts,
      catalog: this.#catalog(calls, events),
      upkeep: {
        flushes: new NativeFlushes({ calls, tables, flusher, compactor }),
        compactions: new NativeCompactions({ calls, tables, compactor }),
      },
      calls,
      events,
      clusterId: this.#catalogLog.catalog.clusterId!,
      metrics: engineMetrics({
        regions: tables.regions,
        limits: this.#limits,
        flusher,
        compactor,
        wal: this.#wal,
        blockCache: this.#blockCache,
        heldSnapshots: this.#heldSnapshots,
        figures: this.#figures,
      }),
      failure: () => this.#wal.failure ?? this.#catalogLog.failure,
      restart: () => this.#wal.restart(),
      release: () => this.#release(),
    })
  }

  #rows(calls: EngineCalls, handouts: NativeHandouts): NativeRows {
    const { clock, random } = this.#config
    const { cellBytesMax, scanSliceCells } = this.#options
    const writes = new WritePath({
      wal: this.#wal,
      mvcc: this.#mvcc,
      limits: this.#limits,
      clock,
      nonces: new NonceMemory(() => clock.now()),
      cellBytesMax,
    })
    const [tables, mvcc] = [this.#tables, this.#mvcc]
    return new NativeRows({ calls, tables, handouts, writes, mvcc, clock, random, scanSliceCells })
  }

  #catalog(calls: EngineCalls, events: CatalogEventLog): NativeCatalog {
    const { clock } = this.#config
    return new NativeCatalog({
      calls,
      events,
      catalogLog: this.#catalogLog,
      tables: this.#tables,
      storeFiles: this.#storeFiles,
      flusher: this.#flusher,
      limits: this.#limits,
      mvcc: this.#mvcc,
      clock,
    })
  }

  async #replay(): Promise<void> {
    let records = 0
    const tornBytes = await this.#wal.recover(
      (record) => {
        records++
        this.#replayRecord(record)
      },
      async () => {
        this.#mvcc.publish()
        for (const region of this.#tables.regions.values()) {
          if (region.memstoreBytes >= this.#limits.flushBytesOf(region)) await this.#flusher.flushSoon(region)
        }
      },
    )
    this.#mvcc.publish()
    await this.#wal.trim(this.#flusher.flushedUpTo)
    if (records === 0 && tornBytes === 0) return
    this.#log('info', 'the write-ahead log was replayed', { records, tornBytes })
  }

  #replayRecord({ sequenceId, region: number, cells }: WalRecord): void {
    this.#mvcc.raise(sequenceId)
    const region = this.#tables.regions.get(number)
    // What the log has is never taken back.
    this.#mvcc.publish()
    if (region === undefined || sequenceId <= region.flushedSequenceId) return
    const before = region.memstoreBytes
    region.insert(cells, sequenceId)
    this.#limits.replayed(region.memstoreBytes - before)
  }

  async #release(): Promise<void> {
    await this.#compactor.close()
    for (const region of this.#tables.regions.values()) {
      try {
        await this.#flusher.flush(region)
      } catch (error) {
        this.#log('error', `region ${region.name.toString()} could not be flushed: its log is kept`, {
          error,
        })
      }
    }
    try {
      await this.#flusher.exclusively(async () => this.#wal.close(this.#flusher.flushedUpTo))
    } finally {
      await this.#abandon()
    }
  }

  /** Closes the catalog log and the tables, and unlocks the directory. */
  async #abandon(): Promise<void> {
    await this.#compactor.close()
    await this.#catalogLog.close()
    for (const name of this.#tables.names()) this.#tables.close(name)
    this.#unlock()
  }
}
