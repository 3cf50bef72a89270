/** Keeps memstores within their memory: makes writes wait for a flush, or refuses them. */

import { assert } from '../../../src/model/assert.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { NativeOptions } from '../options/native-options.ts'
import type { FailedFlushes } from './failed-flushes.ts'
import type { Region } from './region.ts'

/** A region whose flushes fail may take up one part in so many of all memstores' memory. */
const FAILING_SHARE = 4
/** One change may make one part in so many of it. */
const CHANGE_SHARE = 4
/** And that many of the largest cells, however small the memory is. */
const CHANGE_CELLS_MIN = 2

export interface Flusher {
  /** Begins to flush the region, unless a flush is under way. Resolves to true if the flush succeeds. */
  flushSoon(region: Region): Promise<boolean>
  /** Whether a flush that the region's size asks for is to wait for a compaction. */
  delaysFlush(region: Region): boolean
  readonly failures: Pick<FailedFlushes, 'errorOf' | 'latestError'>
  /** The region that holds the most memory, of those whose flush has not just failed. */
  largestRegion(): Region | undefined
}

export class MemstoreLimits {
  #bytes = 0
  readonly #options: NativeOptions
  readonly #flusher: Flusher

  constructor(options: NativeOptions, flusher: Flusher) {
    this.#options = options
    this.#flusher = flusher
  }

  /** Memory of the memstores of all regions together. */
  get bytes(): number {
    return this.#bytes
  }

  /**
   * Of the cells that the increments and appends of a change make, and of the tags of its cells: both may be many times as much as the client has sent. The change is
   * in memory as a whole several times: prepared, in the answer, in the log and in the memstore.
   */
  get changeBytesMax(): number {
    const { memstoreBytesMax, cellBytesMax } = this.#options
    return Math.max(Math.floor(memstoreBytesMax / CHANGE_SHARE), CHANGE_CELLS_MIN * cellBytesMax)
  }

  flushBytesOf(region: Region): number {
    const stated = Number(region.table.attributes.get('MEMSTORE_FLUSHSIZE') ?? Number.NaN)
    return stated > 0 ? stated : this.#options.flushBytes
  }

  /** True if all memstores together leave no room: see `waitForRoom`. */
  get isFull(): boolean {
    return this.bytes >= this.#options.memstoreBytesMax
  }

  /** Resolves once a flush has made room, which another write may take first. Throws REGION_TOO_BUSY if all flushes fail. */
  async waitForRoom(): Promise<void> {
    for (;;) {
      const largest = this.#flusher.largestRegion()
      if (largest === undefined || largest.memstoreBytes === 0) break
      if (await this.#flusher.flushSoon(largest)) return
    }
    const message = `the memstores hold ${this.bytes} bytes and could not be flushed`
    throw new HBaseError('REGION_TOO_BUSY', message, { cause: this.#flusher.failures.latestError })
  }

  /** Throws REGION_TOO_BUSY if the region's flushes do not keep up. HBase: HRegion.checkResources. */
  checkRegion(region: Region): void {
    const limit = this.#limitOf(region)
    if (region.memstoreBytes < limit) return
    this.#flushUnlessDelayed(region)
    const message = `Over memstore limit=${limit} bytes, regionName=${region.encodedName}, memstore=${region.memstoreBytes} bytes`
    throw new HBaseError('REGION_TOO_BUSY', message, { cause: this.#flusher.failures.errorOf(region) })
  }

  /** A region that cannot be flushed must leave room for the others. */
  #limitOf(region: Region): number {
    const { blockMultiplier, memstoreBytesMax } = this.#options
    const limit = this.flushBytesOf(region) * blockMultiplier
    const isFailing = this.#flusher.failures.errorOf(region) !== undefined
    return isFailing ? Math.min(limit, memstoreBytesMax / FAILING_SHARE) : limit
  }

  /** Called after a write has grown the region's memstores by `bytes`. */
  grew(region: Region, bytes: number): void {
    assert(bytes >= 0, 'a write has shrunk a memstore')
    this.#bytes += bytes
    this.flushIfLarge(region)
  }

  /** Begins to flush the region if it holds enough for a file. */
  flushIfLarge(region: Region): void {
    if (region.memstoreBytes >= this.flushBytesOf(region)) this.#flushUnlessDelayed(region)
  }

  /** HBase: MemStoreFlusher, where a region has more files than hbase.hstore.blockingStoreFiles. */
  #flushUnlessDelayed(region: Region): void {
    if (!this.#flusher.delaysFlush(region)) void this.#flusher.flushSoon(region)
  }

  /** Called after the log's replay has grown a region's memstores: the replay starts flushes itself. */
  replayed(bytes: number): void {
    this.#bytes += bytes
  }

  /** Called after memstores of `before` bytes were built anew, without the cells of refused writes. */
  rebuilt(before: number, after: number): void {
    this.#bytes += after - before
  }

  /** Called after a flush has released snapshots. */
  flushed(bytes: number): void {
    this.#shrink(bytes)
  }

  /** Called after the memstores of a dropped table or family have gone. */
  dropped(bytes: number): void {
    this.#shrink(bytes)
  }

  #shrink(bytes: number): void {
    assert(bytes >= 0 && bytes <= this.#bytes, `memstores of ${this.#bytes} bytes cannot let go of ${bytes}`)
    this.#bytes -= bytes
  }
}
