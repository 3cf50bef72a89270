import { readInt32 } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { FamilyScanner } from './family-scanner.ts'
import type { ScanFilter } from './scan-filter.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/**
 * Reads rows that a filter decides on as a whole: the filter sees the cells of the essential families, and the other
 * families are read only for rows that pass. HBase: RegionScannerImpl.nextInternal and its joined heap.
 */
export class FilteredRow {
  readonly #filter: ScanFilter
  readonly #families: ScannedFamilies
  readonly #key = new SeekKey()
  #stage: 'begin' | 'cells' | 'row' | 'onDemand' = 'begin'
  /** Where the row begins in the target. */
  #start = 0
  /** Index of the family that is read, and whether it has started the row. */
  #family = 0
  #hasStartedFamily = false
  /** Offsets of the KeyValues that pass, of `#count` cells. */
  #cells: number[] = []
  #count = 0

  constructor(filter: ScanFilter, families: ScannedFamilies) {
    this.#filter = filter
    this.#families = families
  }

  /**
   * Appends the cells of the row that pass. The essential families have started the row. Where the filter pauses, the same call
   * goes on with the row.
   */
  read(target: CellBlockBuilder): void {
    if (this.#stage === 'begin') this.#begin(target)
    if (this.#stage === 'cells') {
      const { essential } = this.#families
      for (; this.#family < essential.length; this.#family++) readWhole(essential[this.#family]!, target)
      this.#cells = cellsFrom(this.#start, target)
      this.#count = this.#cells.length
      this.#stage = 'row'
    }
    if (this.#stage === 'row') this.#decide(target)
    if (this.#stage === 'onDemand') this.#readOnDemand(target)
    this.#stage = 'begin'
    this.#cells = []
  }

  #begin({ length }: CellBlockBuilder): void {
    this.#start = length
    this.#family = 0
    this.#hasStartedFamily = false
    this.#stage = 'cells'
  }

  #decide(target: CellBlockBuilder): void {
    const cells = this.#cells
    const count = this.#count
    const { evaluator } = this.#filter
    evaluator.filterRowCells(target.buffer, cells)
    const isLeftOut = count === 0 || (cells.length > 0 && evaluator.filterRow())
    if (isLeftOut) cells.length = 0
    if (cells.length < count) keep(cells, this.#start, count, target)
    this.#count = target.count
    this.#family = 0
    this.#stage = isLeftOut ? 'begin' : 'onDemand'
  }

  #readOnDemand(target: CellBlockBuilder): void {
    const { row, onDemand } = this.#families
    for (; this.#family < onDemand.length; this.#family++) {
      const family = onDemand[this.#family]!
      if (!this.#hasStartedFamily) {
        const { cells } = family
        if (!cells.valid) continue
        this.#key.firstOfRow(row.copy())
        cells.seekForward(this.#key.buffer, 0)
        family.startRow(false)
        this.#hasStartedFamily = true
      }
      readWhole(family, target)
      this.#hasStartedFamily = false
    }
    if (target.count > this.#count) sortFrom(this.#start, target)
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
