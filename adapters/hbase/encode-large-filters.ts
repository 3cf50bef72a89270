import { filterToEncode } from '../../src/filter/protobuf/encoded-filters.ts'
import { manyATurn } from '../../src/model/many-a-turn.ts'
import type { Query } from '../../src/model/query.ts'

/**
 * Encodes the large filters of reads and conditions in steps, between which the event loop runs. All regions and attempts use the result.
 * Undefined where there is no large filter.
 */
export function encodeLargeFilters(queries: readonly Pick<Query, 'filter'>[]): Promise<void> | undefined {
  for (let i = 0; i < queries.length; i++) {
    const steps = filterToEncode(queries[i]!.filter)
    if (steps !== undefined) return encodeFrom(queries, i)
  }
  return undefined
}

async function encodeFrom(queries: readonly Pick<Query, 'filter'>[], first: number): Promise<void> {
  for (let i = first; i < queries.length; i++) {
    const steps = filterToEncode(queries[i]!.filter)
    if (steps !== undefined) await manyATurn(steps)
  }
}
