/** The slow log: a line for each operation on rows that takes the store longer than a limit. */

import type { Logger } from 'pino'
import { intercepted } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import { ROW_FIGURES } from '../row-figures.ts'
import { knownOf, rowRequests } from '../row-requests.ts'
import type { RecentSlow } from './recent-slow.ts'
import { SlowLines } from './slow-lines.ts'

/** `now`: milliseconds since any fixed moment. `recent`: keeps the last slow operations. */
export function withSlowLog<Own extends Store>(
  store: Own,
  limitMs: number,
  logger: Logger,
  now: () => number = () => performance.now(),
  recent?: RecentSlow,
): Store & Pick<Own, 'catalog'> {
  const lines = new SlowLines(limitMs, logger, now, recent)
  const timed = rowRequests((request, next) => {
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
  return intercepted(store, timed)
}
