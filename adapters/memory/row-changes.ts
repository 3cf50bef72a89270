/**
 * The cells that a change of a row writes, computed from the present row. HBase prepares a whole batch before it applies any
 * of it (HRegion.batchMutate), so no mutation sees another one of its batch.
 */

import { EMPTY } from '../../src/model/bytes.ts'
import { type CellParts, CellType } from '../../src/model/cell.ts'
import { CellBlock, cellsOf } from '../../src/model/cell-block.ts'
import { tagsOfMutation } from '../../src/model/cell-tags.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { Condition, MutationOptions, RowOperation } from '../../src/model/mutation.ts'
import { get } from '../../src/model/query.ts'
import { TimeRange } from '../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../src/model/timestamp.ts'
import { timestampSlopMs, timestampTooNew } from '../../src/model/timestamp-slop.ts'
import { conditionGet, conditionHolds } from '../../src/query/condition.ts'
import { appendedValue, incrementedValue } from '../../src/query/delta-values.ts'
import { compareWithinRow, type StoredCell } from '../../src/query/stored-cell.ts'
import type { MemoryTable } from './memory-table.ts'

/** The times, in milliseconds since 1970, that replace Long.MAX_VALUE in a change. */
export interface ChangeTimes {
  readonly now: bigint
  /** The time of puts. It is not before the cell that a condition was checked against, so that this cell does not hide a put. */
  readonly put: bigint
}

/**
 * The cells that puts and deletes write. Throws NO_SUCH_COLUMN_FAMILY, and ILLEGAL_ARGUMENT for a negative timestamp.
 */
export function mutatedCells(
  table: MemoryTable,
  block: CellBlock,
  times: ChangeTimes,
  { tags: added, ttlMs }: MutationOptions,
): StoredCell[] {
  const newestDeletes = new Map<string, number>()
  const cells = checkedCells(table, block)
  checkTimestamps(table, cells, times.now)
  return cells.flatMap((cell) => {
    return changedFamilies(table, cell).map((family) => {
      const tags = tagsOfMutation(cell.tags ?? EMPTY, added, ttlMs)
      const timestamp = timestampOfChange(table, { ...cell, family, tags }, times, newestDeletes)
      return withTags({ ...cell, family, timestamp }, tags)
    })
  })
}

/** The cells of the block, as copies that do not share the caller's buffer. */
function checkedCells(table: MemoryTable, block: CellBlock): CellParts[] {
  const cells = cellsOf(new CellBlock(Buffer.from(block.buffer.subarray(block.start, block.end))))
  for (const { timestamp } of cells) {
    if (timestamp < 0n) {
      throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestamp}`)
    }
  }
  // HBase names the first, in byte order, of several missing families.
  for (const cell of cells.toSorted(compareWithinRow)) changedFamilies(table, cell)
  return cells
}

function checkTimestamps(table: MemoryTable, cells: readonly CellParts[], now: bigint): void {
  const slop = timestampSlopMs(table.descriptor, Number.POSITIVE_INFINITY)
  const tooNew = cells.find(({ type, timestamp }) => {
    return type === CellType.Put && timestamp !== LATEST_TIMESTAMP && Number(timestamp - now) > slop
  })
  if (tooNew !== undefined) throw timestampTooNew(tooNew, slop)
}

/** The families of a cell. A tombstone without a family stands for one in every family of the table. */
function changedFamilies(table: MemoryTable, cell: CellParts): Buffer[] {
  const ofRow = cell.type === CellType.DeleteFamily || cell.type === CellType.DeleteFamilyVersion
  if (cell.family.length === 0 && ofRow) return table.descriptor.families.map((family) => family.name)
  return [table.family(cell.family, cell.row).name]
}

function timestampOfChange(
  table: MemoryTable,
  cell: CellParts,
  times: ChangeTimes,
  newestDeletes: Map<string, number>,
): bigint {
  if (cell.timestamp !== LATEST_TIMESTAMP) return cell.timestamp
  if (cell.type === CellType.Put) return times.put
  if (cell.type !== CellType.Delete) return times.now
  // QUIRK thrift2-delete-field-f-a-f-a-delete-column: the nth such tombstone of a column deletes its nth newest version,
  // or nothing if there are fewer.
  const column = `${cell.family.toString('hex')}:${cell.qualifier.toString('hex')}`
  const count = (newestDeletes.get(column) ?? 0) + 1
  newestDeletes.set(column, count)
  const columns = [{ family: cell.family, qualifiers: [cell.qualifier] }]
  const visibility = table.isLabelled ? { kind: 'same' as const, tags: cell.tags ?? EMPTY } : undefined
  const versions = table.read(cell.row, get(cell.row, { columns, maxVersions: count, visibility }), times.now)
  return versions[count - 1]?.timestamp ?? times.now
}

/**
 * The new cells of increments and appends, which are both written and returned. Throws as mutatedCells, and DO_NOT_RETRY
 * for an increment where a value or an amount is not 8 bytes.
 */
export function addedCells(
  table: MemoryTable,
  operation: Exclude<RowOperation, { kind: 'mutate' }>,
  now: bigint,
  { tags: added, ttlMs }: MutationOptions,
): StoredCell[] {
  const deltas = checkedCells(table, operation.cells).sort(compareWithinRow)
  const newValue = operation.kind === 'increment' ? incrementedValue : appendedValue
  return deltas.map((delta) => {
    const present = newestCell(table, delta, operation.timeRange, now)
    const carried = Buffer.concat([delta.tags ?? EMPTY, present?.tags ?? EMPTY])
    const cell = {
      ...delta,
      timestamp: present === undefined ? presentTime(delta, now) : later(present.timestamp + 1n, now),
      value: newValue(present?.value, delta.value),
    }
    return withTags(cell, tagsOfMutation(carried, added, ttlMs))
  })
}

/** The answer to a repeated increment or append: the cells that the first request wrote, as of its read point. */
export function answeredCells(
  table: MemoryTable,
  operations: readonly RowOperation[],
  now: bigint,
  readPoint: bigint,
): StoredCell[] {
  return operations.flatMap((operation) => {
    if (operation.kind === 'mutate' || operation.returnResults === false) return []
    const deltas = cellsOf(operation.cells).sort(compareWithinRow)
    return deltas.flatMap((delta) => newestCell(table, delta, operation.timeRange, now, readPoint) ?? [])
  })
}

function newestCell(
  table: MemoryTable,
  { row, family, qualifier }: { row: Buffer; family: Buffer; qualifier: Buffer },
  timeRange: TimeRange = TimeRange.ALL,
  now: bigint,
  readPoint?: bigint,
): StoredCell | undefined {
  const query = get(row, { columns: [{ family, qualifiers: [qualifier] }], timeRange, withTags: true })
  return table.read(row, query, now, readPoint)[0]
}

/** The cell with these tags and no others. */
export function withTags<Cell extends CellParts>(cell: Cell, tags: Buffer): Cell {
  const { tags: _, ...plain } = cell
  return { ...plain, ...(tags.length > 0 && { tags }) } as Cell
}

function presentTime(cell: CellParts, now: bigint): bigint {
  return cell.timestamp === LATEST_TIMESTAMP ? now : cell.timestamp
}

function later(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/**
 * The times of a change under a condition, or undefined where it does not hold. Throws NO_SUCH_COLUMN_FAMILY. HBase:
 * HRegion.checkAndMutateInternal.
 */
export function timesUnderCondition(
  table: MemoryTable,
  row: Buffer,
  condition: Condition | undefined,
  now: bigint,
): ChangeTimes | undefined {
  if (condition === undefined) return { now, put: now }
  const [found] = table.read(row, conditionGet(row, condition), now)
  if (!conditionHolds(condition, found)) return undefined
  return { now, put: later(now, found?.timestamp ?? now) }
}
