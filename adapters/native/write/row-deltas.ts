/** Increments and appends: makes new cells from the present ones. HBase: HRegion.reckonDeltas. */

import { compareBytes, EMPTY } from '../../../src/model/bytes.ts'
import { type CellParts, CellType, cellBytes } from '../../../src/model/cell.ts'
import {
  CELL_PREFIX_BYTES,
  CellBlockBuilder,
  CellCursor,
  cellsOf,
  TAGS_LENGTH_BYTES,
} from '../../../src/model/cell-block.ts'
import { checkedTags, tagsOfMutation } from '../../../src/model/cell-tags.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { MutationOptions, RowMutation, RowOperation } from '../../../src/model/mutation.ts'
import { ColumnsBuilder, get } from '../../../src/model/query.ts'
import { type Steps, sortInSteps } from '../../../src/model/steps.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP, timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import { incrementedValue } from '../../../src/query/delta-values.ts'
import type { Region } from '../region/region.ts'
import { STEP_COST } from './change-cost.ts'
import type { LargeChange } from './large-change.ts'
import { negativeTimestamp } from './mutation-refusal.ts'

type Delta = Exclude<RowOperation, { kind: 'mutate' }>

/** HBase: PrivateCellUtil.estimatedSerializedSizeOf counts the length prefix, too. */
const LENGTH_PREFIX_BYTES = 4
/** The cost of a column, of which many are read together. */
const COLUMN_COST = 2
/** Enough for the cell of a counter: more is more work for the garbage collector. */
const COUNTER_BYTES = 128

export interface DeltaContext {
  readonly region: Region
  readonly row: Buffer
  readonly options: MutationOptions
  readonly now: number
  /** See RowMutation.withTags. */
  readonly withTags?: boolean | undefined
  readonly cellBytesMax: number
  /** The most bytes of all cells of a change. */
  readonly changeBytesMax: number
  /** The cost of one step. */
  readonly stepCost?: number
  readonly large: LargeChange
}

/**
 * Appends the new cells to `target`, to be stored, and to `results` where they are wanted, in order of their columns. All are computed from the
 * row as it was before the whole change, which nothing else must change meanwhile. Throws NotYet, ILLEGAL_ARGUMENT for a negative timestamp,
 * NO_SUCH_COLUMN_FAMILY, DO_NOT_RETRY for an increment of a value that is not 8 bytes, TOO_LARGE; `target` may then hold some of the cells.
 */
export function* deltasInSteps(
  operation: Delta,
  context: DeltaContext,
  target: CellBlockBuilder,
  results: CellBlockBuilder | undefined,
): Steps<void> {
  const { stepCost = STEP_COST, region } = context
  const columns = Math.ceil(stepCost / COLUMN_COST)
  const deltas: CellParts[] = []
  const cursor = new CellCursor(operation.cells)
  while (cursor.next()) {
    deltas.push(cursor.parts())
    if (deltas.length % stepCost === 0) yield
  }
  checkTimes(deltas)
  const sorted = deltas.length > 1 ? yield* sortInSteps(deltas, compareDeltas) : deltas
  // In order: the refusal names the first.
  for (const { family } of sorted) region.checkFamily(family)
  for (let at = 0; at < sorted.length; at += columns) {
    if (at > 0) yield
    const part = sorted.length <= columns ? sorted : sorted.slice(at, at + columns)
    prepareSorted(operation, part, context, target, results)
  }
}

function prepareSorted(
  operation: Delta,
  deltas: readonly CellParts[],
  context: DeltaContext,
  target: CellBlockBuilder,
  results: CellBlockBuilder | undefined,
): void {
  const present = presentCells(operation, deltas, context)
  const isIncrement = operation.kind === 'increment'
  for (const delta of deltas) {
    const current = present(delta)
    const { tags: own = EMPTY, ...change } = delta
    const [value, suffix] = isIncrement
      ? [incrementedValue(current?.value, delta.value), EMPTY]
      : [current?.value ?? EMPTY, delta.value]
    const timestamp = newTimestamp(delta, current, context.now)
    const cell: CellParts = { ...change, type: CellType.Put, value, timestamp }
    const bytes = checkedBytes(cell, suffix.length, context)
    const prefix = target.length
    checkChange(prefix + bytes, context)
    const tags = tagsFor(own, current, context)
    // For all of it at once: a buffer that grows is copied.
    target.reserve(bytes + (tags.length === 0 ? 0 : TAGS_LENGTH_BYTES + tags.length))
    target.appendParts(cell)
    if (suffix.length > 0) target.extendValue(prefix, suffix)
    const withoutTags = target.length - prefix - CELL_PREFIX_BYTES
    target.appendTags(prefix, tags)
    if (results === undefined || operation.returnResults === false) continue
    const answer = results.length
    results.appendCell(target.buffer, prefix + CELL_PREFIX_BYTES, withoutTags)
    if (context.withTags === true) results.appendTags(answer, tags)
  }
}

/** Appends what the increments and appends of a repeated mutation came to, as its read point shows it. Throws NotYet. */
export function appendRepeatedAnswer(
  { operations }: RowMutation,
  context: DeltaContext,
  readPoint: number,
  results: CellBlockBuilder,
): void {
  for (const operation of operations) {
    if (operation.kind === 'mutate' || operation.returnResults === false) continue
    appendAnswer(operation, context, readPoint, results)
  }
  context.large.read(results.length)
}

/**
 * Appends the cells that the change's columns had at its read point: the answer to a change that a client repeats. Throws
 * NO_SUCH_COLUMN_FAMILY. HBase: RSRpcServices.increment, HRegion.get with a nonce.
 */
function appendAnswer(
  operation: Delta,
  context: DeltaContext,
  readPoint: number,
  results: CellBlockBuilder,
): void {
  readColumns(operation, cellsOf(operation.cells), context, readPoint, results)
}

function checkTimes(deltas: readonly CellParts[]): void {
  for (const { timestamp } of deltas) {
    if (timestamp < 0n) throw negativeTimestamp(timestampHigh(timestamp), timestampLow(timestamp))
  }
}

/** Order of stored cells: of one column the latest first. */
function compareDeltas(a: CellParts, b: CellParts): number {
  const byColumn = compareBytes(a.family, b.family) || compareBytes(a.qualifier, b.qualifier)
  if (byColumn !== 0 || a.timestamp === b.timestamp) return byColumn
  return a.timestamp > b.timestamp ? -1 : 1
}

function columnName(cell: CellParts): string {
  return `${cell.family.toString('latin1')}:${cell.qualifier.toString('latin1')}`
}

/** The function that returns the present cell of a delta's column; most changes are of one column. */
function presentCells(
  operation: Delta,
  deltas: readonly CellParts[],
  context: DeltaContext,
): (delta: CellParts) => CellParts | undefined {
  const found = new CellBlockBuilder(deltas.length === 1 ? COUNTER_BYTES : undefined)
  readColumns(operation, deltas, context, Number.POSITIVE_INFINITY, found)
  context.large.read(found.length)
  const cells = cellsOf(found.block())
  if (deltas.length === 1) return () => cells[0]
  const byColumn = new Map(cells.map((cell) => [columnName(cell), cell]))
  return (delta) => byColumn.get(columnName(delta))
}

/** Throws NO_SUCH_COLUMN_FAMILY. */
function readColumns(
  { timeRange = TimeRange.ALL }: Delta,
  deltas: readonly CellParts[],
  { region, row, now, withTags }: DeltaContext,
  readPoint: number,
  target: CellBlockBuilder,
): void {
  const columns = new ColumnsBuilder()
  for (const { family, qualifier } of deltas) {
    region.checkFamily(family)
    columns.addColumn(family, qualifier)
  }
  region.get(get(row, { columns: columns.build(), timeRange, withTags }), readPoint, now, target)
}

/**
 * A timestamp that keeps the new cell from hiding behind the replaced one, even if the clock went backwards.
 * QUIRK engine-increment-cell-of-the-future: HBase dates the new cell a millisecond after a cell from the future.
 */
function newTimestamp(delta: CellParts, current: CellParts | undefined, now: number): bigint {
  const present = BigInt(now)
  if (current === undefined) return delta.timestamp === LATEST_TIMESTAMP ? present : delta.timestamp
  const after = BigInt.asIntN(64, current.timestamp + 1n)
  return after > present ? after : present
}

/** Tags for the new cell: those that came with the change, those of the present cell, and the mutation's in place of both. */
function tagsFor(own: Buffer, current: CellParts | undefined, { region, options }: DeltaContext): Buffer {
  const carried = current === undefined ? EMPTY : region.tagsOf(current)
  const both = own.length === 0 ? carried : checkedTags(Buffer.concat([own, carried]))
  return tagsOfMutation(both, options.tags, options.ttlMs)
}

/** The bytes of a cell and its length, with so many more of its value. Throws TOO_LARGE. */
function checkedBytes(cell: CellParts, more: number, { region, cellBytesMax }: DeltaContext): number {
  const { row, family, qualifier, value } = cell
  const valueBytes = value.length + more
  const bytes = cellBytes(row.length, family.length, qualifier.length, valueBytes) + LENGTH_PREFIX_BYTES
  if (bytes <= cellBytesMax) return bytes
  throw new HBaseError(
    'TOO_LARGE',
    `Cell with size ${bytes} exceeds limit of ${cellBytesMax} bytes in region ${region.name.toString()}`,
  )
}

/** A change of a few bytes for each of many large values would make more cells than there is memory for. Throws TOO_LARGE. */
function checkChange(bytes: number, { region, changeBytesMax }: DeltaContext): void {
  if (bytes <= changeBytesMax) return
  throw new HBaseError(
    'TOO_LARGE',
    `the cells that increments and appends of one change make exceed ${changeBytesMax} bytes in region ${region.name.toString()}: send fewer of them together`,
  )
}
