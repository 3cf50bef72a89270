/** The bytes of large filters, which are sent once for each region of a scan and for each try. */

import type { Filter } from '../../model/filter.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import { isLargeFilter } from '../evaluate/prepared-filter.ts'
import { encodeFilter, encodeFilterInSteps } from './encode-filter.ts'

/** The encoded filters. A filter never changes. */
const encoded = new WeakMap<Filter, Uint8Array>()

/** As encodeFilter; a large filter is encoded once. */
export function encodedFilter(filter: Filter): Uint8Array {
  const known = encoded.get(filter)
  if (known !== undefined) return known
  return isLargeFilter(filter) ? atOnce(encodedInSteps(filter)) : encodeFilter(filter)
}

/** Encodes a large filter, which `encodedFilter` then knows. Undefined where there is nothing to do. */
export function filterToEncode(filter: Filter | undefined): Steps<Uint8Array> | undefined {
  return filter === undefined || encoded.has(filter) || !isLargeFilter(filter)
    ? undefined
    : encodedInSteps(filter)
}

function* encodedInSteps(filter: Filter): Steps<Uint8Array> {
  const bytes = yield* encodeFilterInSteps(filter)
  encoded.set(filter, bytes)
  return bytes
}
