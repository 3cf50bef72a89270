import { FilterPreparation, type PreparedFilter } from '../../../src/filter/evaluate/prepared-filter.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Get, Scan } from '../../../src/model/query.ts'
import { type Clock, monotonicMs, type RandomSource } from '../platform/file-system.ts'

export interface PreparingParts {
  readonly clock: Clock
  readonly random: RandomSource
  readonly turns: LoopTurns
}

/** Undefined: the query has no large filter. `pause` lets other requests have their turn. Throws as createScanEvaluator. */
export function preparedFilter(
  query: Get | Scan,
  { clock, random, turns }: PreparingParts,
  pause: () => Promise<void>,
): Promise<PreparedFilter> | undefined {
  const preparation = FilterPreparation.of(query, random, () => monotonicMs(clock))
  return preparation && inTurns(preparation, turns, pause)
}

async function inTurns(
  preparation: FilterPreparation,
  turns: LoopTurns,
  pause: () => Promise<void>,
): Promise<PreparedFilter> {
  for (;;) {
    const prepared = preparation.next(turns.begin())
    if (prepared !== undefined) return prepared
    await pause()
  }
}
