import { EMPTY } from '../../../src/model/bytes.ts'
import { detached } from '../../../src/model/detached.ts'
import type { Scan } from '../../../src/model/query.ts'

/** Copies the scan's bytes out of the request's buffer, which the scan outlives. Copying whole objects would be slow. */
export function withOwnBytes(scan: Scan): Scan {
  const { startRow, stopRow, columns, filter } = scan
  return {
    ...scan,
    startRow: startRow.length === 0 ? EMPTY : Buffer.from(startRow),
    stopRow: stopRow.length === 0 ? EMPTY : Buffer.from(stopRow),
    columns: columns.length === 0 ? columns : detached(columns),
    filter: filter && detached(filter),
  }
}
