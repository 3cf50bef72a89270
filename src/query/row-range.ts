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

/**
 * The regions of `regionsOfScan` as the indexes of the first one and behind the last one, found by a search. `regions`: in the order of their keys,
 * without gaps.
 */
export function rangeOfScan(regions: readonly KeyRange[], scan: Scan): { from: number; to: number } {
  const [least, greatest] = scan.reversed ? [scan.stopRow, scan.startRow] : [scan.startRow, scan.stopRow]
  const from =
    least.length === 0
      ? 0
      : countWhile(regions, ({ endKey }) => endKey.length > 0 && compareBytes(endKey, least) <= 0)
  const to =
    greatest.length === 0
      ? regions.length
      : countWhile(regions, ({ startKey }) => compareBytes(startKey, greatest) <= 0)
  return from < to ? { from, to } : { from: 0, to: 1 }
}

/** How many of the first ones are such. */
function countWhile<Element>(list: readonly Element[], isSuch: (element: Element) => boolean): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isSuch(list[middle]!)) low = middle + 1
    else high = middle
  }
  return low
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
