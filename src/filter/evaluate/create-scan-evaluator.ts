import { HBaseError } from '../../model/errors.ts'
import type { Query } from '../../model/query.ts'
import { atOnce, type Steps } from '../../model/steps.ts'
import type { Turn } from '../turns/turn.ts'
import { evaluatorInSteps } from './create-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { FilterListAll } from './filter-list-all.ts'
import { VisibilityFilter } from './visibility-filter.ts'

type FilteredQuery = Pick<Query, 'filter' | 'visibility'>

/**
 * The query's own filter, and behind it what decides which cells its user sees; undefined where it has neither. HBase:
 * VisibilityController.preScannerOpen. Throws as createFilterEvaluator.
 */
function* queryEvaluator(
  { filter, visibility }: FilteredQuery,
  random: () => number,
  turn: Turn,
): Steps<FilterEvaluator | undefined> {
  const own = filter && (yield* evaluatorInSteps(filter, random, turn))
  if (visibility === undefined) return own
  const visible = new VisibilityFilter(visibility, turn)
  return own === undefined ? visible : new FilterListAll([own, visible], turn)
}

/**
 * Makes a query's filters ready for a scan of one region, in the scan's direction. `random` gives numbers from 0 up to 1. Throws
 * ILLEGAL_ARGUMENT where HBase's constructors do, and IO for a scan of parts of rows (`batch` above 0) with a filter that
 * must see whole rows. `turn`: see createFilterEvaluator. HBase: Scan.setBatch, which its region servers call for such a scan.
 */
export function createScanEvaluator(
  query: FilteredQuery,
  reversed: boolean,
  batch: number,
  random: () => number,
  turn: Turn,
): FilterEvaluator | undefined {
  if (query.filter === undefined && query.visibility === undefined) return undefined
  return atOnce(scanEvaluatorInSteps(query, reversed, batch, random, turn))
}

/** As createScanEvaluator. */
export function* scanEvaluatorInSteps(
  query: FilteredQuery,
  reversed: boolean,
  batch: number,
  random: () => number,
  turn: Turn,
): Steps<FilterEvaluator | undefined> {
  const evaluator = yield* queryEvaluator(query, random, turn)
  if (evaluator === undefined) return undefined
  if (batch > 0 && evaluator.hasFilterRow) {
    throw new HBaseError(
      'REFUSED',
      'org.apache.hadoop.hbase.filter.IncompatibleFilterException: ' +
        'Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow',
    )
  }
  if (reversed) evaluator.setReversed(true)
  return evaluator
}
