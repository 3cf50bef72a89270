/** Whether a region is to be split, and where. HBase: RegionSplitPolicy and the classes that extend it. */

import { compareBytes } from '../../../src/model/bytes.ts'
import type { Attributes } from '../../../src/model/descriptor.ts'
import { splitPolicyOf } from '../../../src/model/table-split-policy.ts'
import { HFile } from '../hfile/hfile.ts'
import type { SplitOptions } from '../options/split-options.ts'
import type { FamilyStore } from '../region/family-store.ts'
import { hasHalves } from '../region/half-files.ts'
import type { Region } from '../region/region.ts'

export interface SplitSituation {
  readonly options: SplitOptions
  /** The size at which the region's memstore is flushed. */
  readonly flushBytes: number
  /** Open regions of the region's table. */
  readonly regionsOfTable: number
}

/** Name of the region's policy, without its package. */
function policyOf({ table }: Region, { policy }: SplitOptions): string {
  const name = splitPolicyOf(table) ?? policy
  return name.slice(name.lastIndexOf('.') + 1)
}

/** False for a region that not even a client may split. HBase: HRegion.isSplittable. */
export function isSplittable(region: Region, options: SplitOptions): boolean {
  return policyOf(region, options) !== 'DisabledRegionSplitPolicy'
}

/** Whether the region is large enough to be split by itself. HBase: RegionSplitPolicy.shouldSplit. */
export function shouldSplit(region: Region, situation: SplitSituation): boolean {
  const { options } = situation
  if (!isSplittable(region, options)) return false
  // A region with halves of files has just been split: its compaction comes first.
  if (region.stores.some(hasHalves)) return false
  const sizes = region.stores.map(({ fileBytes }) => fileBytes)
  const limit = sizeToSplit(region, situation)
  if (options.overallFiles) return sizes.reduce((sum, bytes) => sum + bytes, 0) > limit
  return sizes.some((bytes) => bytes > limit)
}

function sizeToSplit(region: Region, { options, flushBytes, regionsOfTable }: SplitSituation): number {
  const desired = desiredBytes(region, options)
  const initial = options.initialBytes ?? 2 * flushBytes
  const policy = policyOf(region, options)
  if (policy === 'ConstantSizeRegionSplitPolicy') return desired
  if (policy === 'SteppingSplitPolicy') return regionsOfTable === 1 ? initial : desired
  // The two policies of prefixes grow so, too. HBase: IncreasingToUpperBoundRegionSplitPolicy.getSizeToCheck.
  return regionsOfTable === 0 || regionsOfTable > 100
    ? desired
    : Math.min(desired, initial * regionsOfTable ** 3)
}

function desiredBytes({ table, encodedName }: Region, { fileBytesMax, jitter }: SplitOptions): number {
  const stated = Number(table.attributes.get('MAX_FILESIZE') ?? Number.NaN)
  const bytes = stated > 0 ? stated : fileBytesMax
  // HBase draws a number when it opens a region. The hash in its name is one, too, and stays the same.
  const drawn = Number.parseInt(encodedName.slice(0, 8), 16) / 2 ** 32
  return bytes + Math.trunc(bytes * (drawn - 0.5) * jitter)
}

/** The row at which the region is best split; undefined where there is none. HBase: RegionSplitPolicy.getSplitPoint. */
export function splitPoint(region: Region, options: SplitOptions): Buffer | undefined {
  let point: Buffer | undefined
  let bytesOfPoint = 0
  for (const store of region.stores) {
    const middle = middleRow(store)
    if (middle === undefined || store.fileBytes <= bytesOfPoint) continue
    point = middle
    bytesOfPoint = store.fileBytes
  }
  return point && restrictedSplitPoint(region.table.attributes, prefixOfPolicy(region, options, point))
}

function prefixOfPolicy(region: Region, options: SplitOptions, point: Buffer): Buffer {
  const { attributes } = region.table
  switch (policyOf(region, options)) {
    case 'KeyPrefixRegionSplitPolicy': {
      const current = attributes.get('KeyPrefixRegionSplitPolicy.prefix_length')
      return prefixOfLength(point, current ?? attributes.get('prefix_split_key_policy.prefix_length'))
    }
    case 'DelimitedKeyPrefixRegionSplitPolicy':
      return prefixBefore(point, attributes.get('DelimitedKeyPrefixRegionSplitPolicy.delimiter'))
    default:
      return point
  }
}

const RESTRICTION = 'hbase.regionserver.region.split_restriction'

/** Cuts a split point down to what the table allows, one that a client gives too. HBase: RegionSplitRestriction. */
export function restrictedSplitPoint(attributes: Attributes, point: Buffer): Buffer {
  const type = attributes.get(`${RESTRICTION}.type`)
  if (type === 'KeyPrefix') return prefixOfLength(point, attributes.get(`${RESTRICTION}.prefix_length`))
  if (type === 'DelimitedKeyPrefix') return prefixBefore(point, attributes.get(`${RESTRICTION}.delimiter`))
  return point
}

function prefixOfLength(point: Buffer, stated: string | undefined): Buffer {
  const length = /^\d{1,9}$/.test(stated ?? '') ? Number(stated) : 0
  return length > 0 ? point.subarray(0, length) : point
}

function prefixBefore(point: Buffer, delimiter: string | undefined): Buffer {
  if (delimiter === undefined || delimiter.length === 0) return point
  const at = point.indexOf(delimiter)
  return at > 0 ? point.subarray(0, at) : point
}

/** The row in the middle of the largest file, unless it is the file's first or last. HBase: StoreUtils.getFileSplitPoint. */
function middleRow(store: FamilyStore): Buffer | undefined {
  if (hasHalves(store)) return undefined
  let largest: HFile | undefined
  for (const { run } of store.files) {
    if (run instanceof HFile && (largest === undefined || run.fileBytes > largest.fileBytes)) largest = run
  }
  const key = largest?.middleKey()
  if (largest === undefined || key === undefined) return undefined
  const row = key.subarray(2, 2 + key.readUInt16BE(0))
  const isAtEdge = compareBytes(row, largest.firstRow) === 0 || compareBytes(row, largest.lastRow) === 0
  return isAtEdge ? undefined : Buffer.from(row)
}
