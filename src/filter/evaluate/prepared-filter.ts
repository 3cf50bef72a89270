import type { Filter, RowRange } from '../../model/filter.ts'
import type { Scan } from '../../model/query.ts'
import type { Steps } from '../../model/steps.ts'
import { Turn } from '../turns/turn.ts'
import { scanEvaluatorInSteps } from './create-scan-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { passingRowsInSteps } from './passing-rows.ts'

/** The filter of a read of one region, made ready. */
export interface PreparedFilter {
  readonly evaluator: FilterEvaluator | undefined
  /** The turn at whose end the evaluator pauses. */
  readonly turn: Turn
  /** As passingRows. */
  readonly ranges: readonly RowRange[] | undefined
}

/** Filters of fewer parts are prepared at once. */
const LARGE_PARTS = 500

/** Whether the filter, with the members of its lists, takes too long to be prepared at once. */
export function isLargeFilter(filter: Filter | undefined): boolean {
  return filter !== undefined && partsLeft(filter, LARGE_PARTS) < 0
}

function partsLeft(filter: Filter, most: number): number {
  if (filter.kind === 'FilterList') {
    let left = most - filter.filters.length
    for (let i = 0; i < filter.filters.length && left >= 0; i++) left = partsLeft(filter.filters[i]!, left)
    return left
  }
  if ('filter' in filter) return partsLeft(filter.filter, most - 1)
  if (filter.kind === 'FuzzyRowFilter') return most - filter.keys.length
  if (filter.kind === 'MultiRowRangeFilter') return most - filter.ranges.length
  if (filter.kind === 'MultipleColumnPrefixFilter') return most - filter.prefixes.length
  return filter.kind === 'TimestampsFilter' ? most - filter.timestamps.length : most
}

type FilteredQuery = Pick<Scan, 'filter' | 'visibility'> & Partial<Pick<Scan, 'reversed' | 'batch'>>

/** The preparation of a large filter in several turns of the event loop. */
export class FilterPreparation {
  readonly #monotonicMs: () => number
  readonly #steps: Steps<PreparedFilter>
  #prepared: PreparedFilter | undefined

  /** Undefined: the query has no large filter. `random`, `monotonicMs`: as of createScanEvaluator and Turn. */
  static of(
    query: FilteredQuery,
    random: () => number,
    monotonicMs: () => number,
  ): FilterPreparation | undefined {
    return isLargeFilter(query.filter) ? new FilterPreparation(query, random, monotonicMs) : undefined
  }

  private constructor(query: FilteredQuery, random: () => number, monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
    this.#steps = prepare(query, random, new Turn(monotonicMs))
  }

  /** Works on for about so many milliseconds; undefined: more is to do. Throws as createScanEvaluator. */
  next(ms: number): PreparedFilter | undefined {
    const endMs = this.#monotonicMs() + ms
    for (const steps = this.inSteps(); ; ) {
      const step = steps.next()
      if (step.done === true) return step.value
      if (this.#monotonicMs() >= endMs) return undefined
    }
  }

  /** The steps that are left, of which others may do some meanwhile. Throws as createScanEvaluator. */
  *inSteps(): Steps<PreparedFilter> {
    while (this.#prepared === undefined) {
      const step = this.#steps.next()
      if (step.done === true) this.#prepared = step.value
      else yield
    }
    return this.#prepared
  }
}

function* prepare(query: FilteredQuery, random: () => number, turn: Turn): Steps<PreparedFilter> {
  const { filter, reversed = false, batch = -1 } = query
  const evaluator = yield* scanEvaluatorInSteps(query, reversed, batch, random, turn)
  return { evaluator, turn, ranges: filter && (yield* passingRowsInSteps(filter)) }
}
