/** The position at which a scan continues, and the region there. */

import { compareBytes } from '../../../src/model/bytes.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import type { RegionLocator } from '../cluster/region-locator.ts'
import type { Attempt } from '../retry/retrier.ts'

export interface ScanPosition {
  /** EMPTY: the first row of the table (reversed: the last). */
  readonly row: Buffer
  /** True: the scan continues with the row itself; false: after it. */
  readonly inclusive: boolean
}

const ZERO = Buffer.alloc(1)

export function scanStart({ startRow, includeStartRow }: Scan): ScanPosition {
  return { row: startRow, inclusive: includeStartRow || startRow.length === 0 }
}

/** The most regions that one lookup reads ahead for a scan. */
const AHEAD_MAX = 200

/**
 * The region in which the scan continues. `passed`: the number of regions that it has read to their ends, and will likely read again.
 * Throws as RegionLocator.locate.
 */
export function locatePosition(
  locator: RegionLocator,
  table: TableName,
  { reversed }: Scan,
  { row, inclusive }: ScanPosition,
  passed: number,
  attempt: Attempt,
): Promise<LocatedRegion> {
  if (passed > 0 && !reversed && inclusive)
    return locator.locateNext(table, row, Math.min(passed, AHEAD_MAX), attempt)
  if (reversed && (row.length === 0 || !inclusive)) return locator.locateBefore(table, row, attempt)
  return locator.locate(table, inclusive ? row : Buffer.concat([row, ZERO]), attempt)
}

/** The position, moved into the region if it lies before it; undefined where it lies after it. */
export function positionWithin(
  { startKey, endKey }: LocatedRegion,
  { reversed }: Scan,
  position: ScanPosition,
): ScanPosition | undefined {
  const { row, inclusive } = position
  if (reversed) {
    const isBefore = row.length === 0 || (endKey.length > 0 && compareBytes(row, endKey) >= 0)
    if (isBefore) return { row: endKey, inclusive: endKey.length === 0 }
    const order = compareBytes(row, startKey)
    return order > 0 || (order === 0 && inclusive) ? position : undefined
  }
  if (compareBytes(row, startKey) < 0) return { row: startKey, inclusive: true }
  return endKey.length === 0 || compareBytes(row, endKey) < 0 ? position : undefined
}

/** The position after a finished region; undefined where the scan ends with that region. */
export function positionAfter(region: LocatedRegion, scan: Scan): ScanPosition | undefined {
  const { stopRow } = scan
  if (scan.reversed) {
    const { startKey } = region
    if (startKey.length === 0) return undefined
    // The scan continues before startKey. A stop row equal to startKey is no longer on its way.
    if (stopRow.length > 0 && compareBytes(startKey, stopRow) <= 0) return undefined
    return { row: startKey, inclusive: false }
  }
  const { endKey } = region
  if (endKey.length === 0) return undefined
  if (stopRow.length > 0) {
    const order = compareBytes(stopRow, endKey)
    if (order < 0 || (order === 0 && !scan.includeStopRow)) return undefined
  }
  return { row: endKey, inclusive: true }
}
