/**
 * The cells of a row that a reader sees: the rules of HBase (ScanQueryMatcher and the trackers of columns and deletes) as
 * successive filters over a sorted array.
 */

import { compareBytes } from '../model/bytes.ts'
import { TagType, tagValues } from '../model/cell-tags.ts'
import {
  type FamilyDescriptor,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  timeToLiveSecondsOf,
} from '../model/descriptor.ts'
import type { Query } from '../model/query.ts'
import type { TimeRange } from '../model/time-range.ts'
import { TTL_FOREVER } from '../model/time-to-live.ts'
import { LATEST_TIMESTAMP, MIN_TIMESTAMP, timestampHigh, timestampLow } from '../model/timestamp.ts'
import { hiddenByLabels } from './hidden-by-labels.ts'
import { hasNewVersionBehavior, presentPuts } from './present-puts.ts'
import type { ReadColumns } from './read-columns.ts'
import { hides, isTombstone, type StoredCell } from './stored-cell.ts'

const LONG_BYTES = 8

/** The rules by which one family is read. */
interface FamilyRead {
  readonly family: FamilyDescriptor
  /** The columns to read; undefined: every column. */
  readonly qualifiers: readonly Buffer[] | undefined
  readonly range: TimeRange
  readonly sieve: CellSieve | undefined
  readonly maxVersions: number
  readonly minVersions: number
  readonly keepsDeletedCells: boolean
  /** Cells before this time have expired. */
  readonly oldest: bigint
  readonly raw: boolean
  readonly isLabelled: boolean
}

/** Decides on the cells of one family of a row, in their order. */
export interface CellSieve {
  /** True where the sieve skips the cell, tombstone or not, without asking the filter. */
  passesOver(cell: StoredCell): boolean
  /** Decides on a cell that the other rules pass. The cell to show, or undefined. */
  sift(cell: StoredCell): StoredCell | undefined
  /** The cells that the sieve wants no more of, after the last cell that it saw. */
  readonly leaves: 'nothing' | 'column' | 'family'
}

/**
 * The cells of a row that a query sees. `cells` are in cell order, of equal keys the newer first; cells expire by `now`,
 * in milliseconds since 1970. A raw read sees tombstones and the cells that they hide. A sieve counts the query's
 * versions itself: with one, only the family's number of versions counts here, but for a family with NEW_VERSION_BEHAVIOR.
 */
export function visibleCells(
  cells: readonly StoredCell[],
  columns: readonly ReadColumns[],
  query: Query,
  now: bigint,
  raw: boolean,
  sieve?: CellSieve,
): StoredCell[] {
  const alive = cells.filter((cell) => !hasOutlivedItself(cell, now))
  return columns.flatMap((read) => {
    const ofFamily = alive.filter((cell) => cell.family.equals(read.family.name))
    const shown = visibleOfFamily(ofFamily, familyRead(read, query, now, raw, sieve))
    const limit = query.familyLimit < 0 ? Number.POSITIVE_INFINITY : query.familyLimit
    return shown.slice(query.familyOffset, query.familyOffset + limit)
  })
}

function familyRead(
  { family, qualifiers, isLabelled = false }: ReadColumns,
  query: Query,
  now: bigint,
  raw: boolean,
  sieve: CellSieve | undefined,
): FamilyRead {
  // HBase: ScanQueryMatcher.getTrackers, whose NewVersionBehaviorTracker counts the query's versions before a filter sees them.
  const countsAll = sieve === undefined || (!raw && hasNewVersionBehavior(family))
  const asked = countsAll ? query.maxVersions : Number.POSITIVE_INFINITY
  return {
    family,
    qualifiers: qualifiers?.length === 0 ? undefined : qualifiers,
    range: query.familyTimeRanges?.get(family.name.toString('latin1')) ?? query.timeRange,
    sieve,
    maxVersions: raw ? asked : Math.min(asked, maxVersionsOf(family)),
    minVersions: minVersionsOf(family),
    keepsDeletedCells: keepDeletedCellsOf(family) !== 'FALSE',
    oldest: raw ? MIN_TIMESTAMP : oldestAlive(family, now),
    raw,
    isLabelled,
  }
}

function visibleOfFamily(cells: readonly StoredCell[], read: FamilyRead): StoredCell[] {
  const tombstones = read.raw ? [] : cells.filter((cell) => isTombstone(cell) && isHeeded(cell, read))
  const isByWrites = !read.raw && hasNewVersionBehavior(read.family)
  const heeded = cells.filter((cell) => !isTombstone(cell) || tombstones.includes(cell))
  const isPresent = isByWrites ? presence(heeded, read) : () => true
  const isByLabels = read.isLabelled && !read.raw && !isByWrites
  const hidden = isByLabels ? new Set(hiddenByLabels(heeded)) : undefined
  const shown: StoredCell[] = []
  for (const column of cellsByColumn(cells, read)) {
    if (read.sieve?.leaves === 'family') break
    shown.push(...visibleVersions(column, isByWrites ? [] : tombstones, isPresent, read, hidden))
  }
  return shown
}

/** Tests whether a put is present, by the writes that the sieve does not skip: a skipped tombstone hides nothing. */
function presence(
  cells: readonly StoredCell[],
  { family, sieve, isLabelled }: FamilyRead,
): (cell: StoredCell) => boolean {
  if (sieve === undefined) {
    const present = new Set(presentPuts(cells, family, isLabelled))
    return (cell) => present.has(cell)
  }
  return (cell) => {
    const seen = cells.filter((other) => !sieve.passesOver(other))
    return presentPuts(seen, family, isLabelled).includes(cell)
  }
}

/** The cells of each column that the query asks for. */
function cellsByColumn(cells: readonly StoredCell[], read: FamilyRead): StoredCell[][] {
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

/** The versions of a column that a reader may see, from the newest on. */
function visibleVersions(
  column: readonly StoredCell[],
  tombstones: readonly StoredCell[],
  isPresent: (cell: StoredCell) => boolean,
  read: FamilyRead,
  hidden?: ReadonlySet<StoredCell>,
): StoredCell[] {
  const { range, minVersions, maxVersions, raw, sieve } = read
  const explicit = read.qualifiers !== undefined && !hasNewVersionBehavior(read.family)
  const shown: StoredCell[] = []
  let before: StoredCell | undefined
  let versions = 0
  for (const cell of column) {
    if (sieve?.passesOver(cell) === true || !isPresent(cell)) continue
    const expired = cell.timestamp < read.oldest
    if (expired && minVersions === 0) break
    if (!raw && isTombstone(cell)) continue
    if (!range.includes(timestampHigh(cell.timestamp), timestampLow(cell.timestamp))) continue
    const isHidden =
      hidden?.has(cell) ??
      tombstones.some((tombstone) => hides(tombstone, cell) && sieve?.passesOver(tombstone) !== true)
    if (isHidden || isOverwritten(cell, before)) continue
    // HBase: ExplicitColumnTracker, which does not find a cell at Long.MAX_VALUE.
    if (explicit && cell.timestamp === LATEST_TIMESTAMP) continue
    if (!isTombstone(cell)) versions++
    if (versions > maxVersions) break
    // QUIRK engine-ttl-two-days-1-2-3-8-versions-10-column: a read of named columns lets the first expired version
    // through, though MIN_VERSIONS is reached.
    if (expired && versions > minVersions && !explicit) break
    before = cell
    const sifted = sieve === undefined ? cell : sieve.sift(cell)
    if (sifted !== undefined) shown.push(sifted)
    if (sieve !== undefined && endsColumn(sieve, cell, read.qualifiers !== undefined)) break
    if (expired && versions >= minVersions && explicit) break
  }
  return shown
}

/**
 * True where the sieve ends the column. The column without a qualifier is read to its end. HBase: UserScanQueryMatcher,
 * which looks for tombstones of the family there.
 */
function endsColumn({ leaves }: CellSieve, cell: StoredCell, explicit: boolean): boolean {
  return leaves === 'family' || (leaves === 'column' && (explicit || cell.qualifier.length > 0))
}

/** True for a cell that a newer one with the same key, which comes first, overwrites. */
function isOverwritten(cell: StoredCell, before: StoredCell | undefined): boolean {
  return before !== undefined && before.timestamp === cell.timestamp && before.type === cell.type
}

/**
 * True for a tombstone that counts in this read. A tombstone after the time range still hides cells of the range.
 * QUIRK engine-history-five-then-delete-column-5-kept-at-3: in a family that keeps deleted cells, a read of a time before
 * the deletion sees the cells of that time.
 */
function isHeeded(tombstone: StoredCell, read: FamilyRead): boolean {
  const { range } = read
  if (tombstone.timestamp < read.oldest && read.minVersions === 0) return false
  const high = timestampHigh(tombstone.timestamp)
  const low = timestampLow(tombstone.timestamp)
  if (read.keepsDeletedCells) return range.includes(high, low)
  return range.isAllTime || range.startsAtOrBefore(high, low)
}

/** The earliest timestamp that is within the family's TTL. Raw scans ignore the TTL. */
export function oldestAlive(family: FamilyDescriptor, now: bigint): bigint {
  const seconds = timeToLiveSecondsOf(family)
  return seconds === TTL_FOREVER || seconds < 0 ? MIN_TIMESTAMP : now - BigInt(seconds) * 1000n
}

/** True where the cell's own TTL is over. Java adds timestamp and TTL, so past Long.MAX_VALUE the sum wraps around. */
export function hasOutlivedItself({ tags, timestamp }: StoredCell, now: bigint): boolean {
  if (tags === undefined) return false
  const life = tagValues(tags, TagType.TimeToLive).find((value) => value.length === LONG_BYTES)
  return life !== undefined && BigInt.asIntN(64, timestamp + life.readBigInt64BE()) < now
}
