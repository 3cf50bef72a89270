/**
 * The right answer to a read, defined over the list of all cells ever written, not as a walk over sorted cells. Slow and
 * plain.
 */

import type { FamilyRules } from '../../../../adapters/native/read/family-rules.ts'
import { compareBytes } from '../../../../src/model/bytes.ts'
import { CellType } from '../../../../src/model/cell.ts'
import type { Query, Scan } from '../../../../src/model/query.ts'
import { timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'
import type { WrittenCell } from './sorted-run.ts'

export interface OracleTable {
  readonly families: readonly FamilyRules[]
  readonly cells: readonly WrittenCell[]
  readonly now: number
}

function isTombstone(cell: WrittenCell): boolean {
  return cell.type !== CellType.Put
}

/** Cells in the order of a result: by column, newest first, of equal keys the later write first. */
function inOrder(cells: readonly WrittenCell[]): WrittenCell[] {
  return [...cells].sort(
    (a, b) =>
      compareBytes(a.qualifier, b.qualifier) ||
      Number(b.timestamp - a.timestamp) ||
      b.type - a.type ||
      b.sequenceId - a.sequenceId,
  )
}

function isLifeOver(cell: WrittenCell, now: number): boolean {
  return cell.tags !== undefined && cell.timestamp + cell.tags.readBigInt64BE(3) < BigInt(now)
}

function isExpired(cell: WrittenCell, rules: FamilyRules, now: number): boolean {
  return rules.timeToLiveMs !== Number.POSITIVE_INFINITY && cell.timestamp < BigInt(now - rules.timeToLiveMs)
}

function isInRange(cell: WrittenCell, query: Query): boolean {
  return query.timeRange.includes(timestampHigh(cell.timestamp), timestampLow(cell.timestamp))
}

/** True if the tombstone counts in this read. */
function isInForce(tombstone: WrittenCell, rules: FamilyRules, query: Query, now: number): boolean {
  if (isExpired(tombstone, rules, now) && rules.minVersions === 0) return false
  if (query.timeRange.isAllTime) return true
  return rules.keepDeletedCells === 'FALSE'
    ? tombstone.timestamp >= query.timeRange.min
    : isInRange(tombstone, query)
}

function hides(tombstone: WrittenCell, put: WrittenCell): boolean {
  const sameColumn = tombstone.qualifier.equals(put.qualifier)
  switch (tombstone.type) {
    case CellType.DeleteFamily:
      return put.timestamp <= tombstone.timestamp
    case CellType.DeleteFamilyVersion:
      return put.timestamp === tombstone.timestamp
    case CellType.DeleteColumn:
      return sameColumn && put.timestamp <= tombstone.timestamp
    default:
      return sameColumn && put.timestamp === tombstone.timestamp
  }
}

function withoutOverwritten(cells: readonly WrittenCell[]): WrittenCell[] {
  return cells.filter(
    (cell) =>
      !cells.some(
        (other) =>
          other.qualifier.equals(cell.qualifier) &&
          other.timestamp === cell.timestamp &&
          other.type === cell.type &&
          other.sequenceId > cell.sequenceId,
      ),
  )
}

/** The versions to show among the cells of one column, newest first. */
function versions(
  column: readonly WrittenCell[],
  rules: FamilyRules,
  explicit: boolean,
  maxVersions: number,
  now: number,
): WrittenCell[] {
  const shown: WrittenCell[] = []
  for (const cell of column) {
    const expired = isExpired(cell, rules, now)
    const kept = shown.length < rules.minVersions || !expired
    // HBase: ExplicitColumnTracker, for a column asked for by name, shows one expired version more than MIN_VERSIONS.
    const lastExpired = explicit && !shown.some((other) => isExpired(other, rules, now))
    if (shown.length >= maxVersions || !(kept || lastExpired)) break
    shown.push(cell)
  }
  return shown
}

function byColumn(cells: readonly WrittenCell[]): WrittenCell[][] {
  const columns = new Map<string, WrittenCell[]>()
  for (const cell of inOrder(cells)) {
    const key = cell.qualifier.toString('latin1')
    columns.set(key, [...(columns.get(key) ?? []), cell])
  }
  return [...columns.values()]
}

function familyOfRow(
  table: OracleTable,
  rules: FamilyRules,
  row: Buffer,
  query: Query,
  raw: boolean,
): WrittenCell[] {
  const { now } = table
  const asked = query.columns.find(({ family }) => family.equals(rules.name))
  if (query.columns.length > 0 && asked === undefined) return []
  const there = table.cells.filter(({ timestamp }) => query.asOf === undefined || timestamp <= query.asOf)
  const alive = there.filter(
    (cell) => cell.row.equals(row) && cell.family.equals(rules.name) && !isLifeOver(cell, now),
  )
  const tombstones = alive.filter((cell) => isTombstone(cell) && isInForce(cell, rules, query, now))
  const wanted = alive.filter(
    (cell) =>
      isInRange(cell, query) && (asked?.qualifiers?.some((other) => other.equals(cell.qualifier)) ?? true),
  )
  let shown: WrittenCell[]
  if (raw) {
    shown = byColumn(withoutOverwritten(wanted)).flatMap((column) => {
      const puts = column.filter((cell) => !isTombstone(cell))
      const firstTooMany = puts[query.maxVersions]
      return firstTooMany === undefined ? column : column.slice(0, column.indexOf(firstTooMany))
    })
  } else {
    const visible = wanted.filter(
      (cell) =>
        !isTombstone(cell) &&
        !(isExpired(cell, rules, now) && rules.minVersions === 0) &&
        !tombstones.some((tombstone) => hides(tombstone, cell)),
    )
    const explicit = asked?.qualifiers !== undefined
    const maxVersions = Math.min(query.maxVersions, rules.maxVersions)
    shown = byColumn(withoutOverwritten(visible)).flatMap((column) =>
      versions(column, rules, explicit, maxVersions, now),
    )
  }
  const { familyLimit, familyOffset } = query
  return familyLimit < 0
    ? shown.slice(familyOffset)
    : shown.slice(0, Math.max(1, familyLimit) + familyOffset).slice(familyOffset)
}

/** A row's cells as a get shows them. */
export function oracleRow(table: OracleTable, row: Buffer, query: Query, raw = false): WrittenCell[] {
  return table.families.flatMap((rules) => familyOfRow(table, rules, row, query, raw))
}

function isWithin(row: Buffer, scan: Scan): boolean {
  const { startRow, stopRow, includeStartRow, includeStopRow } = scan
  const direction = scan.reversed ? -1 : 1
  const start = direction * compareBytes(row, startRow)
  const stop = direction * compareBytes(row, stopRow)
  const started = startRow.length === 0 || start > 0 || (start === 0 && includeStartRow)
  const stopped = stopRow.length > 0 && (stop > 0 || (stop === 0 && !includeStopRow))
  return started && !stopped
}

/** All results of a scan: rows, or parts of rows where it has a batch. */
export function oracleScan(table: OracleTable, scan: Scan): WrittenCell[][] {
  const keys = new Set(table.cells.map((cell) => cell.row.toString('latin1')))
  const rows = [...keys].map((key) => Buffer.from(key, 'latin1')).sort(compareBytes)
  if (scan.reversed) rows.reverse()
  const results = rows
    .filter((row) => isWithin(row, scan))
    .map((row) => oracleRow(table, row, scan, scan.raw))
    .filter((cells) => cells.length > 0)
  const limited = scan.limit > 0 ? results.slice(0, scan.limit) : results
  if (scan.batch <= 0) return limited
  return limited.flatMap((cells) => {
    const parts: WrittenCell[][] = []
    for (let at = 0; at < cells.length; at += scan.batch) parts.push(cells.slice(at, at + scan.batch))
    return parts
  })
}
