import { isRowLength, isStoredType } from '../../model/cell.ts'
import { CellBlockBuilder } from '../../model/cell-block.ts'
import { timestampHigh, timestampLow } from '../../model/timestamp.ts'
import { MalformedFile, type ReadCells } from './cell-format.ts'

const BYTES = 512 * 1024

export interface FileCell {
  readonly row: Buffer
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly timestamp: bigint
  readonly type: number
  readonly value: Buffer
}

/** Gathers cells into pieces for one write each. Successive cells of one row form one result. */
export class GatheredCells {
  #builder = new CellBlockBuilder(BYTES)
  #counts: number[] = []
  #row: Buffer | undefined

  /** Adds a cell. `place`: its position in the file, for errors. */
  add({ row, family, qualifier, timestamp, type, value }: FileCell, place: string): void {
    if (!isRowLength(row.length)) throw new MalformedFile(`${place}: a row must have from 1 to 32767 bytes`)
    if (family.length === 0 || family.length > 127)
      throw new MalformedFile(`${place}: a family must have from 1 to 127 bytes`)
    if (!isStoredType(type)) throw new MalformedFile(`${place}: ${type} is the type of no cell`)
    const [high, low] = [timestampHigh(timestamp), timestampLow(timestamp)]
    this.#builder.append(row, family, qualifier, high, low, type, value)
    if (this.#row?.equals(row) === true) this.#counts.push(this.#counts.pop()! + 1)
    else this.#counts.push(1)
    this.#row = row
  }

  get isFull(): boolean {
    return this.#builder.length >= BYTES
  }

  /** The cells since the last call. */
  take(): ReadCells {
    const read = { cells: this.#builder.block(), counts: this.#counts }
    this.#builder = new CellBlockBuilder(BYTES)
    this.#counts = []
    this.#row = undefined
    return read
  }
}
