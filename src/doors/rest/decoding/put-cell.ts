import type { Limits } from '../../../gateway/limits/limits.ts'
import { CellType, cellBytes } from '../../../model/cell.ts'
import { checkPutSize } from '../../../model/cell-size-limit.ts'
import { splitColumn } from '../../../model/column-name.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { MutationBatch } from '../../../model/mutation.ts'
import { timestampText } from '../../../model/timestamp.ts'
import type { CellOfSet } from '../../../wire/rest/cell-set.ts'
import { badRequest, Refusal } from '../http/errors.ts'

/** Appends one put. Throws Refusal 400 for a missing or malformed column, ILLEGAL_ARGUMENT for a negative timestamp or too large a cell. */
export function appendPut(
  { cellBytesMax }: Limits,
  batch: MutationBatch,
  row: Buffer,
  column: Buffer | undefined,
  { timestampHigh: high, timestampLow: low, value }: Omit<CellOfSet, 'column'>,
): void {
  if (column === undefined) throw badRequest('Column found to be null.')
  const { family, qualifier } = splitColumn(column)
  if (qualifier === undefined) throw new Refusal(400, 'a column must be family:qualifier', {}, 'Bad request')
  if (family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Family cannot be null')
  if (high < 0) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestampText(high, low)}`)
  }
  checkPutSize(cellBytes(row.length, family.length, qualifier.length, value.length), cellBytesMax)
  batch.cells.append(row, family, qualifier, high, low, CellType.Put, value)
}
