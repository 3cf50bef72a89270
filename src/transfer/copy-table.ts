/**
 * Copies the cells of a table, or of a part of it, unchanged: all versions, delete markers, timestamps of 64 bits. An interrupted copy
 * resumes after the last row that the destination has whole. Writing a row twice is safe.
 */

import type { CellCursor } from '../model/cell-block.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import type { CellLabels } from './cell-labels.ts'
import { type CopyRange, isEmptyRange, rowAfter } from './copy-ranges.ts'
import { CoveredRows, lastRowOf } from './covered-rows.ts'
import { inLanes } from './lanes.ts'
import { LOSS_OF_TAGS, lossOfReading } from './losses.ts'
import type { TransferProgress } from './progress.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Part, type Piece, rawPieces, readAhead } from './raw-cells.ts'
import { mutationsOf, type Writing, type WrittenCells, writeMutations } from './write-cells.ts'

export interface TableCopy {
  readonly source: Store
  readonly destination: Store
  readonly from: TableName
  readonly to: TableName
  readonly part: Part
  /** Undefined: tags are copied unchanged. */
  readonly labels?: CellLabels | undefined
  readonly call: Call
  readonly rate: RateLimit
  readonly progress: TransferProgress
  readonly pause: (milliseconds: number) => Promise<void>
  readonly ranges: readonly CopyRange[]
  /** Called when the destination has everything of a range up to its row, or all of it. `index`: of the range. */
  readonly reached: (index: number, range: CopyRange) => void
}

/** Ranges that are copied at a time: while one waits for a server, the others use the processor. */
const LANES = 4

export async function copyTable(copy: TableCopy): Promise<void> {
  const { source, from, part, call, ranges, progress } = copy
  progress.lost(lossOfReading(source))
  progress.regions = ranges.length
  progress.regionsDone = ranges.filter(({ done }) => done).length
  progress.regionsBefore = progress.regionsDone
  const covered = new CoveredRows(ranges, await lastRowOf(source, from, part, call))
  for (const [index, { row, done }] of ranges.entries()) {
    if (done) covered.ended(index)
    else if (row !== undefined) covered.reached(index, row)
  }
  progress.covered = covered
  await inLanes(ranges.length, LANES, async (index, isOver) => {
    if (ranges[index]!.done) return
    await copyRange(copy, index, isOver)
    covered.ended(index)
    progress.regionsDone++
  })
}

/** `isOver`: whether another range has failed, so that this one need not go on. */
async function copyRange(copy: TableCopy, index: number, isOver: () => boolean): Promise<void> {
  const { source, destination, from, to, call, pause, reached } = copy
  const range = copy.ranges[index]!
  const startRow = range.row === undefined ? range.startRow : rowAfter(range.row)
  const ended = { ...range, done: true }
  if (isEmptyRange(startRow, range.stopRow)) {
    reached(index, ended)
    return
  }
  const part = { ...copy.part, startRow, stopRow: range.stopRow }
  const writing: Writing = { store: destination, table: to, call, pause }
  for await (const piece of readAhead(rawPieces(source, from, part, call, true))) {
    if (isOver()) {
      piece.release()
      return
    }
    await write(copy, writing, piece)
    if (piece.wholeRow === undefined) continue
    reached(index, { ...range, row: piece.wholeRow })
    copy.progress.covered?.reached(index, piece.wholeRow)
  }
  reached(index, ended)
}

async function write(
  { rate, progress, destination, labels }: TableCopy,
  writing: Writing,
  piece: Piece,
): Promise<void> {
  const { cells, counts } = piece.results
  const bytes = cells.byteLength
  const tags = destination.carriesTags === true ? (cursor: CellCursor) => labels?.tagsOf(cursor) : 'none'
  let written: WrittenCells
  try {
    written = mutationsOf(cells, counts, tags)
  } finally {
    piece.release()
  }
  const { batch, untagged } = written
  if (untagged > 0) progress.lost(LOSS_OF_TAGS)
  await rate.take(bytes)
  await writeMutations(writing, batch)
  progress.rows += piece.newRows
  progress.cells += batch.cells.count
  progress.bytes += bytes
  progress.moved()
}
