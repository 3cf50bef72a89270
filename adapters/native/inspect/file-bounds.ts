import { compareBytes } from '../../../src/model/bytes.ts'
import type { FileRecord, RegionRecord } from '../manifest/manifest-edit.ts'

export interface FileBounds {
  /** The rows of the file that count: from `startKey` on, and before `endKey`; an EMPTY one is open. */
  readonly startKey: Buffer
  readonly endKey: Buffer
  /** Whether the file may have other rows, which are not the region's, before `startKey`, and from `endKey` on. */
  readonly hasEarlierRows: boolean
  readonly hasLaterRows: boolean
}

/** A split leaves each half the whole file, and the rows of it that count. */
export function fileBounds({ startKey, endKey }: RegionRecord, { from, to }: FileRecord): FileBounds {
  const isLater = from !== undefined && compareBytes(from, startKey) > 0
  const isEarlier = to !== undefined && to.length > 0 && (endKey.length === 0 || compareBytes(to, endKey) < 0)
  return {
    startKey: isLater ? from : startKey,
    endKey: isEarlier ? to : endKey,
    hasEarlierRows: from !== undefined,
    hasLaterRows: to !== undefined,
  }
}

/** Whether the rows of a file that count lie in its region. */
export function isWithinRegion({ from, to }: FileRecord, { startKey, endKey }: RegionRecord): boolean {
  if (from !== undefined) {
    if (compareBytes(from, startKey) < 0) return false
    if (endKey.length > 0 && compareBytes(from, endKey) >= 0) return false
  }
  if (to === undefined) return true
  const isAfterStart = to.length > 0 && compareBytes(to, from ?? startKey) > 0
  return isAfterStart && (endKey.length === 0 || compareBytes(to, endKey) <= 0)
}

/** The record with the rows of it that its region can have; the caller has looked that there are some. */
export function withinRegion(file: FileRecord, region: RegionRecord): FileRecord {
  const { startKey, endKey } = fileBounds(region, file)
  const { from, to, ...rest } = file
  return {
    ...rest,
    ...(from !== undefined && { from: startKey }),
    ...(to !== undefined && endKey.length > 0 && { to: endKey }),
  }
}
