import { readInt32 } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { FamilyScanner } from './family-scanner.ts'
import type { ScanFilter } from './scan-filter.ts'
import type { ScannedFamilies } from './scanned-families.ts'
import { SeekKey } from './seek-key.ts'

/**
 * Reads rows that a filter decides on as a whole: the filter sees the cells of the essential families, and the other
 * families are read only for rows that pass. HBase: RegionScannerImpl.nextInternal and its joined heap.
 */
export class FilteredRow {
  readonly #filter: ScanFilter
  readonly #families: ScannedFamilies
  readonly #key = new SeekKey()

  constructor(filter: ScanFilter, families: ScannedFamilies) {
    this.#filter = filter
    this.#families = families
  }

  /** Appends the cells of the row that pass. The essential families have started the row. */
  read(target: CellBlockBuilder): void {
    const start = target.length
    for (const family of this.#families.essential) readWhole(family, target)
    const cells = cellsFrom(start, target)
    const count = cells.length
    const { evaluator } = this.#filter
    evaluator.filterRowCells(target.buffer, cells)
    const isLeftOut = count === 0 || (cells.length > 0 && evaluator.filterRow())
    if (isLeftOut) cells.length = 0
    if (cells.length < count) keep(cells, start, count, target)
    if (!isLeftOut && this.#families.onDemand.length > 0) this.#readOnDemand(start, target)
  }

  #readOnDemand(start: number, target: CellBlockBuilder): void {
    const before = target.count
    const { row, onDemand } = this.#families
    for (const family of onDemand) {
      const { cells } = family
      if (!cells.valid) continue
      this.#key.firstOfRow(row.copy())
      cells.seekForward(this.#key.buffer, 0)
      family.startRow(false)
      readWhole(family, target)
    }
    if (target.count > before) sortFrom(start, target)
  }
}

function readWhole(family: FamilyScanner, target: CellBlockBuilder): void {
  family.readRow(target, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)
}

/** Offsets of the KeyValues after `start`. */
function cellsFrom(start: number, { buffer, length }: CellBlockBuilder): number[] {
  const cells: number[] = []
  for (let at = start; at < length; at += CELL_PREFIX_BYTES + readInt32(buffer, at)) {
    cells.push(at + CELL_PREFIX_BYTES)
  }
  return cells
}

/** Removes the `count` cells after `start`, except the KeyValues in `cells`. */
function keep(cells: readonly number[], start: number, count: number, target: CellBlockBuilder): void {
  const { buffer } = target
  let length = start
  for (const cell of cells) {
    const end = cell + readInt32(buffer, cell - CELL_PREFIX_BYTES)
    buffer.copyWithin(length, cell - CELL_PREFIX_BYTES, end)
    length += CELL_PREFIX_BYTES + end - cell
  }
  target.length = length
  target.count -= count - cells.length
}

/** Sorts the cells after `start`. */
function sortFrom(start: number, target: CellBlockBuilder): void {
  const { buffer } = target
  const cells = cellsFrom(start, target).sort((a, b) => compareCells(buffer, a, buffer, b))
  const sorted = cells.map((cell) =>
    buffer.subarray(cell - CELL_PREFIX_BYTES, cell + readInt32(buffer, cell - CELL_PREFIX_BYTES)),
  )
  Buffer.concat(sorted).copy(buffer, start)
}
