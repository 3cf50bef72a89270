/** Splits and merges regions, by themselves too. Refusals have the words of HBase's master. */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { CatalogChanges } from '../catalog/catalog-changes.ts'
import type { TableRegions } from '../catalog/table-regions.ts'
import type { NativeLog } from '../native-options.ts'
import type { Clock } from '../platform/file-system.ts'
import type { Region } from '../region/region.ts'
import { RegionExchange, type RegionExchangeParts } from './region-exchange.ts'
import { isMergeEnabled, isSplitEnabled, type SplitOptions } from './split-options.ts'
import { hasHalves, isSplittable, restrictedSplitPoint, shouldSplit, splitPoint } from './split-policy.ts'

export interface RegionSplitsParts extends RegionExchangeParts {
  readonly changes: CatalogChanges
  readonly clock: Clock
  readonly log: NativeLog
  readonly options: SplitOptions
}

export class RegionSplits {
  splits = 0
  merges = 0
  readonly #parts: RegionSplitsParts
  readonly #exchange: RegionExchange
  /** Regions whose splits by themselves wait or run. */
  readonly #pending = new Map<Region, Promise<void>>()
  #isClosed = false

  constructor(parts: RegionSplitsParts) {
    this.#parts = parts
    this.#exchange = new RegionExchange(parts)
  }

  /** Called after a flush: splits or compacts the region if it has become too large. */
  flushed(region: Region): void {
    this.splitIfLarge(region)
    this.#parts.compactor.flushed(region)
  }

  /** See Compactor.delaysFlush. */
  delaysFlush(region: Region): boolean {
    return this.#parts.compactor.delaysFlush(region)
  }

  /** Makes halves of files whole that an earlier start has left. */
  compactHalves(): void {
    for (const region of this.#parts.tables.regions.values())
      if (region.stores.some(hasHalves)) this.#parts.compactor.flushed(region)
  }

  /** Splits the region if it has become too large. */
  splitIfLarge(region: Region): void {
    const { changes, log } = this.#parts
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
    const { tables, options, limits } = this.#parts
    if (!region.isOpen || region.isClosed || !isSplitEnabled(region.table)) return false
    const table = tables.find(region.table.name)
    if (table?.isEnabled !== true || tables.regions.size >= options.regionsMax) return false
    const regionsOfTable = table.regions.length
    if (!shouldSplit(region, { options, flushBytes: limits.flushBytesOf(region), regionsOfTable }))
      return false
    const point = splitPoint(region, options)
    return point !== undefined && compareBytes(point, region.startKey) !== 0
  }

  /** Within a change of the catalog. Throws DO_NOT_RETRY where the region cannot be split, and as RegionExchange.exchange. */
  async split(region: Region, at: Buffer | undefined): Promise<void> {
    const { clock, options } = this.#parts
    const { startKey, endKey, encodedName } = region
    checkIsOnline(region)
    if (!isSplittable(region, options)) throw refused(`${encodedName} NOT splittable`)
    const row =
      at === undefined ? splitPoint(region, options) : restrictedSplitPoint(region.table.attributes, at)
    if (row === undefined) {
      throw refused(
        'Region not splittable because bestSplitPoint = null, maybe table is too small for auto split. ' +
          'For force split, try specifying split row',
      )
    }
    if (compareBytes(row, startKey) === 0) {
      throw refused(`Split row is equal to startkey: ${toStringBinary(row)}`)
    }
    if (compareBytes(row, startKey) < 0 || (endKey.length > 0 && compareBytes(row, endKey) >= 0)) {
      throw refused(
        `Split row is not inside region key range splitKey:${toStringBinary(row)} region: ${describe(region)}`,
      )
    }
    if (!isSplitEnabled(region.table)) {
      throw refused(
        `Split region ${toStringBinary(region.name)} failed as region split is disabled for the table`,
      )
    }
    // The first half would else have the name of the whole.
    const regionId = Math.max(region.regionId + 1, clock.now())
    const middle = Buffer.from(row)
    await this.#exchange.exchange(
      region.table.name,
      [region],
      [
        { startKey, endKey: middle, regionId },
        { startKey: middle, endKey, regionId },
      ],
    )
    this.splits++
  }

  /** Within a change of the catalog; `regions` are of one table. Throws DO_NOT_RETRY where they cannot be merged, and as `split`. */
  async merge(table: TableRegions, regions: readonly Region[], forcible: boolean): Promise<void> {
    const unique = new Set(regions)
    if (unique.size < regions.length) {
      throw notMergeable(
        `Duplicate regions specified; cannot merge a region to itself. Passed in ${regions.length} but only ${unique.size} unique.`,
      )
    }
    const sorted = table.regions.filter((region) => unique.has(region))
    const [first, last] = [sorted[0]!, sorted.at(-1)!]
    const all = table.regions.slice(table.regions.indexOf(first), table.regions.indexOf(last) + 1)
    if (!forcible) checkAreAdjacent(table, sorted)
    for (const region of all) {
      if (!region.isClosed && table.isEnabled) continue
      throw notMergeable(`${DO_NOT_RETRY_REGION}: ${notOpen(region)}`)
    }
    if (!isMergeEnabled(table.descriptor)) {
      const names = regions.map(({ encodedName }) => encodedName).join(', ')
      throw refused(`Merge of [${names}] failed as region merge is disabled for the table`)
    }
    const regionId = Math.max(...all.map((region) => region.regionId)) + 1
    const { startKey } = first
    const { endKey } = last
    await this.#exchange.exchange(table.descriptor.name, all, [{ startKey, endKey, regionId }])
    this.merges++
  }

  /** Begins no more splits; resolves once those under way have ended. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#pending.values())
  }
}

const DO_NOT_RETRY_REGION = 'org.apache.hadoop.hbase.client.DoNotRetryRegionException'

/** Throws DO_NOT_RETRY for a region that is closed. */
export function checkIsOnline(region: Region): void {
  if (region.isClosed)
    throw new HBaseError('DO_NOT_RETRY', notOpen(region), { javaClass: DO_NOT_RETRY_REGION })
}

function notOpen({ encodedName }: Region): string {
  return `${encodedName} is not OPEN; state=CLOSED`
}

/** HBase's error for a region that is not in the state that the change needs. */
export function unexpectedState(state: 'OPEN' | 'CLOSED', table: TableName, encodedName: string): HBaseError {
  return new HBaseError(
    'DO_NOT_RETRY',
    `Unexpected state for state=${state}, location=null, table=${table}, region=${encodedName}`,
    { javaClass: DO_NOT_RETRY_REGION },
  )
}

function checkAreAdjacent({ regions }: TableRegions, sorted: readonly Region[]): void {
  for (const [index, region] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next === undefined || regions[regions.indexOf(region) + 1] === next) continue
    throw notMergeable(
      `Unable to merge non-adjacent or non-overlapping regions '${region.encodedName}', '${next.encodedName}' when force=false`,
    )
  }
}

function describe({ encodedName, name, startKey, endKey }: Region): string {
  const [full, start, end] = [name, startKey, endKey].map(toStringBinary)
  return `{ENCODED => ${encodedName}, NAME => '${full}', STARTKEY => '${start}', ENDKEY => '${end}'}`
}

function refused(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message)
}

function notMergeable(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message, {
    javaClass: 'org.apache.hadoop.hbase.exceptions.MergeRegionException',
  })
}
