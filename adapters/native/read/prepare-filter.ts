import { FilterPreparation, type PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Get, Scan } from '../../../src/model/query.ts'
import { type Clock, monotonicMs, type RandomSource } from '../platform/file-system.ts'

export interface PreparingParts {
  readonly clock: Clock
  readonly random: RandomSource
  readonly turns: LoopTurns
}

/** Undefined: the query has no large filter. `resumed`: as of LoopTurns.run. Throws as createScanEvaluator. */
export function preparedFilter(
  query: Get | Scan,
  { clock, random, turns }: PreparingParts,
  resumed: () => void,
): Promise<PreparedFilter> | undefined {
  const preparation = FilterPreparation.of(query, random, () => monotonicMs(clock))
  return preparation && turns.run(preparation.inSteps(), resumed)
}
