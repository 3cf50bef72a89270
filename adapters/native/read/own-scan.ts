import type { Scan } from '../../../src/model/query.ts'

/** The scan with bytes of its own: a scanner outlives the request that it came with. */
export function ownScan(scan: Scan): Scan {
  const { startRow, stopRow, columns, filter } = scan
  if (startRow.length === 0 && stopRow.length === 0 && columns.length === 0 && filter === undefined)
    return scan
  return {
    ...scan,
    startRow: Buffer.from(startRow),
    stopRow: Buffer.from(stopRow),
    columns: owned(columns),
    filter: filter && owned(filter),
  }
}

/** A copy of what consists of plain objects, arrays and buffers. */
function owned<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Buffer.isBuffer(value)) return Buffer.from(value) as T & Buffer
  if (Array.isArray(value)) return value.map(owned) as T & unknown[]
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, owned<unknown>(field)])) as T
}
