/** What tells requests of a region's copy from those of the region itself. */

import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { NamedRegion } from './named-region.ts'

/** True where what is read may be older than the region's rows, as far as clients know. HBase: Result.isStale. */
export function isStale({ replica }: NamedRegion): boolean {
  return replica > 0
}

/** A store knows the region alone, and names it in its errors. */
export function ofCopy(error: unknown, { name, copyOf }: NamedRegion): unknown {
  if (copyOf === undefined || !isHBaseError(error) || !error.message.includes(copyOf)) return error
  const { code, javaClass, cause, detail } = error
  return new HBaseError(code, error.message.replaceAll(copyOf, name), { javaClass, cause, detail })
}
