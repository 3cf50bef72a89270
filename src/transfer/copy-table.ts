/**
 * Copies the cells of a table, or of a part of it, unchanged: all versions, delete markers, timestamps of 64 bits. An interrupted copy
 * resumes after the last row that the destination has whole. Writing a row twice is safe.
 */

import { compareBytes } from '../model/bytes.ts'
import type { CellCursor } from '../model/cell-block.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'
import type { CellLabels } from './cell-labels.ts'
import { LOSS_OF_TAGS, lossOfReading } from './losses.ts'
import type { TransferProgress } from './progress.ts'
import type { RateLimit } from './rate-limit.ts'
import { type Part, type Piece, rawPieces } from './raw-cells.ts'
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
  /** The last row that the destination has whole; undefined: none. */
  readonly after: Buffer | undefined
  /** Called when the destination has everything up to this row. */
  readonly reached: (row: Buffer) => void
}

export async function copyTable(copy: TableCopy): Promise<void> {
  const { source, destination, from, to, call, progress, pause } = copy
  progress.lost(lossOfReading(source))
  const ends = await regionEnds(copy)
  progress.regions = ends.length
  const part = copy.after === undefined ? copy.part : { ...copy.part, startRow: rowAfter(copy.after) }
  progress.regionsDone = copy.after === undefined ? 0 : doneBefore(ends, copy.after)
  progress.regionsBefore = progress.regionsDone
  const writing: Writing = { store: destination, table: to, call, pause }
  if (isEmptyRange(part)) return
  const pieces = rawPieces(source, from, part, call, true)
  // The next piece is read while this one is written.
  let next = pieces.next()
  // A failure is thrown where the piece is awaited.
  next.catch(() => undefined)
  try {
    for (;;) {
      const { value: piece, done } = await next
      if (done === true) return
      next = pieces.next()
      next.catch(() => undefined)
      await write(copy, writing, piece)
      if (piece.wholeRow === undefined) continue
      progress.regionsDone = Math.max(progress.regionsDone, doneBefore(ends, piece.wholeRow))
      copy.reached(piece.wholeRow)
    }
  } finally {
    await next.catch(() => undefined)
    await pieces.return(undefined)
  }
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

/** The first row after this one. */
function rowAfter(row: Buffer): Buffer {
  return Buffer.concat([row, Buffer.from([0])])
}

function isEmptyRange({ startRow, stopRow }: Part): boolean {
  return stopRow.length > 0 && compareBytes(startRow, stopRow) >= 0
}

/** The end keys of the regions in which the part lies. EMPTY for the last region. */
async function regionEnds({ source, from, part, call }: TableCopy): Promise<Buffer[]> {
  const regions = await source.catalog.regions(from, call)
  return regions
    .filter(
      ({ startKey, endKey }) =>
        (endKey.length === 0 || compareBytes(endKey, part.startRow) > 0) &&
        (part.stopRow.length === 0 || compareBytes(startKey, part.stopRow) < 0),
    )
    .map(({ endKey }) => endKey)
}

function doneBefore(ends: readonly Buffer[], row: Buffer): number {
  return ends.filter((end) => end.length > 0 && compareBytes(end, row) <= 0).length
}
