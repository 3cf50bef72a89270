import type { Scan } from '../../../model/query.ts'

/**
 * From `startRow` up to, without, `stopRow`; but just that row where both are the same, which is how HBase's clients
 * have always read one row by a scan.
 */
export function rowRange(
  startRow: Buffer,
  stopRow: Buffer,
): Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow'> {
  const includeStopRow = stopRow.length > 0 && stopRow.equals(startRow)
  return { startRow, includeStartRow: true, stopRow, includeStopRow }
}
