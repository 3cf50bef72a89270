/** The cells of a cell set that a server has answered, as a cell block. */

import { abbreviated, EMPTY } from '../../model/bytes.ts'
import { type CellBlock, CellBlockBuilder } from '../../model/cell-block.ts'
import type { DecodeLimits } from '../../model/decode-limits.ts'
import { HBaseError } from '../../model/errors.ts'
import { decodeCellSetProtobuf } from './cell-set-protobuf-decoder.ts'
import { SetCellCopier } from './set-cell-copier.ts'

/** Answers are bounded by their bytes. */
const ANY: DecodeLimits = {
  depthMax: 64,
  batchMax: Number.POSITIVE_INFINITY,
  elementsMax: Number.POSITIVE_INFINITY,
}

export interface AnsweredCells {
  readonly cells: CellBlock
  /** The number of cells of each row. */
  readonly counts: readonly number[]
}

/** Throws CORRUPTION for cells that no table can have. */
export function decodeAnsweredCells(body: Buffer): AnsweredCells {
  const set = decodeCellSetProtobuf(body, ANY)
  const builder = new CellBlockBuilder(body.length + set.cellCount * 64)
  const copier = new SetCellCopier(set, builder, Number.POSITIVE_INFINITY, true)
  const counts: number[] = []
  for (let row = 0; row < set.rowCount; row++) {
    const [first, end] = [set.firstCell(row), set.endCell(row)]
    for (let index = first; index < end; index++)
      if (!copier.copyPut(row, index)) throw noCell(set.rowKey(row) ?? EMPTY)
    counts.push(end - first)
  }
  return { cells: builder.block(), counts }
}

function noCell(row: Buffer): HBaseError {
  return new HBaseError(
    'CORRUPTION',
    `the server has answered a cell that is none, of row ${abbreviated(row)}`,
  )
}
