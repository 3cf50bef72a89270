/** Counters, appends and conditional changes of one row, for both services. */

import { CellType } from '../../../model/cell.ts'
import { CellBlockBuilder, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { MutationBatch, RowOperation } from '../../../model/mutation.ts'
import type { Results } from '../../../model/results.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../model/timestamp.ts'

export interface ColumnAmount {
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly amount: bigint
}

export interface ColumnSuffix {
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly value: Buffer
}

export function incrementOperation(row: Buffer, amounts: readonly ColumnAmount[]): RowOperation {
  const cells = new CellBlockBuilder()
  for (const { family, qualifier, amount } of amounts) {
    checkFamily(family)
    const value = Buffer.alloc(8)
    value.writeBigInt64BE(amount)
    cells.append(row, family, qualifier, LATEST_HIGH, LATEST_LOW, CellType.Put, value)
  }
  return { kind: 'increment', cells: cells.block() }
}

export function appendOperation(row: Buffer, suffixes: readonly ColumnSuffix[]): RowOperation {
  const cells = new CellBlockBuilder()
  for (const { family, qualifier, value } of suffixes) {
    checkFamily(family)
    cells.append(row, family, qualifier, LATEST_HIGH, LATEST_LOW, CellType.Put, value)
  }
  return { kind: 'append', cells: cells.block() }
}

/** The mutations of a batch as the operations of one change. They must be of one row. */
export function mutateOperations(batch: MutationBatch): RowOperation[] {
  return batch.ends.map((_, index) => {
    return { kind: 'mutate', cells: batch.blockOf(index), options: batch.options[index]! }
  })
}

/** The value of the only counter in `results`. */
export function counterValue(results: Results): bigint {
  const cursor = new CellCursor(results.cells)
  if (!cursor.next() || cursor.valueLength !== 8) {
    throw new HBaseError('REFUSED', 'the counter has no value of 8 bytes')
  }
  return cursor.buffer.readBigInt64BE(cursor.valueOffset)
}

function checkFamily(family: Buffer): void {
  if (family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'family cannot be null')
}
