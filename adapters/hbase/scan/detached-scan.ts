import type { Scan } from '../../../src/model/query.ts'

/** The scan with bytes of its own: those of a request are not a store's to keep, and a scanner outlives its request. */
export function detachedScan(scan: Scan): Scan {
  return detached(scan)
}

/** Of plain data: filters too are trees of it. */
function detached<T>(value: T): T
function detached(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return Buffer.from(value)
  if (Array.isArray(value)) return value.map((element) => detached(element))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return value
  }
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, detached(field)]))
}
