import { HBaseError } from '../../../src/model/errors.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import type { FailedItems } from './run-batch.ts'

/** Items for which the server sent neither a result nor an exception: their outcome is unknown. */
export function unanswered(
  region: LocatedRegion,
  items: readonly number[],
  results: readonly { readonly index: number }[],
): FailedItems[] {
  if (results.length >= items.length) return []
  const answered = new Set(results.map(({ index }) => index))
  const missing = items.filter((_, index) => !answered.has(index))
  const error = new HBaseError(
    'IO',
    `A server answered nothing to ${missing.length} of ${items.length} actions`,
  )
  return [{ region, items: missing, error }]
}
