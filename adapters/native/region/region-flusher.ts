/**
 * A flush turns a region's memstores into snapshots, writes store files of them, records the files in the manifest and
 * trims the log. Reads see the cells throughout, first in the snapshots and then in the files.
 */

import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { CatalogLog } from '../catalog/catalog-log.ts'
import type { FileRecord } from '../catalog/manifest-edit.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Memstore } from '../memstore/memstore.ts'
import type { Flusher, MemstoreLimits } from '../memstore/memstore-limits.ts'
import type { NativeLog } from '../native-options.ts'
import { type Clock, monotonicMs } from '../platform/file-system.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { Mvcc } from '../write/mvcc.ts'
import type { StoreRun } from './damaged-run.ts'
import { FailedFlushes } from './failed-flushes.ts'
import type { FamilyStore } from './family-store.ts'
import type { Region } from './region.ts'
import type { SharedRun } from './shared-run.ts'
import type { StoreFiles } from './store-files.ts'

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
  compactor(): Pick<Compactor, 'flushed' | 'delaysFlush'>
}

interface Written {
  readonly store: FamilyStore
  readonly file: SharedRun<StoreRun>
  readonly path: string
  readonly record: FileRecord
}

export class RegionFlusher implements Flusher {
  /** Number of regions flushed so far. */
  flushes = 0
  readonly failures: FailedFlushes
  readonly #parts: RegionFlusherParts
  readonly #queue = new SerialQueue()
  readonly #soon = new Map<Region, Promise<boolean>>()

  constructor(parts: RegionFlusherParts) {
    this.#parts = parts
    this.failures = new FailedFlushes(() => monotonicMs(parts.clock))
  }

  /** Runs a task while no flush runs but its own, which it passes to the task. */
  exclusively<T>(task: (flush: (region: Region) => Promise<void>) => Promise<T>): Promise<T> {
    return this.#queue.run(() => task((region) => this.#flushAll(region)))
  }

  /** Resolves once all present cells of the region are in store files. Throws IO, UNAVAILABLE. */
  flush(region: Region): Promise<void> {
    return this.#queue.run(() => this.#flushAll(region))
  }

  async #flushAll(region: Region): Promise<void> {
    // The snapshot that a failed flush left goes first.
    if (region.snapshotSequenceId !== undefined) await this.#flushRegion(region)
    await this.#flushRegion(region)
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
      await this.#flushRegion(region)
      this.#parts.compactor().flushed(region)
      return true
    } catch (error) {
      if (error instanceof InvariantError) this.#parts.wal.stop(error)
      this.#parts.log('error', `the flush of region ${region.name.toString()} failed`, { error })
      return false
    }
  }

  delaysFlush(region: Region): boolean {
    return this.#parts.compactor().delaysFlush(region)
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

  async #flushRegion(region: Region): Promise<void> {
    const { wal, mvcc } = this.#parts
    const pausing = region.inserts.pause()
    const resume = pausing && (await pausing)
    try {
      if (!region.isOpen || !region.hasUnflushedCells) return
      // A write that the log has refused must not become durable through a store file.
      if (wal.failure !== undefined) await wal.restart()
      if (region.snapshotSequenceId === undefined) {
        for (const store of region.stores) store.takeSnapshot()
        region.snapshotSequenceId = mvcc.lastSequenceId
      }
    } finally {
      resume?.()
    }
    await wal.committed(true)
    try {
      await this.#writeSnapshots(region, region.snapshotSequenceId)
    } catch (error) {
      this.failures.failed(region, error)
      throw error
    }
    this.failures.succeeded(region)
    this.flushes++
    await this.trimLogs()
  }

  /** Removes logs that no region needs any more. */
  trimLogs(): Promise<void> {
    return this.#parts.wal.trim(this.flushedUpTo)
  }

  async #writeSnapshots(region: Region, sequenceId: number): Promise<void> {
    const { catalogLog } = this.#parts
    const written: Written[] = []
    try {
      for (const store of region.stores) {
        const { snapshot } = store
        if (snapshot === undefined || snapshot.cellCount === 0) continue
        const file = await this.#writeSnapshot(region, store, snapshot, sequenceId)
        if (file !== undefined) written.push(file)
      }
      const files = written.map(({ record }) => record)
      await catalogLog.commit({ kind: 'flush', region: region.number, flushedSequenceId: sequenceId, files })
    } catch (error) {
      for (const { file } of written) file.release()
      catalogLog.undo(error, () => {
        for (const { path } of written) this.#parts.storeFiles.removeUnnamed(path)
      })
      if (isHBaseError(error) || error instanceof InvariantError) throw error
      throw new HBaseError('IO', String(error), { cause: error })
    }
    this.#parts.storeFiles.named(written.map(({ path }) => path))
    const before = region.memstoreBytes
    for (const store of region.stores) {
      store.replaceSnapshot(written.find((candidate) => candidate.store === store)?.file)
    }
    region.flushedSequenceId = sequenceId
    region.lastFlush = sequenceId
    region.snapshotSequenceId = undefined
    this.#parts.limits().flushed(before - region.memstoreBytes)
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
    const number = catalogLog.takeNumber()
    const time = { now: clock.now(), readPoint: region.smallestReadPoint }
    const { cellsWritten } = await storeFiles.write(region, descriptor, {
      kind: 'flush',
      outputs: [{ number, since: 0n }],
      source: { kind: 'memstore', memstore: snapshot },
      mayHaveTags: snapshot.hasTags,
      inputBytes: snapshot.bytes,
      summary: { maxSequenceId, majorCompaction: false },
      retention: rules.newVersionBehavior ? { kind: 'all' } : { kind: 'by rules', rules, time },
      isCancelled: () => false,
    })
    if (cellsWritten === 0) return undefined
    const path = storeFiles.pathOf(region, descriptor.name, number)
    const record = { number, family: descriptor.name, maxSequenceId }
    try {
      return { store, file: storeFiles.open(region, descriptor.name, number), path, record }
    } catch (error) {
      // A file that cannot be read again must not be named: the next attempt writes another one.
      storeFiles.removeUnnamed(path)
      throw error
    }
  }
}
