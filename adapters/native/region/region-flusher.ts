/**
 * A flush turns a region's memstores into snapshots, writes store files of them, records the files in the manifest and
 * trims the log. Reads see the cells throughout, first in the snapshots and then in the files.
 */

import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { StoreRun } from '../cells/store-run.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { Memstore } from '../memstore/memstore.ts'
import { type Clock, monotonicMs } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import { FailedFlushes } from './failed-flushes.ts'
import type { FamilyStore } from './family-store.ts'
import { inFlushGroups } from './flush-groups.ts'
import type { Flusher, MemstoreLimits } from './memstore-limits.ts'
import type { Mvcc } from './mvcc.ts'
import type { Region } from './region.ts'
import type { SharedRun } from './shared-run.ts'
import type { StoreFiles } from './store-files.ts'

/** Compacts and splits the regions that were flushed. */
export interface AfterFlushes {
  /** Called after each flush that a region's size, or a client, has asked for. */
  flushed(region: Region): void
  /** See Flusher. */
  delaysFlush(region: Region): boolean
}

export interface RegionFlusherParts {
  readonly wal: WriteAheadLog
  readonly mvcc: Mvcc
  readonly clock: Clock
  readonly catalogLog: CatalogLog
  readonly storeFiles: StoreFiles
  readonly log: NativeLog
  readonly walBytesMax: number
  /** Whether the log alone has records of a region that is not open: see OrphanRecords. */
  readonly isUnsaved: (region: number) => boolean
  /** The open regions by their numbers. */
  readonly regions: ReadonlyMap<number, Region>
  limits(): MemstoreLimits
  afterFlushes(): AfterFlushes
}

interface Written {
  readonly store: FamilyStore
  readonly file: SharedRun<StoreRun>
  readonly path: string
  readonly record: FileRecord
}

/** The files that a flush has written of a region, before an edit names them. */
interface WrittenRegion {
  readonly region: Region
  /** As Region.snapshotSequenceId. */
  readonly sequenceId: number
  readonly files: readonly Written[]
}

type FlushAll = (regions: readonly Region[]) => Promise<void>

const NOTHING = (): void => undefined

export class RegionFlusher implements Flusher {
  /** Number of regions flushed so far. */
  flushes = 0
  /** At the end of the store: once true, a flush of the region ends with JobCancelled, and the log keeps its rows. */
  isGivenUp: (region: Region) => boolean = () => false
  readonly failures: FailedFlushes
  readonly #parts: RegionFlusherParts
  readonly #queue = new SerialQueue()
  readonly #soon = new Map<Region, Promise<boolean>>()

  constructor(parts: RegionFlusherParts) {
    this.#parts = parts
    this.failures = new FailedFlushes(() => monotonicMs(parts.clock))
  }

  /** Runs a task while no flush runs but its own, which it passes to the task: that is `flushAll`. */
  exclusively<T>(task: (flush: FlushAll) => Promise<T>): Promise<T> {
    return this.#queue.run(() => task((regions) => inFlushGroups(regions, (group) => this.#flushAll(group))))
  }

  /** Resolves once all present cells of the region are in store files. Throws IO, UNAVAILABLE. */
  flush(region: Region): Promise<void> {
    return this.#queue.run(() => this.#flushAll([region]))
  }

  /** As flush, of regions that may be thousands. `checkIsAwaited` throws where no caller waits for it any more. */
  flushAll(regions: readonly Region[], checkIsAwaited: () => void = NOTHING): Promise<void> {
    return inFlushGroups(regions, (group) => {
      checkIsAwaited()
      return this.#queue.run(() => this.#flushAll(group))
    })
  }

  async #flushAll(regions: readonly Region[]): Promise<void> {
    // The snapshots that failed flushes left go first.
    const left = regions.filter(({ snapshotSequenceId }) => snapshotSequenceId !== undefined)
    if (left.length > 0) await this.#flushRegions(left)
    await this.#flushRegions(regions)
  }

  flushSoon(region: Region): Promise<boolean> {
    const known = this.#soon.get(region)
    if (known !== undefined) return known
    if (this.failures.hasJustFailed(region)) return Promise.resolve(false)
    const flushed = this.#queue
      .run(async () => this.#tryFlush(region))
      .finally(() => this.#soon.delete(region))
    this.#soon.set(region, flushed)
    return flushed
  }

  async #tryFlush(region: Region): Promise<boolean> {
    try {
      await this.#flushRegions([region])
      this.#parts.afterFlushes().flushed(region)
      return true
    } catch (error) {
      if (error instanceof InvariantError) this.#parts.wal.stop(error)
      this.#parts.log('error', `the flush of region ${region.name.toString()} failed`, { error })
      return false
    }
  }

  delaysFlush(region: Region): boolean {
    return this.#parts.afterFlushes().delaysFlush(region)
  }

  largestRegion(): Region | undefined {
    let largest: Region | undefined
    for (const region of this.#parts.regions.values()) {
      if (this.failures.hasJustFailed(region)) continue
      if (largest === undefined || region.memstoreBytes > largest.memstoreBytes) largest = region
    }
    return largest
  }

  /** Flushes the regions that keep old logs if the logs are too many. */
  relieveLogs(): void {
    const { wal, walBytesMax, regions } = this.#parts
    if (wal.bytes <= walBytesMax) return
    for (const number of wal.regionsOfOldest(this.flushedUpTo)) {
      const region = regions.get(number)
      if (region !== undefined) void this.flushSoon(region)
    }
  }

  /** Flushes what only the older logs have: after a failure, the disk may have lost parts of them. */
  flushLogged(): void {
    for (const region of this.#parts.regions.values())
      if (region.hasUnflushedCells) void this.flushSoon(region)
  }

  /** See WriteAheadLog.trim. */
  readonly flushedUpTo = (number: number): number =>
    this.#parts.regions.get(number)?.flushedSequenceId ??
    (this.#parts.isUnsaved(number) ? 0 : Number.POSITIVE_INFINITY)

  async #flushRegions(regions: readonly Region[]): Promise<void> {
    const taken: Region[] = []
    for (const region of regions) if (await this.#takeSnapshots(region)) taken.push(region)
    if (taken.length === 0) return
    await this.#parts.wal.committed(true)
    const written = await Promise.allSettled(taken.map((region) => this.#writeSnapshots(region)))
    const whole = written.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    const failed = written.flatMap((result, index) =>
      result.status === 'rejected' ? [{ region: taken[index]!, error: result.reason as unknown }] : [],
    )
    try {
      if (whole.length > 0) await this.#commit(whole)
    } catch (error) {
      for (const { region } of whole) failed.push({ region, error })
    }
    for (const { region, error } of failed) this.failures.failed(region, error)
    if (failed.length > 0) throw failed[0]!.error
    await this.trimLogs()
  }

  /** Makes the memstores snapshots, unless a failed flush has left some; false where there is nothing to flush. */
  async #takeSnapshots(region: Region): Promise<boolean> {
    const { wal, mvcc } = this.#parts
    const pausing = region.inserts.pause()
    const resume = pausing && (await pausing)
    try {
      if (!region.isOpen || !region.hasUnflushedCells) return false
      // A write that the log has refused must not become durable through a store file.
      if (wal.failure !== undefined) await wal.restart()
      if (region.snapshotSequenceId === undefined) {
        for (const store of region.stores) store.takeSnapshot()
        region.snapshotSequenceId = mvcc.lastSequenceId
      }
      return true
    } finally {
      resume?.()
    }
  }

  /** Removes logs that no region needs any more. */
  trimLogs(): Promise<void> {
    return this.#parts.wal.trim(this.flushedUpTo)
  }

  async #writeSnapshots(region: Region): Promise<WrittenRegion> {
    const sequenceId = region.snapshotSequenceId!
    const files: Written[] = []
    try {
      for (const store of region.stores) {
        const { snapshot } = store
        if (snapshot === undefined || snapshot.cellCount === 0) continue
        const file = await this.#writeSnapshot(region, store, snapshot, sequenceId)
        if (file !== undefined) files.push(file)
      }
      return { region, sequenceId, files }
    } catch (error) {
      this.#drop(error, files)
      throw flushError(error)
    }
  }

  /** Records the flushes of regions by one edit: their snapshots give way to the files then. */
  async #commit(written: readonly WrittenRegion[]): Promise<void> {
    const { catalogLog, storeFiles } = this.#parts
    const regions = written.map(({ region, sequenceId, files }) => ({
      region: region.number,
      flushedSequenceId: sequenceId,
      files: files.map(({ record }) => record),
    }))
    try {
      const [only] = regions
      await catalogLog.commit(
        regions.length === 1 ? { kind: 'flush', ...only! } : { kind: 'flushes', regions },
      )
    } catch (error) {
      for (const { files } of written) this.#drop(error, files)
      throw flushError(error)
    }
    for (const { region, sequenceId, files } of written) {
      storeFiles.named(files.map(({ path }) => path))
      this.#flushed(region, sequenceId, files)
    }
  }

  /** Releases files that no edit names, and removes them once the manifest is known not to name them. */
  #drop(error: unknown, files: readonly Written[]): void {
    const { catalogLog, storeFiles } = this.#parts
    for (const { file } of files) file.release()
    catalogLog.undo(error, () => {
      for (const { path } of files) storeFiles.removeUnnamed(path)
    })
  }

  #flushed(region: Region, sequenceId: number, files: readonly Written[]): void {
    const before = region.memstoreBytes
    for (const store of region.stores) {
      store.replaceSnapshot(files.find((candidate) => candidate.store === store)?.file)
    }
    region.flushedSequenceId = sequenceId
    region.lastFlush = sequenceId
    region.snapshotSequenceId = undefined
    this.#parts.limits().flushed(before - region.memstoreBytes)
    this.failures.succeeded(region)
    this.flushes++
  }

  /** Undefined if nothing of the snapshot is worth a file: all of it has expired. */
  async #writeSnapshot(
    region: Region,
    store: FamilyStore,
    snapshot: Memstore,
    maxSequenceId: number,
  ): Promise<Written | undefined> {
    const { catalogLog, clock, storeFiles } = this.#parts
    const { descriptor, rules } = store
    const time = { now: clock.now(), readPoint: region.smallestReadPoint }
    const { records } = await storeFiles.write(region, descriptor, {
      kind: 'flush',
      outputs: [{ number: catalogLog.takeNumber(), since: 0n }],
      source: { kind: 'memstore', memstore: snapshot },
      mayHaveTags: snapshot.hasTags,
      inputBytes: snapshot.bytes,
      summary: { maxSequenceId, majorCompaction: false },
      retention: rules.newVersionBehavior ? { kind: 'all' } : { kind: 'by rules', rules, time },
      isCancelled: () => this.isGivenUp(region),
    })
    const [record] = records
    if (record === undefined) return undefined
    const path = storeFiles.pathOf(region, descriptor.name, record.number)
    try {
      return { store, file: storeFiles.open(region, record), path, record }
    } catch (error) {
      // A file that cannot be read again must not be named: the next attempt writes another one.
      storeFiles.removeUnnamed(path)
      throw error
    }
  }
}

function flushError(error: unknown): unknown {
  if (isHBaseError(error) || error instanceof InvariantError) return error
  return new HBaseError('IO', String(error), { cause: error })
}
