import { EMPTY } from '../../../model/bytes.ts'
import { ROW_BYTES_MAX } from '../../../model/cell.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Scan } from '../../../model/query.ts'
import { rowRange } from '../../../model/row-range.ts'

/** The range of a scan. A row that the client left out is no bound. Throws ILLEGAL_ARGUMENT for a row that is too long. */
export function rangeArgument(
  start: Buffer = EMPTY,
  stop: Buffer = EMPTY,
): Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow'> {
  checkRowLength('startRow', start)
  checkRowLength('stopRow', stop)
  return rowRange(start, stop)
}

/** Throws ILLEGAL_ARGUMENT. An empty row is legal. */
export function checkRowLength(name: string, row: Buffer): void {
  if (row.length > ROW_BYTES_MAX) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `${name}'s length must be less than or equal to ${ROW_BYTES_MAX} to meet the criteria for a row key.`,
    )
  }
}
