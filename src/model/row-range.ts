import type { Scan } from './query.ts'

/**
 * The rows from `startRow` on and before `stopRow`; an empty row is no bound.
 * QUIRK rest-row-json-r1-r1: if both rows are the same, the range is that one row.
 * QUIRK thrift1-scan-open-scanner-open-with-stop-from-s2-to-s2-g: the same by Thrift.
 */
export function rowRange(
  startRow: Buffer,
  stopRow: Buffer,
): Pick<Scan, 'startRow' | 'includeStartRow' | 'stopRow' | 'includeStopRow'> {
  const includeStopRow = stopRow.length > 0 && stopRow.equals(startRow)
  return { startRow, includeStartRow: true, stopRow, includeStopRow }
}
