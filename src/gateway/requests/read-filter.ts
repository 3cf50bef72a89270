import { asDetached } from '../../model/detached.ts'
import type { Filter } from '../../model/filter.ts'
import { manyATurn } from '../../model/many-a-turn.ts'
import { atOnce, type Steps } from '../../model/steps.ts'

/** A larger filter is read in several turns of the event loop. */
const LARGE_FILTER_BYTES = 16 * 1024

export function isLargeFilterText({ length }: { readonly length: number }): boolean {
  return length > LARGE_FILTER_BYTES
}

/** Reads a filter. A large one is read in several turns, and has bytes of its own then. */
export function readFilter(bytes: Buffer, read: (bytes: Buffer) => Steps<Filter>): Filter | Promise<Filter> {
  if (!isLargeFilterText(bytes)) return atOnce(read(bytes))
  return manyATurn(detachedInSteps(read(Buffer.from(bytes))))
}

function* detachedInSteps(steps: Steps<Filter>): Steps<Filter> {
  return yield* asDetached(yield* steps)
}
