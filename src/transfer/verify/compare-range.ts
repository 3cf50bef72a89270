/** Compares the cells of two scans of one range, cell by cell in their order, in one pass. */

import { createHash } from 'node:crypto'
import { equalRange } from '../../model/bytes.ts'
import { compareCells } from '../../model/cell.ts'
import type { CellCursor } from '../../model/cell-block.ts'
import { readTimestamp } from '../../model/timestamp.ts'
import type { CellStream } from './cell-stream.ts'
import type { ComparedTags } from './compared-tags.ts'
import {
  CELLS_OF_ROW_MAX,
  type CellDifference,
  type DifferenceKind,
  type RowDifference,
} from './differences.ts'

export interface RangeComparison {
  readonly source: CellStream
  readonly target: CellStream
  readonly tags: ComparedTags
  /** Bytes of one side after which the comparison ends before the next row. */
  readonly bytesMax: number
  /** Gets each row that differs. `follows`: the row before it in the range differs, too. */
  readonly found: (difference: RowDifference, follows: boolean) => void
  /** Called when bytes were read, with the rows and cells that were compared since the call before. The comparison goes on when it resolves. */
  readonly took: (bytes: number, compared: Compared) => Promise<void>
}

export interface Compared {
  readonly rows: number
  readonly cells: number
  /** The row that the comparison has come to; undefined: no row yet. */
  readonly row: Buffer | undefined
}

/** With the rows and cells that `took` did not get. */
export interface RangeCompared extends Compared {
  /** The row with which the rest of the range begins; undefined: the range is compared to its end. */
  readonly next: Buffer | undefined
}

export async function compareRange(comparison: RangeComparison): Promise<RangeCompared> {
  const { source, target, took } = comparison
  const walk = new Walk(comparison)
  for (;;) {
    const [bytes, otherBytes] = await Promise.all([source.refill(), target.refill()])
    if (bytes + otherBytes > 0) await took(bytes + otherBytes, walk.compared())
    if (source.isEnded && target.isEnded) return walk.ended(undefined)
    const next = walk.go()
    if (next !== undefined) return walk.ended(next)
  }
}

class Walk {
  readonly #comparison: RangeComparison
  #rows = 0
  #cells = 0
  #row: Buffer | undefined
  #found: CellDifference[] = []
  #more = 0
  #isAfterDifference = false

  constructor(comparison: RangeComparison) {
    this.#comparison = comparison
  }

  /** Works until a stream needs its next piece. Returns the row before which the comparison ends; undefined: it does not. */
  go(): Buffer | undefined {
    const { source, target, bytesMax } = this.#comparison
    const isEnough = Math.max(source.bytes, target.bytes) > bytesMax
    while ((source.hasCell || source.isEnded) && (target.hasCell || target.isEnded)) {
      const order = orderOf(source, target)
      if (order === undefined) return undefined
      const first = order > 0 ? target.cursor : source.cursor
      if (!this.#isOfRow(first)) {
        this.#endRow()
        const row = Buffer.from(rowOf(first))
        if (isEnough && this.#row !== undefined) return row
        this.#row = row
        this.#rows++
      }
      this.#cells++
      if (order === 0) this.#compareValues(source.cursor, target.cursor)
      else if (order < 0) this.#add('missing', first, [first])
      else this.#add('extra', first, [first])
      if (order <= 0) source.advance()
      if (order >= 0) target.advance()
    }
    return undefined
  }

  ended(next: Buffer | undefined): RangeCompared {
    this.#endRow()
    return { ...this.compared(), next }
  }

  /** Since the call before. */
  compared(): Compared {
    const compared = { rows: this.#rows, cells: this.#cells, row: this.#row }
    this.#rows = 0
    this.#cells = 0
    return compared
  }

  #isOfRow({ buffer, rowOffset, rowLength }: CellCursor): boolean {
    const row = this.#row
    return row !== undefined && equalRange(buffer, rowOffset, rowLength, row, 0, row.length)
  }

  #endRow(): void {
    const cells = this.#found
    if (cells.length > 0) {
      this.#comparison.found({ row: this.#row!, cells, more: this.#more }, this.#isAfterDifference)
      this.#found = []
      this.#more = 0
    }
    this.#isAfterDifference = cells.length > 0
  }

  #compareValues(ours: CellCursor, theirs: CellCursor): void {
    const { areBytes } = this.#comparison.tags
    if ((areBytes || ours.tagsBytes + theirs.tagsBytes === 0) && areSame(ours, theirs)) return
    if (!valueOf(ours).equals(valueOf(theirs))) this.#add('value', ours, [ours, theirs])
    else if (!this.#comparison.tags.areSame(ours, theirs)) this.#add('tags', ours, [ours, theirs])
  }

  #add(kind: DifferenceKind, cell: CellCursor, sides: readonly CellCursor[]): void {
    if (this.#found.length >= CELLS_OF_ROW_MAX) {
      this.#more++
      return
    }
    const { buffer, familyOffset, familyLength, qualifierOffset, qualifierLength, timestampOffset } = cell
    const family = buffer.subarray(familyOffset, familyOffset + familyLength)
    const qualifier = buffer.subarray(qualifierOffset, qualifierOffset + qualifierLength)
    const hash = createHash('sha1').update(kind)
    // With its lengths, key and value: cells that differ have other bytes.
    for (const { buffer: bytes, cell: start, cellLength } of sides)
      hash.update(bytes.subarray(start, start + cellLength))
    this.#found.push({
      column: Buffer.concat([family, Buffer.from(':'), qualifier]),
      timestamp: readTimestamp(buffer, timestampOffset),
      type: cell.type,
      kind,
      identity: hash.digest('base64'),
    })
  }
}

/** Negative: the next cell is the source's alone; positive: the target's alone; 0: both have it; undefined: there is none. */
function orderOf(source: CellStream, target: CellStream): number | undefined {
  if (!source.hasCell) return target.hasCell ? 1 : undefined
  if (!target.hasCell) return -1
  const [ours, theirs] = [source.cursor, target.cursor]
  return compareCells(ours.buffer, ours.cell, theirs.buffer, theirs.cell)
}

function areSame(a: CellCursor, b: CellCursor): boolean {
  return equalRange(a.buffer, a.cell, a.cellLength, b.buffer, b.cell, b.cellLength)
}

function rowOf({ buffer, rowOffset, rowLength }: CellCursor): Buffer {
  return buffer.subarray(rowOffset, rowOffset + rowLength)
}

function valueOf({ buffer, valueOffset, valueLength }: CellCursor): Buffer {
  return buffer.subarray(valueOffset, valueOffset + valueLength)
}
