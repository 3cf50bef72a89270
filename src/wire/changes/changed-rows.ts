/** The rows of a change: its cells as they follow each other, cut where the row changes. */

import { equalRange } from '../../model/bytes.ts'
import { CellType } from '../../model/cell.ts'
import { CellBlock, CellBlockBuilder, CellCursor } from '../../model/cell-block.ts'
import { DeliveredRows, type FeedPlace, placeBehind } from './change-token.ts'

export interface WantedColumn {
  readonly family: Buffer
  /** Undefined: all of the family's. */
  readonly qualifier: Buffer | undefined
}

/** The cells that a client wants of a table. */
export interface WantedCells {
  /** Of rows that begin with it; empty: of all rows. */
  readonly prefix: Buffer
  /** Undefined: of all columns. A tombstone of a whole family counts for each of the family's columns. */
  readonly columns: readonly WantedColumn[] | undefined
}

/** The families of the columns, each once; undefined: all families. */
export function familiesOf({ columns }: WantedCells): Buffer[] | undefined {
  const families = new Map(columns?.map(({ family }) => [family.toString('latin1'), family]))
  return columns && [...families.values()]
}

/** Cells of one row, which were written together. */
export interface ChangedRow {
  readonly row: Buffer
  readonly cells: CellBlock
  /** The place behind them. */
  readonly place: FeedPlace
}

/** A change, as far as this needs it. */
export interface ChangedCells {
  readonly sequenceId: number
  readonly cells: CellBlock
}

/** The wanted rows of changes that follow the place in the store. */
export class ChangedRows {
  readonly #wanted: WantedCells
  #place: FeedPlace

  constructor(wanted: WantedCells, place: FeedPlace) {
    this.#wanted = wanted
    this.#place = place
  }

  /** The place behind the rows that were handed out. */
  get place(): FeedPlace {
    return this.#place
  }

  /** Everything up to the sequence id was read. */
  passed(position: number): void {
    if (position > this.#place.position) this.#place = placeBehind(position)
  }

  /** The next change's rows. Rows that the place has already are left out where the change begins with them. */
  *of({ sequenceId, cells }: ChangedCells): Generator<ChangedRow> {
    const before = this.#place
    const rows = rowsOf(wantedOf(cells, this.#wanted))
    const skipped = skippedRows(rows, before, sequenceId)
    const delivered = new DeliveredRows(sequenceId)
    for (const [index, { row, cells: ofRow }] of rows.entries()) {
      delivered.add(row)
      if (index < skipped) continue
      const { rows: count, digest } = delivered
      this.#place =
        index === rows.length - 1
          ? placeBehind(sequenceId)
          : { position: before.position, rows: count, digest }
      yield { row, cells: ofRow, place: this.#place }
    }
    this.passed(sequenceId)
  }
}

/** Number of the first rows that the client has. None where the first rows are others than those that it got: it gets these again. */
function skippedRows(
  rows: readonly { readonly row: Buffer }[],
  place: FeedPlace,
  sequenceId: number,
): number {
  if (place.rows === 0 || place.rows > rows.length) return 0
  const delivered = new DeliveredRows(sequenceId)
  for (const { row } of rows.slice(0, place.rows)) delivered.add(row)
  return delivered.digest.equals(place.digest) ? place.rows : 0
}

function rowsOf(block: CellBlock): { readonly row: Buffer; readonly cells: CellBlock }[] {
  const rows: { row: Buffer; start: number }[] = []
  const cursor = new CellCursor(block)
  for (let start = block.start; cursor.next(); start = cursor.position) {
    const { buffer, rowOffset, rowLength } = cursor
    const last = rows.at(-1)
    if (last !== undefined && equalRange(last.row, 0, last.row.length, buffer, rowOffset, rowLength)) continue
    rows.push({ row: buffer.subarray(rowOffset, rowOffset + rowLength), start })
  }
  return rows.map(({ row, start }, index) => ({
    row,
    cells: new CellBlock(block.buffer, start, rows[index + 1]?.start ?? block.end),
  }))
}

function wantedOf(cells: CellBlock, { prefix, columns }: WantedCells): CellBlock {
  if (prefix.length === 0 && columns === undefined) return cells
  const builder = new CellBlockBuilder(cells.byteLength)
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    if (!hasPrefix(cursor, prefix)) continue
    if (columns !== undefined && !columns.some((column) => isOf(cursor, column))) continue
    builder.appendCell(cursor.buffer, cursor.cell, cursor.cellLength)
  }
  return builder.block()
}

function hasPrefix({ buffer, rowOffset, rowLength }: CellCursor, prefix: Buffer): boolean {
  const { length } = prefix
  return length <= rowLength && equalRange(prefix, 0, length, buffer, rowOffset, length)
}

function isOf(cursor: CellCursor, { family, qualifier }: WantedColumn): boolean {
  const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength, type } = cursor
  if (!equalRange(family, 0, family.length, buffer, familyOffset, familyLength)) return false
  if (qualifier === undefined || type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion)
    return true
  return equalRange(qualifier, 0, qualifier.length, buffer, qualifierOffset, qualifierLength)
}
