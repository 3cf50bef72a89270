/** The cells of a table as they are stored: all versions, tags, delete markers, and the cells that these hide, as far as the store shows them. */

import { CellCursor } from '../model/cell-block.ts'
import { ALL_VERSIONS, type Columns, type Scan, scan } from '../model/query.ts'
import { gathered, type Results } from '../model/results.ts'
import type { TableName } from '../model/table-name.ts'
import type { TimeRange } from '../model/time-range.ts'
import type { Call } from '../store/call.ts'
import type { Store } from '../store/store.ts'

/** The part of a table to transfer. */
export interface Part {
  /** EMPTY: from the first row. */
  readonly startRow: Buffer
  /** EMPTY: to the last row; exclusive. */
  readonly stopRow: Buffer
  readonly timeRange: TimeRange
  readonly columns: Columns
}

export interface Piece {
  readonly results: Results
  /** The number of rows that begin in this piece, without a row that continues from the piece before. */
  readonly newRows: number
  /** The last row that this piece completes; undefined: it completes none. */
  readonly wholeRow: Buffer | undefined
  /** Returns the memory of the piece. */
  release(): void
}

const ROWS_MAX = 10_000
const PIECE_BYTES = 1024 * 1024

type ReadStore = Pick<Store, 'rows' | 'handouts' | 'reach'>

/** Pieces of rows, in their order. `withTags`: the cells have their tags. A row of many cells comes in several pieces. */
export function rawPieces(
  store: ReadStore,
  table: TableName,
  part: Part,
  call: Call,
  withTags = false,
): AsyncGenerator<Piece> {
  const raw = store.reach?.readsMarkers ?? true
  return piecesOf(store, table, { ...part, raw, withTags }, call)
}

/** As rawPieces. `raw` false: the cells that readers see, in all versions that the families keep. */
export async function* piecesOf(
  { rows, handouts }: Pick<ReadStore, 'rows' | 'handouts'>,
  table: TableName,
  part: Part & Pick<Scan, 'raw' | 'withTags'>,
  call: Call,
): AsyncGenerator<Piece> {
  const asked = scan({ ...part, maxVersions: ALL_VERSIONS, cacheBlocks: false })
  const { id } = await rows.openScanner(table, asked, call)
  let last: Buffer | undefined
  let isLastPartial = false
  try {
    for (let ended = false; !ended; ) {
      const limits = { rows: ROWS_MAX, bytes: PIECE_BYTES, allowPartial: true }
      const batch = await handouts.next(id, limits, call)
      const results = gathered(batch.results)
      ended = batch.ended === 'scan'
      const rowsOf = boundsOf(results)
      const isPartial = batch.partial?.at(-1) === true
      const first = rowsOf.first
      // An incomplete row is complete once another one begins, or the scan ends.
      const before = isLastPartial && first !== undefined && !first.equals(last!) ? last : undefined
      const newRows = rowsBehind(last, rowsOf)
      const wholeRow = ended ? (rowsOf.last ?? last) : isPartial ? (rowsOf.lastButOne ?? before) : rowsOf.last
      if (rowsOf.last !== undefined) {
        last = rowsOf.last
        isLastPartial = isPartial
      }
      const { loan } = batch.results
      const release = (): void => {
        if (loan !== undefined) handouts.release(loan)
      }
      if (results.counts.length > 0 || ended) yield { results, newRows, wholeRow, release }
      else release()
    }
  } finally {
    await handouts.closeScanner(id)
  }
}

/** The same pieces. The next one is read while the caller works on one; the caller releases those that it gets. */
export async function* readAhead(pieces: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  let next = pieces.next()
  // A failure is thrown where the piece is awaited.
  next.catch(() => undefined)
  try {
    for (;;) {
      const { value, done } = await next
      if (done === true) return
      next = pieces.next()
      next.catch(() => undefined)
      yield value
    }
  } finally {
    const left = await next.catch(() => undefined)
    if (left?.done === false) left.value.release()
    await pieces.return(undefined)
  }
}

export interface Bounds {
  readonly rows: number
  readonly first: Buffer | undefined
  readonly last: Buffer | undefined
  /** The row before `last`. */
  readonly lastButOne: Buffer | undefined
}

/** The number of rows that begin here, after cells that end with the row `last`. */
export function rowsBehind(last: Buffer | undefined, { rows, first }: Bounds): number {
  return first !== undefined && last?.equals(first) === true ? rows - 1 : rows
}

export function boundsOf({ cells, counts }: Pick<Results, 'cells' | 'counts'>): Bounds {
  const cursor = new CellCursor(cells)
  let first: Buffer | undefined
  let last: Buffer | undefined
  let lastButOne: Buffer | undefined
  let rows = 0
  for (const count of counts) {
    for (let i = 0; i < count; i++) {
      cursor.next()
      if (i > 0) continue
      const row = rowOfCell(cursor)
      first ??= row
      if (last?.equals(row) === true) continue
      lastButOne = last
      last = row
      rows++
    }
  }
  return { rows, first, last, lastButOne }
}

/** A copy of the row of the present cell. */
function rowOfCell({ buffer, rowOffset, rowLength }: CellCursor): Buffer {
  return Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
}
