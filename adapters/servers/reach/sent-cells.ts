/** Checks of changes that HBase's clients make before they send them. */

import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { ColumnCondition, RowMutation, RowOperation } from '../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP, timestampText } from '../../../src/model/timestamp.ts'
import type { StoreReach } from '../../../src/store/store-reach.ts'
import { beyondProtocol } from './beyond-protocol.ts'

export type Addition = Extract<RowOperation, { readonly kind: 'increment' | 'append' }>

const LONG_BYTES = 8

/** Throws ILLEGAL_ARGUMENT for a negative timestamp. */
export function checkTimestamps(block: CellBlock): void {
  const cursor = new CellCursor(block)
  while (cursor.next()) {
    const { timestampHigh, timestampLow } = cursor
    if (timestampHigh >= 0) continue
    const timestamp = timestampText(timestampHigh, timestampLow)
    throw new HBaseError('ILLEGAL_ARGUMENT', `Timestamp cannot be negative. ts=${timestamp}`)
  }
}

/** Throws UNSUPPORTED for parts of a change that servers of REST and Thrift would ignore. */
export function checkRowMutation({ nonce, withTags }: RowMutation, reach: StoreReach): void {
  if (nonce !== undefined) throw beyondProtocol(reach, 'a change that is made once, however often it comes')
  if (withTags === true) throw beyondProtocol(reach, 'an answer with the tags of cells')
}

/** As checkRowMutation, and DO_NOT_RETRY for an amount that is no 64-bit number. */
export function checkAddition({ kind, cells, timeRange }: Addition, reach: StoreReach): void {
  if (timeRange !== undefined && !timeRange.isAllTime)
    throw beyondProtocol(reach, `an ${kind} of a time range`)
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    const { valueLength } = cursor
    if (cursor.parts().timestamp !== LATEST_TIMESTAMP)
      throw beyondProtocol(reach, `an ${kind} with a timestamp`)
    if (kind === 'increment' && valueLength !== LONG_BYTES)
      throw new HBaseError('DO_NOT_RETRY', `Field is not a long, it's ${valueLength} bytes wide`)
  }
}

/** The value to compare a column with: EMPTY for a condition that the column is absent. Throws UNSUPPORTED for other comparisons. */
export function comparedValue({ comparator }: ColumnCondition, reach: StoreReach): Buffer {
  if (comparator === undefined) return EMPTY
  if (comparator.kind !== 'BinaryComparator')
    throw beyondProtocol(reach, `a condition by a ${comparator.kind}`)
  return comparator.value
}
