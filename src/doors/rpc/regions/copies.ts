/** Copies of a region (HBase's region replicas) as clients see them: stale results, and errors with the copy's own name. */

import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { NamedRegion } from './named-region.ts'

/** True for a copy: clients are to assume that its rows may be older than the region's. HBase: Result.isStale. */
export function isStale({ replica }: NamedRegion): boolean {
  return replica > 0
}

/** Puts the copy's name into an error of the store, which only knows the region itself. */
export function errorOfCopy(error: unknown, { name, copyOf }: NamedRegion): unknown {
  if (copyOf === undefined || !isHBaseError(error) || !error.message.includes(copyOf)) return error
  const { code, javaClass, cause, detail } = error
  return new HBaseError(code, error.message.replaceAll(copyOf, name), { javaClass, cause, detail })
}
