import type { Scan } from '../../../model/query.ts'

/**
 * From `startRow` to `stopRow`, which is not included.
 * QUIRK rest-row-json-r1-r1: if both rows are the same, the range is that one row.
 */
export function rowRange(
  startRow: Buffer,
  stopRow: Buffer,
): Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow'> {
  const includeStopRow = stopRow.length > 0 && stopRow.equals(startRow)
  return { startRow, includeStartRow: true, stopRow, includeStopRow }
}
