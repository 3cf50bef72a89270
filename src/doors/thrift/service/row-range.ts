import { EMPTY } from '../../../model/bytes.ts'
import { ROW_BYTES_MAX } from '../../../model/cell.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Scan } from '../../../model/query.ts'

type RowRange = Pick<Scan, 'startRow' | 'stopRow' | 'includeStopRow'>

/**
 * The rows from `start` on and before `stop`. Throws ILLEGAL_ARGUMENT for a row that is too long.
 * QUIRK thrift1-scan-open-scanner-open-with-stop-from-s2-to-s2-g: HBase scans one row where start and stop are equal.
 */
export function rowRange(start: Buffer = EMPTY, stop: Buffer = EMPTY): RowRange {
  checkRowLength('startRow', start)
  checkRowLength('stopRow', stop)
  return { startRow: start, stopRow: stop, includeStopRow: start.length > 0 && start.equals(stop) }
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
