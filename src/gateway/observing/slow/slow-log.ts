/** The slow log: a line for each operation on rows that takes the store longer than a limit. */

import type { Logger } from 'pino'
import { type Interceptor, intercepted } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import { ROW_FIGURES } from '../row-figures.ts'
import { knownOf, rowRequests } from '../row-requests.ts'
import type { SlowOperations } from './recent-slow.ts'
import { SlowLines } from './slow-lines.ts'

/** `now`: milliseconds since any fixed moment. `recent`: keeps the last slow operations. */
export function withSlowLog<Own extends Store>(
  store: Own,
  limitMs: number,
  logger: Logger,
  now?: () => number,
  recent?: SlowOperations,
): Store & Pick<Own, 'catalog'> {
  return intercepted(store, slowRequests(limitMs, logger, now, recent))
}

/** Parameters as those of withSlowLog. */
export function slowRequests(
  limitMs: number,
  logger: Logger,
  now: () => number = () => performance.now(),
  recent?: SlowOperations,
): Interceptor {
  const lines = new SlowLines(limitMs, logger, now, recent)
  return rowRequests((request, next) => {
    const { method: operation, table, call, scan } = request
    const { client, principal } = call
    return lines.timed(
      { operation, table, client, user: principal?.user },
      () => next(call),
      (answer) => ({
        ...knownOf(ROW_FIGURES, request, answer),
        ...(scan && { batchesBefore: scan.batches, rowsBefore: scan.rows }),
      }),
    )
  })
}
