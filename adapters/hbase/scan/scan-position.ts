/** Where a scan is to be taken up, and the regions that it goes through on its way. */

import { compareBytes } from '../../../src/model/bytes.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import type { RegionLocator } from '../cluster/region-locator.ts'
import type { Attempt } from '../retry/retrier.ts'

export interface ScanPosition {
  /** EMPTY: the first row of the table (reversed: the last). */
  readonly row: Buffer
  /** The row itself too. */
  readonly inclusive: boolean
}

const ZERO = Buffer.alloc(1)

export function scanStart({ startRow, includeStartRow }: Scan): ScanPosition {
  return { row: startRow, inclusive: includeStartRow || startRow.length === 0 }
}

/** The region in which the scan goes on. Throws as RegionLocator.locate. */
export function locatePosition(
  locator: RegionLocator,
  table: TableName,
  { reversed }: Scan,
  { row, inclusive }: ScanPosition,
  attempt: Attempt,
): Promise<LocatedRegion> {
  if (reversed && (row.length === 0 || !inclusive)) return locator.locateBefore(table, row, attempt)
  return locator.locate(table, inclusive ? row : Buffer.concat([row, ZERO]), attempt)
}

/** The position in a region for one that may lie before it; undefined where it lies behind it. */
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

/** Where the scan goes on behind a region that has no more; undefined where that was the last. */
export function positionAfter(region: LocatedRegion, scan: Scan): ScanPosition | undefined {
  const { stopRow } = scan
  if (scan.reversed) {
    const { startKey } = region
    if (startKey.length === 0) return undefined
    // The rows before startKey: the stop row is none of them where it is startKey.
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
