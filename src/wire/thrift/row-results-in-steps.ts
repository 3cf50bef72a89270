/**
 * The bytes of row-results-writer.ts, for answers of many cells or results: written in steps of some tenths of a millisecond, between which the
 * caller may do other work. Nothing else may use the writer's output meanwhile.
 */

import { CellBlock, CellCursor } from '../../model/cell-block.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { Results, ScannedResults } from '../../model/results.ts'
import type { ScatteredCells } from '../../model/scattered-cells.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'
import { type ProtocolWriter, WireType } from './protocol.ts'
import type { RowResults } from './row-results.ts'
import {
  beginColumnValues,
  encodedBytesMax,
  endColumnValues,
  flagsOf,
  movesWithinColumn,
  writeCell,
  writeColumnName,
  writeColumnValue,
  writeSortedColumn,
} from './row-results-writer.ts'

/** Bytes of cells, and what results without cells count for, that one step writes. */
const STEP_BYTES = 64 * 1024
const RESULT_BYTES = 32
/** Cells copied in a step. */
const STEP_CELLS = 512
/** Smaller answers are written in one piece, which costs less. */
const LARGE_BYTES = 1024 * 1024
const LARGE_COUNT = 10_000

export type RowResultsInSteps = (writer: ProtocolWriter, rows: RowResults) => Generator<void, void>

/** Whether the answer is one to write in steps. */
export function isLargeAnswer({ results: { cells, counts } }: RowResults): boolean {
  return cells.byteLength > LARGE_BYTES || counts.length > LARGE_COUNT
}

/** Decides where a step ends. */
class Step {
  #left = STEP_BYTES

  endsAfter(bytes: number): boolean {
    this.#left -= bytes
    if (this.#left > 0) return false
    this.#left = STEP_BYTES
    return true
  }
}

/** `list<TRowResult>` of Thrift 1. */
export function* rowResultsInSteps(writer: ProtocolWriter, rows: RowResults): Generator<void, void> {
  const { cells, counts } = yield* begun(writer, rows.results)
  let found = 0
  for (const count of counts) if (count > 0) found++
  writer.writeListBegin(WireType.STRUCT, found)
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  /** One cell ahead of the cursor within a row. */
  const ahead = new CellCursor(cells)
  const columns = new CellCursor(cells)
  const step = new Step()
  for (const count of counts) {
    if (step.endsAfter(RESULT_BYTES)) yield
    if (count === 0) continue
    cursor.next()
    writer.writeStructBegin()
    writer.writeFieldBegin(WireType.STRING, 1)
    writer.writeSpan(source, cursor.rowOffset, cursor.rowLength)
    if (rows.sortColumns) yield* writeSortedColumns(writer, source, cursor, count, step)
    else {
      const different = yield* countColumns(columns, count, step)
      writer.writeFieldBegin(WireType.MAP, 2)
      writer.writeMapBegin(WireType.STRING, WireType.STRUCT, different)
      ahead.next()
      for (let i = 0; i < count; i++) {
        if (i > 0) cursor.next()
        if (step.endsAfter(cursor.cellLength)) yield
        // Of several versions the map has the last.
        if (i < count - 1 && movesWithinColumn(ahead)) continue
        writeColumnName(writer, source, cursor)
        writeCell(writer, source, cursor)
      }
    }
    writer.writeStructEnd()
  }
}

/** `list<TCell>` of Thrift 1. */
export function* cellsInSteps(writer: ProtocolWriter, rows: RowResults): Generator<void, void> {
  const { cells, counts } = yield* begun(writer, rows.results)
  let count = 0
  for (const each of counts) count += each
  writer.writeListBegin(WireType.STRUCT, count)
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  const step = new Step()
  while (cursor.next()) {
    writeCell(writer, source, cursor)
    if (step.endsAfter(cursor.cellLength)) yield
  }
}

/** `TResult` of Thrift 2, from the first result. */
export function* resultInSteps(writer: ProtocolWriter, rows: RowResults): Generator<void, void> {
  const { cells, counts } = yield* begun(writer, rows.results)
  const source = new ViewedBytes(cells.buffer)
  yield* writeColumnValues(writer, source, new CellCursor(cells), rows, 0, counts[0] ?? 0, new Step())
}

/** `list<TResult>` of Thrift 2. */
export function* resultsInSteps(writer: ProtocolWriter, rows: RowResults): Generator<void, void> {
  const { cells, counts } = yield* begun(writer, rows.results)
  writer.writeListBegin(WireType.STRUCT, counts.length)
  const source = new ViewedBytes(cells.buffer)
  const cursor = new CellCursor(cells)
  const step = new Step()
  for (let i = 0; i < counts.length; i++) {
    if (step.endsAfter(RESULT_BYTES)) yield
    yield* writeColumnValues(writer, source, cursor, rows, i, counts[i]!, step)
  }
}

/** Makes room, and gathers scattered cells. */
function* begun(writer: ProtocolWriter, results: ScannedResults): Generator<void, Results> {
  writer.reserve(encodedBytesMax(results))
  const { cells } = results
  if (cells instanceof CellBlock) return results as Results
  return { ...results, cells: yield* gatheredCells(cells) }
}

function* gatheredCells(cells: ScatteredCells): Generator<void, CellBlock> {
  const target = new ViewedBytes(ownMemory(cells.byteLength))
  let at = 0
  for (let first = 0; first < cells.count; first += STEP_CELLS) {
    at = cells.copyTo(target, at, first, Math.min(cells.count, first + STEP_CELLS))
    yield
  }
  return new CellBlock(target.buffer)
}

/** Counts the different columns among the next `count` cells. */
function* countColumns(cursor: CellCursor, count: number, step: Step): Generator<void, number> {
  cursor.next()
  let columns = 1
  for (let i = 1; i < count; i++) {
    if (step.endsAfter(cursor.cellLength)) yield
    if (!movesWithinColumn(cursor)) columns++
  }
  return columns
}

/** The cursor stands on the row's first cell. */
function* writeSortedColumns(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  count: number,
  step: Step,
): Generator<void, void> {
  writer.writeFieldBegin(WireType.LIST, 3)
  writer.writeListBegin(WireType.STRUCT, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writeSortedColumn(writer, source, cursor)
    if (step.endsAfter(cursor.cellLength)) yield
  }
}

function* writeColumnValues(
  writer: ProtocolWriter,
  source: ViewedBytes,
  cursor: CellCursor,
  rows: RowResults,
  index: number,
  count: number,
  step: Step,
): Generator<void, void> {
  if (count > 0) cursor.next()
  beginColumnValues(writer, source, cursor, count)
  for (let i = 0; i < count; i++) {
    if (i > 0) cursor.next()
    writeColumnValue(writer, source, cursor)
    if (step.endsAfter(cursor.cellLength)) yield
  }
  endColumnValues(writer, flagsOf(rows, index))
}
