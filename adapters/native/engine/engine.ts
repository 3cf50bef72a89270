import { hasReplicationScope, type TableDescriptor } from '../../../src/model/descriptor.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import { LoopTurns } from '../../../src/model/loop-turns.ts'
import { CatalogEventLog } from '../../../src/store/catalog-events.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import type { JobRunner } from '../background/file-job.ts'
import { newRunner } from '../background/new-runner.ts'
import { blockCacheOf, type LruBlockCache } from '../hfile/block-cache.ts'
import { CatalogLog } from '../manifest/catalog-log.ts'
import { isOfFullDisk } from '../manifest/manifest-reserve.ts'
import { ChunkPool } from '../memstore/chunk-pool.ts'
import { DEFAULT_NATIVE_OPTIONS, type NativeOptions } from '../options/native-options.ts'
import type { NativeStoreConfig } from '../options/native-store-config.ts'
import { type Clock, type FileSystem, monotonicMs, type RandomSource } from '../platform/file-system.ts'
import { LostAndFound } from '../platform/lost-and-found.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { RemovalHolds } from '../platform/removal-holds.ts'
import type { ThreadWords } from '../platform/thread-words.ts'
import { HeldSnapshots } from '../region/held-snapshots.ts'
import type { MemstoreFigures } from '../region/kept-versions.ts'
import { MemstoreLimits } from '../region/memstore-limits.ts'
import { Mvcc } from '../region/mvcc.ts'
import { type AfterFlushes, RegionFlusher } from '../region/region-flusher.ts'
import { StoreFiles } from '../region/store-files.ts'
import { TableMap } from '../tables/table-map.ts'
import { Publisher } from '../threads/publisher.ts'
import type { OnFault } from '../threads/reader-link.ts'
import { CommitWaits } from '../wal/commit-waits.ts'
import { LogFollowers } from '../wal/log-followers.ts'
import { LogKeeping, troubleOf } from '../wal/log-keeping.ts'
import { OrphanRecords } from '../wal/orphan-records.ts'
import { Recovery } from '../wal/recovery.ts'
import { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { CatalogChanges } from './catalog-changes.ts'
import { EngineCalls } from './engine-calls.ts'

/** The collaborators that the floors above share, made once for each store. */
export class Engine {
  /** The store's. */
  readonly directory: string
  readonly fileSystem: FileSystem
  readonly clock: Clock
  /** Turns of the event loop that reads and large writes share. */
  readonly turns: LoopTurns
  readonly random: RandomSource
  readonly options: NativeOptions
  readonly log: NativeLog
  /** Undefined where no spans are recorded. */
  readonly spans: SpanRecorder | undefined

  readonly mvcc: Mvcc = new Mvcc()
  readonly keeping: LogKeeping
  readonly wal: WriteAheadLog
  readonly followers: LogFollowers
  readonly recovery: Recovery
  readonly orphans: OrphanRecords
  readonly lost: LostAndFound
  readonly holds: RemovalHolds = new RemovalHolds()
  readonly catalogLog: CatalogLog

  readonly blockCache: LruBlockCache
  readonly chunks: ChunkPool
  readonly heldSnapshots: HeldSnapshots
  readonly figures: MemstoreFigures = { droppedVersions: 0 }

  readonly runner: JobRunner
  readonly storeFiles: StoreFiles
  readonly tables: TableMap
  readonly limits: MemstoreLimits
  readonly flusher: RegionFlusher
  /** Set before the first flush. */
  afterFlushes: AfterFlushes = { flushed: () => undefined, delaysFlush: () => false }

  /** Undefined where no other thread reads. */
  readonly publisher: Publisher | undefined

  readonly calls: EngineCalls
  readonly events: CatalogEventLog
  readonly changes: CatalogChanges
  /** Of the log. */
  readonly commits: CommitWaits

  constructor(config: NativeStoreConfig) {
    const { fileSystem, directory, clock, random } = config
    const options = { ...DEFAULT_NATIVE_OPTIONS, ...config.options }
    this.directory = directory
    this.fileSystem = fileSystem
    this.clock = clock
    this.turns = config.turns ?? new LoopTurns(() => monotonicMs(clock))
    this.random = random
    this.options = options
    this.log = config.log ?? ((): void => undefined)
    this.spans = config.spans
    this.recovery = new Recovery(clock, this.log)
    this.catalogLog = this.#newCatalogLog()
    this.orphans = new OrphanRecords({ fileSystem, directory, catalogLog: this.catalogLog, log: this.log })
    this.blockCache = blockCacheOf(options)
    this.runner = newRunner(fileSystem, config.threadsMax ?? 0, this.log, () => this.calls.received)
    this.storeFiles = this.#newStoreFiles()
    this.heldSnapshots = new HeldSnapshots(options.heldSnapshotBytesMax)
    this.publisher = this.#newPublisher(config.words)
    this.chunks = new ChunkPool(options.poisonReleased, options.flushBytes, this.publisher !== undefined)
    this.tables = this.#newTables()
    this.publisher?.watch(this.tables)
    this.lost = new LostAndFound(fileSystem, directory, this.log)
    this.followers = this.#newFollowers()
    this.commits = new CommitWaits(() => clock.now())
    this.keeping = this.#newKeeping()
    this.wal = this.#newLog()
    this.flusher = this.#newFlusher()
    this.limits = new MemstoreLimits(options, this.flusher)
    this.calls = new EngineCalls(clock, (cause) => this.wal.stop(cause))
    this.events = new CatalogEventLog(() => clock.now())
    this.changes = new CatalogChanges(this.calls, this.events)
  }

  #newCatalogLog(): CatalogLog {
    return new CatalogLog(this.fileSystem, this.directory, this.log, {
      clock: this.clock,
      onLockLoss: (failure) => this.wal.stop(failure),
      lastSequenceId: () => this.mvcc.lastSequenceId,
      isInLog: (region, last) => this.wal.mayHaveRegion(region) || this.keeping.mayHaveUpTo(last),
      onEdit: (edit) => this.followers.changed(edit),
      options: this.options,
    })
  }

  #newStoreFiles(): StoreFiles {
    return new StoreFiles({
      fileSystem: this.fileSystem,
      clock: this.clock,
      directory: this.directory,
      blockCache: this.blockCache,
      runner: this.runner,
      log: this.log,
      openFilesMax: this.options.openFilesMax,
      holds: this.holds,
      onRemoved: (number) => this.catalogLog.discarded.removed(number),
    })
  }

  #newPublisher(words: ThreadWords | undefined): Publisher | undefined {
    if (words === undefined) return undefined
    const onFault: OnFault = (file, error) => this.storeFiles.tellFault(file, error)
    const parts = { onFault, heldSnapshots: this.heldSnapshots }
    const publisher = new Publisher(words, parts, this.options.poisonReleased)
    this.mvcc.onPublish = (readPoint) => publisher.publish(readPoint)
    return publisher
  }

  #newTables(): TableMap {
    return new TableMap(this.storeFiles, this.random, {
      pool: this.chunks,
      published: () => this.mvcc.readPoint,
      heldSnapshots: this.heldSnapshots,
      figures: this.figures,
      visibilityLabels: this.options.visibilityLabels,
      publications: this.publisher,
      otherReaders: this.publisher?.readers,
    })
  }

  #newLog(): WriteAheadLog {
    return new WriteAheadLog({
      fileSystem: this.fileSystem,
      directory: this.logDirectory,
      registry: this.catalogLog,
      lost: this.lost,
      log: this.log,
      holds: this.holds,
      keeping: this.keeping,
      options: this.options.wal,
      isFollowed: (number) => this.followers.needLog(number),
      events: {
        lastSequenceId: () => this.mvcc.lastSequenceId,
        onCommit: (sequenceId) => {
          this.mvcc.publish(sequenceId)
          this.followers.committed()
          this.commits.committed(sequenceId)
        },
        onRoll: () => {
          this.flusher.relieveLogs()
          // A hold may have as much as it may now.
          if (this.keeping.logs.length > 0) void this.flusher.trimLogs()
        },
        onFailure: () => this.#logFailed(),
        onRestart: () => {
          // The new log begins with a copy of what the disk may not have of the old one.
          this.followers.committed()
          this.flusher.flushLogged()
        },
      },
    })
  }

  #newKeeping(): LogKeeping {
    return new LogKeeping({
      keepBytes: this.options.changesKeepBytes,
      monotonicMs: () => monotonicMs(this.clock),
      madeAfter: (sequenceId) => this.commits.madeAfter(sequenceId),
      onLoss: ({ name, loss = '' }) => this.log('error', troubleOf(name, loss), { hold: name }),
    })
  }

  #newFollowers(): LogFollowers {
    return new LogFollowers({
      fileSystem: this.fileSystem,
      now: () => this.clock.now(),
      find: (number) => this.wal.find(number),
      end: () => this.wal.end,
    })
  }

  #newFlusher(): RegionFlusher {
    return new RegionFlusher({
      wal: this.wal,
      mvcc: this.mvcc,
      clock: this.clock,
      catalogLog: this.catalogLog,
      storeFiles: this.storeFiles,
      log: this.log,
      walBytesMax: this.options.walBytesMax,
      isUnsaved: (region) => this.orphans.isUnsaved(region),
      regions: this.tables.regions,
      limits: () => this.limits,
      afterFlushes: () => this.afterFlushes,
    })
  }

  /** The folder of the write-ahead log. */
  get logDirectory(): string {
    return `${this.directory}/wal`
  }

  /** Why the engine takes no writes now, if it takes none. */
  get failure(): HBaseError | undefined {
    return this.wal.failure ?? this.catalogLog.failure
  }

  /** Notes for those who hold the log that the table got cells which no record has. */
  cameUnlogged({ name, families }: TableDescriptor): void {
    if (!families.some(hasReplicationScope) || !this.keeping.noteUnlogged(name)) return
    // A note that cannot be recorded now is recorded with the next move of a hold.
    this.wal.files.letGo(this.flusher.flushedUpTo, true).catch((error: unknown) => {
      this.log('warn', `it is not recorded yet that ${name} has cells which the log lacks`, { error })
    })
  }

  /** Tries to take writes again. Throws where that is not possible yet. */
  async restart(): Promise<void> {
    await this.catalogLog.settle()
    await this.wal.restart()
  }

  /** See Store.troubles. */
  troubles(): readonly string[] {
    return [...this.orphans.troubles(), ...this.flusher.failures.troubles(), ...this.keeping.troubles()]
  }

  #logFailed(): void {
    this.#rollBack()
    const { failure } = this.wal
    if (this.keeping.bytes > 0 && failure !== undefined && isOfFullDisk(failure)) void this.#giveUpKept()
    if (this.wal.leftBytes === 0) return
    // Clients need the disk's room for their writes.
    this.followers.loseAll('the log could not be written, and the logs that waited were in its way')
    void this.wal.removeLeft()
  }

  async #giveUpKept(): Promise<void> {
    try {
      await this.wal.files.giveUpKept('the disk was full, and clients need its room for their writes')
    } catch (error) {
      this.log('warn', 'logs that are kept for readers of changes could not be removed', { error })
    }
  }

  /** Drops the cells of the writes that the log has refused. */
  #rollBack(): void {
    for (const region of this.tables.regions.values()) {
      const before = region.memstoreBytes
      region.rollBack(this.mvcc.readPoint)
      this.limits.rebuilt(before, region.memstoreBytes)
    }
    // Threads that read find the rows of memstores that were made anew.
    this.mvcc.publish(this.mvcc.readPoint)
  }
}
