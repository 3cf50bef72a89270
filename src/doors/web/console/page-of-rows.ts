/** A page of rows as it grows. It has the first cells of each row, and counts the others. */

import { CellCursor } from '../../../model/cell-block.ts'
import { gathered, type ScanBatch } from '../../../model/results.ts'

/** Bytes of a value that a page shows. */
const VALUE_BYTES = 64 * 1024
/** Bytes of the shown cells of a page, as they were read. */
export const SHOWN_BYTES_MAX: number = 1024 * 1024
/** Bytes of all cells that were read for a page, most of which may be cells of wide rows that it does not show. */
export const READ_BYTES_MAX: number = 32 * 1024 * 1024

interface ShownCell {
  readonly family: string
  readonly qualifier: string
  readonly timestamp: string
  readonly value: string
  /** Bytes of the whole value. The page may have only its beginning. */
  readonly length: number
}

export interface ShownRow {
  readonly row: string
  readonly cells: ShownCell[]
  /** The number of the row's cells, as far as they were read: see PageOfRows.isCut. */
  total: number
}

/** Rows that cannot be read, since a file is damaged. Rows are base64. */
export interface Gap {
  /** The number of the page's rows before it. */
  readonly at: number
  readonly table: string
  readonly path: string | undefined
  readonly reason: string
  readonly region: string | undefined
  /** The last row before it, which the page has; or the row with which the page begins. A sound row behind it may be missing, too. */
  readonly from: string
  /** The row at which reading goes on; undefined: the end of the table. */
  readonly to: string | undefined
  readonly directory: string | undefined
}

/** The cells that a page shows of each row: so many, behind the first `skipped`. */
export interface CellWindow {
  readonly skipped: number
  readonly count: number
}

export class PageOfRows {
  readonly rows: ShownRow[] = []
  readonly gaps: Gap[] = []
  readonly #window: CellWindow
  shownBytes = 0
  readBytes = 0
  /** True where the last row has more cells than were read. */
  isCut = false
  examined = 0
  /** The row that the scan has reached; undefined before the first batch that reports it. */
  position: Buffer | undefined
  isDone = false

  constructor(window: CellWindow) {
    this.#window = window
  }

  isFull(wanted: number): boolean {
    const { rows, isDone, isCut, shownBytes, readBytes } = this
    // A wide row is read to its end, which takes no more than a page's bytes.
    if (isDone || readBytes >= READ_BYTES_MAX) return true
    return !isCut && (rows.length >= wanted || shownBytes >= SHOWN_BYTES_MAX)
  }

  add({ results, ended, partial, rowsSeen, position }: ScanBatch): void {
    const { cells, counts } = gathered(results)
    const cursor = new CellCursor(cells)
    for (const [index, count] of counts.entries()) {
      for (let i = 0; i < count; i++) {
        cursor.next()
        this.#addCell(cursor)
      }
      this.isCut = index === counts.length - 1 && partial?.[index] === true
    }
    this.readBytes += cells.byteLength
    this.examined += rowsSeen ?? counts.length
    this.position = position ?? this.position
    this.isDone = ended === 'scan'
    if (this.isDone) this.isCut = false
  }

  /** Removes a last row of which only a part was read, and returns it. */
  removeCutRow(): Buffer | undefined {
    if (!this.isCut) return undefined
    this.isCut = false
    const last = this.rows.pop()
    return last && Buffer.from(last.row, 'base64')
  }

  /** Adds a gap, or extends the last one where it goes on. */
  addGap(gap: Gap): void {
    const last = this.gaps.at(-1)
    if (last?.at === gap.at && last.to === gap.from && last.path === gap.path)
      this.gaps[this.gaps.length - 1] = { ...last, to: gap.to }
    else this.gaps.push(gap)
  }

  #addCell(cursor: CellCursor): void {
    const cell = cursor.parts()
    const row = cell.row.toString('base64')
    let last = this.rows.at(-1)
    if (last?.row !== row) {
      last = { row, cells: [], total: 0 }
      this.rows.push(last)
    }
    const { skipped, count } = this.#window
    const isShown = last.total >= skipped && last.total < skipped + count
    last.total++
    if (!isShown || this.shownBytes >= SHOWN_BYTES_MAX) return
    this.shownBytes += cell.qualifier.length + Math.min(cell.value.length, VALUE_BYTES) + 50
    last.cells.push({
      family: cell.family.toString('base64'),
      qualifier: cell.qualifier.toString('base64'),
      timestamp: cell.timestamp.toString(),
      value: cell.value.toString('base64', 0, VALUE_BYTES),
      length: cell.value.length,
    })
  }

  /** The answer. Its `next` continues after the last row, or at a row of which the scan may have read a part. */
  shown(startRow: Buffer): object {
    const { rows, gaps, isCut, examined, position, isDone } = this
    const last = rows.at(-1)?.row
    const stood = position ?? (last === undefined ? startRow : Buffer.from(last, 'base64'))
    const next = stood.toString('base64') === last ? { after: last } : { at: stood.toString('base64') }
    const token = isDone ? undefined : Buffer.from(JSON.stringify(next)).toString('base64url')
    return { rows, gaps, isCut, examined, next: token }
  }
}
