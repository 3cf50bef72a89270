/** Splits and merges regions, by themselves too. Refusals have the words of HBase's master. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { hasLimits, namespaceLimits } from '../../../src/model/namespace-limits.ts'
import { namespaceOf } from '../../../src/model/table-name.ts'
import {
  checkedMerge,
  checkedSplitRow,
  isSplitEnabled,
  notSplittable,
  regionIsClosed,
} from '../../../src/store/region-refusals.ts'
import type { Compactor } from '../compact/compactor.ts'
import type { Engine } from '../engine/engine.ts'
import { namespaceOfRecord } from '../manifest/catalog.ts'
import type { SplitOptions } from '../options/split-options.ts'
import { hasHalves } from '../region/half-files.ts'
import type { Region } from '../region/region.ts'
import type { TableRegions } from '../tables/table-regions.ts'
import { RegionExchange } from './region-exchange.ts'
import { isSplittable, restrictedSplitPoint, shouldSplit, splitPoint } from './split-policy.ts'

export class RegionSplits {
  splits = 0
  merges = 0
  readonly #engine: Engine
  readonly #compactor: Compactor
  readonly #options: SplitOptions
  readonly #exchange: RegionExchange
  /** Regions whose splits by themselves wait or run. */
  readonly #pending = new Map<Region, Promise<void>>()
  /**
   * Regions to look at once the log is replayed; undefined: it is. Its records name regions: those of one that was split meanwhile would
   * have no owner.
   */
  #waiting: Set<Region> | undefined = new Set()
  #isClosed = false

  constructor(engine: Engine, compactor: Compactor) {
    this.#engine = engine
    this.#compactor = compactor
    this.#options = engine.options.split
    this.#exchange = new RegionExchange(engine, compactor)
  }

  /** Called after a flush: splits or compacts the region if it has become too large. */
  flushed(region: Region): void {
    this.splitIfLarge(region)
    this.#compactor.flushed(region)
  }

  /** See Compactor.delaysFlush. */
  delaysFlush(region: Region): boolean {
    return this.#compactor.delaysFlush(region)
  }

  /** The log is replayed: regions may be split from now on. Makes halves of files whole that an earlier start has left. */
  begin(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const region of this.#engine.tables.regions.values())
      if (region.stores.some(hasHalves)) this.#compactor.flushed(region)
    for (const region of waiting) this.splitIfLarge(region)
  }

  /** Splits the region if it has become too large. */
  splitIfLarge(region: Region): void {
    const { changes, log } = this.#engine
    if (this.#waiting !== undefined) {
      this.#waiting.add(region)
      return
    }
    if (this.#isClosed || this.#pending.has(region) || !this.#isTooLarge(region)) return
    const { name } = region.table
    const end = changes
      .runOwn([{ kind: 'regions', table: name }], async () => {
        if (this.#isClosed || !this.#isTooLarge(region)) return
        await this.split(region, undefined)
      })
      .catch((error: unknown) => {
        log('error', `region ${toStringBinary(region.name)} could not be split`, { error })
      })
      .finally(() => this.#pending.delete(region))
    this.#pending.set(region, end)
  }

  #isTooLarge(region: Region): boolean {
    const { tables, limits, catalogLog } = this.#engine
    const options = this.#options
    if (!region.isOpen || region.closed.isClosed || !isSplitEnabled(region.table)) return false
    if (catalogLog.catalog.off.has('split')) return false
    const table = tables.find(region.table.name)
    if (table?.isEnabled !== true || tables.regions.size >= options.regionsMax) return false
    if (options.keepsNamespaceLimits && this.#isFull(namespaceOf(region.table.name))) return false
    const regionsOfTable = table.regions.length
    if (!shouldSplit(region, { options, flushBytes: limits.flushBytesOf(region), regionsOfTable }))
      return false
    const point = splitPoint(region, options)
    return point !== undefined && compareBytes(point, region.startKey) !== 0
  }

  /** HBase: NamespaceAuditor.checkQuotaToSplitRegion. */
  #isFull(namespace: string): boolean {
    const { tables, catalogLog } = this.#engine
    const descriptor = namespaceOfRecord(namespace, catalogLog.catalog.namespaces.get(namespace) ?? [])
    if (!hasLimits(descriptor)) return false
    let regions = 0n
    for (const { table } of tables.regions.values()) if (namespaceOf(table.name) === namespace) regions++
    return regions >= namespaceLimits(descriptor).regionsMax
  }

  /** Within a change of the catalog. Throws DO_NOT_RETRY where the region cannot be split, and as RegionExchange.exchange. */
  async split(region: Region, at: Buffer | undefined): Promise<void> {
    const options = this.#options
    const { startKey, endKey, table } = region
    if (region.closed.isClosed) throw regionIsClosed(region)
    if (!isSplittable(region, options)) throw notSplittable(region)
    const row = at === undefined ? await this.#bestPoint(region) : restrictedSplitPoint(table.attributes, at)
    const middle = Buffer.from(checkedSplitRow(row, region, table))
    // The first half would else have the name of the whole.
    const regionId = Math.max(region.regionId + 1, this.#engine.clock.now())
    await this.#exchange.exchange(
      region.table.name,
      [region],
      [
        { startKey, endKey: middle, regionId },
        { startKey: middle, endKey, regionId },
      ],
    )
    this.splits++
    this.#engine.log('info', `region ${toStringBinary(region.name)} was split at ${toStringBinary(middle)}`)
  }

  /** Cells in memory have no middle: they are flushed where files alone have none. HBase: RSRpcServices.getRegionInfo. */
  async #bestPoint(region: Region): Promise<Buffer | undefined> {
    const options = this.#options
    const point = splitPoint(region, options)
    if (point !== undefined || !region.hasUnflushedCells) return point
    await this.#engine.flusher.flush(region)
    return splitPoint(region, options)
  }

  /** Within a change of the catalog; `regions` are of one table. Throws DO_NOT_RETRY where they cannot be merged, and as `split`. */
  async merge(table: TableRegions, regions: readonly Region[], forcible: boolean): Promise<void> {
    const all = checkedMerge({
      present: table.regions,
      named: regions,
      forcible,
      table: table.descriptor,
      isOnline: (region) => !region.closed.isClosed && table.isEnabled,
    })
    const regionId = Math.max(...all.map((region) => region.regionId)) + 1
    const { startKey } = all[0]!
    const { endKey } = all.at(-1)!
    await this.#exchange.exchange(table.descriptor.name, all, [{ startKey, endKey, regionId }])
    this.merges++
  }

  /** Within a change of the catalog. Throws DO_NOT_RETRY where the region is not open, and as RegionExchange.exchange. */
  async truncate(region: Region): Promise<void> {
    if (region.closed.isClosed) throw regionIsClosed(region)
    const { startKey, endKey } = region
    const regionId = Math.max(region.regionId + 1, this.#engine.clock.now())
    const heir = { startKey, endKey, regionId, isEmpty: true }
    await this.#exchange.exchange(region.table.name, [region], [heir])
  }

  /** Begins no more splits; resolves once those under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#pending.values())
  }
}
