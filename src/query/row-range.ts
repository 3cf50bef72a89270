import { compareBytes } from '../model/bytes.ts'
import type { Scan } from '../model/query.ts'
import type { StoredRow } from './stored-cell.ts'

/** The rows from `startKey` up to `endKey`, which is exclusive; EMPTY: from the first row, to the last. */
export interface KeyRange {
  readonly startKey: Buffer
  readonly endKey: Buffer
}

export function isInKeyRange(key: Buffer, { startKey, endKey }: KeyRange): boolean {
  return compareBytes(key, startKey) >= 0 && (endKey.length === 0 || compareBytes(key, endKey) < 0)
}

/** The regions that a scan reads, in its order. There is always one, since opening a region checks the scan, even a scan of no rows. */
export function regionsOfScan<Region extends KeyRange>(regions: readonly Region[], scan: Scan): Region[] {
  const within = regions.filter((region) => overlapsScan(region, scan))
  if (within.length === 0) return regions.slice(0, 1)
  return scan.reversed ? within.reverse() : within
}

function overlapsScan({ startKey, endKey }: KeyRange, scan: Scan): boolean {
  const [least, greatest] = scan.reversed ? [scan.stopRow, scan.startRow] : [scan.startRow, scan.stopRow]
  if (endKey.length > 0 && least.length > 0 && compareBytes(least, endKey) >= 0) return false
  return greatest.length === 0 || compareBytes(startKey, greatest) <= 0
}

/** The rows that the scan visits, in its order. `rows` are in the order of their keys. */
export function rowsOfScan(rows: readonly StoredRow[], scan: Scan): StoredRow[] {
  const visited = rows.filter(({ key }) => isInScan(key, scan))
  return scan.reversed ? visited.reverse() : visited
}

function isInScan(key: Buffer, scan: Scan): boolean {
  const { startRow, includeStartRow, stopRow, includeStopRow, reversed } = scan
  const fromStart = compareBytes(key, startRow) * (reversed ? -1 : 1)
  const fromStop = compareBytes(key, stopRow) * (reversed ? -1 : 1)
  return (
    (startRow.length === 0 || fromStart > 0 || (fromStart === 0 && includeStartRow)) &&
    (stopRow.length === 0 || fromStop < 0 || (fromStop === 0 && includeStopRow))
  )
}
