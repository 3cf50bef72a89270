/**
 * Which cells of a row a reader sees: HBase's rules (ScanQueryMatcher and the trackers of columns and deletes) as filters
 * over a sorted array, one after the other.
 */

import { compareBytes } from '../../src/model/bytes.ts'
import { CellType } from '../../src/model/cell.ts'
import {
  type FamilyDescriptor,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  TTL_FOREVER,
  timeToLiveSecondsOf,
} from '../../src/model/descriptor.ts'
import type { Query } from '../../src/model/query.ts'
import type { TimeRange } from '../../src/model/time-range.ts'
import { LATEST_TIMESTAMP, MIN_TIMESTAMP, timestampHigh, timestampLow } from '../../src/model/timestamp.ts'
import { isTombstone, type StoredCell } from './stored-cell.ts'

/** A family that is read. */
export interface ReadColumns {
  readonly family: FamilyDescriptor
  /** undefined or empty: every column. */
  readonly qualifiers: readonly Buffer[] | undefined
}

/** What is read of one family, and by which rules. */
interface FamilyRead {
  /** undefined: every column. */
  readonly qualifiers: readonly Buffer[] | undefined
  readonly range: TimeRange
  readonly maxVersions: number
  readonly minVersions: number
  readonly keepsDeletedCells: boolean
  /** Cells before this time have expired. */
  readonly oldest: bigint
  readonly raw: boolean
}

/**
 * What a query sees of a row. `cells` are in HBase's order, of equal keys the newer first; `now`, in milliseconds since
 * 1970, is what times to live are held against. A raw read sees tombstones and what they hide.
 */
export function visibleCells(
  cells: readonly StoredCell[],
  columns: readonly ReadColumns[],
  query: Query,
  now: bigint,
  raw: boolean,
): StoredCell[] {
  const alive = cells.filter((cell) => !hasOutlivedItself(cell, now))
  return columns.flatMap((read) => {
    const ofFamily = alive.filter((cell) => cell.family.equals(read.family.name))
    const shown = visibleOfFamily(ofFamily, familyRead(read, query, now, raw))
    const limit = query.familyLimit < 0 ? Number.POSITIVE_INFINITY : query.familyLimit
    return shown.slice(query.familyOffset, query.familyOffset + limit)
  })
}

function familyRead(
  { family, qualifiers }: ReadColumns,
  query: Query,
  now: bigint,
  raw: boolean,
): FamilyRead {
  return {
    qualifiers: qualifiers?.length === 0 ? undefined : qualifiers,
    range: query.familyTimeRanges?.get(family.name.toString('latin1')) ?? query.timeRange,
    maxVersions: raw ? query.maxVersions : Math.min(query.maxVersions, maxVersionsOf(family)),
    minVersions: minVersionsOf(family),
    keepsDeletedCells: keepDeletedCellsOf(family) !== 'FALSE',
    oldest: raw ? MIN_TIMESTAMP : oldestAlive(family, now),
    raw,
  }
}

function visibleOfFamily(cells: readonly StoredCell[], read: FamilyRead): StoredCell[] {
  const tombstones = read.raw ? [] : cells.filter((cell) => isTombstone(cell) && isHeeded(cell, read))
  return columnsOf(cells, read).flatMap((column) => visibleVersions(column, tombstones, read))
}

/** The cells of each column that is asked for. */
function columnsOf(cells: readonly StoredCell[], read: FamilyRead): StoredCell[][] {
  const columns: StoredCell[][] = []
  for (const cell of cells) {
    if (read.qualifiers !== undefined && !read.qualifiers.some((wanted) => wanted.equals(cell.qualifier))) {
      continue
    }
    const column = columns.at(-1)
    if (column !== undefined && compareBytes(column[0]!.qualifier, cell.qualifier) === 0) column.push(cell)
    else columns.push([cell])
  }
  return columns
}

/** From the newest version of a column to the oldest that may be seen. */
function visibleVersions(
  column: readonly StoredCell[],
  tombstones: readonly StoredCell[],
  read: FamilyRead,
): StoredCell[] {
  const { range, minVersions, maxVersions, raw } = read
  const explicit = read.qualifiers !== undefined
  const shown: StoredCell[] = []
  let versions = 0
  for (const cell of column) {
    const expired = cell.timestamp < read.oldest
    if (expired && minVersions === 0) break
    if (!raw && isTombstone(cell)) continue
    if (!range.includes(timestampHigh(cell.timestamp), timestampLow(cell.timestamp))) continue
    if (tombstones.some((tombstone) => hides(tombstone, cell)) || isOverwritten(cell, shown.at(-1))) continue
    // As in HBase, a read of named columns does not find a cell at the last of all times.
    if (explicit && cell.timestamp === LATEST_TIMESTAMP) continue
    if (!isTombstone(cell)) versions++
    if (versions > maxVersions) break
    // As in HBase, a read of named columns lets the first expired version through, though MIN_VERSIONS is reached.
    if (expired && versions > minVersions && !explicit) break
    shown.push(cell)
    if (expired && versions >= minVersions && explicit) break
  }
  return shown
}

/** Of cells with one key the newest, which comes first, counts. */
function isOverwritten(cell: StoredCell, before: StoredCell | undefined): boolean {
  return before !== undefined && before.timestamp === cell.timestamp && before.type === cell.type
}

function hides(tombstone: StoredCell, cell: StoredCell): boolean {
  const sameColumn = tombstone.qualifier.equals(cell.qualifier)
  switch (tombstone.type) {
    case CellType.DeleteFamily:
      return cell.timestamp <= tombstone.timestamp
    case CellType.DeleteFamilyVersion:
      return cell.timestamp === tombstone.timestamp
    case CellType.DeleteColumn:
      return sameColumn && cell.timestamp <= tombstone.timestamp
    default:
      return sameColumn && cell.timestamp === tombstone.timestamp
  }
}

/**
 * A tombstone after the time range still hides what lies in the range, unless the family keeps deleted cells: then a
 * reader that looks at a time before the deletion sees what was there.
 */
function isHeeded(tombstone: StoredCell, read: FamilyRead): boolean {
  const { range } = read
  if (tombstone.timestamp < read.oldest && read.minVersions === 0) return false
  const high = timestampHigh(tombstone.timestamp)
  const low = timestampLow(tombstone.timestamp)
  if (read.keepsDeletedCells) return range.includes(high, low)
  return range.isAllTime || range.startsAtOrBefore(high, low)
}

/** By the family's TTL, which raw scans do not look at. */
function oldestAlive(family: FamilyDescriptor, now: bigint): bigint {
  const seconds = timeToLiveSecondsOf(family)
  return seconds === TTL_FOREVER ? MIN_TIMESTAMP : now - BigInt(seconds) * 1000n
}

/** The cell's own TTL, in Java's arithmetic: past Long.MAX_VALUE it wraps around. */
function hasOutlivedItself(cell: StoredCell, now: bigint): boolean {
  return cell.ttlMs !== undefined && BigInt.asIntN(64, cell.timestamp + BigInt(cell.ttlMs)) < now
}
