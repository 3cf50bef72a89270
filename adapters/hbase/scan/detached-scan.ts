import type { Scan } from '../../../src/model/query.ts'

/** A copy of the scan with its own bytes: a scanner outlives the request that owns the original's memory. */
export function detachedScan(scan: Scan): Scan {
  return detached(scan)
}

/** Copies plain data; filters are trees of it. */
function detached<T>(value: T): T
function detached(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (Array.isArray(value)) return value.map((element) => detached(element))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, detached(field)]))
}
