import type { Logger } from 'pino'
import { reasonOf } from '../../model/error-reason.ts'
import type { Store } from '../../store/store.ts'

/**
 * Asks a store at the start whether it serves. So the log and /health report a missing cluster before the first client asks.
 * The start does not wait for the answer, and a failure of the question is a line of the log.
 */
export function lookFirst(store: Pick<Store, 'outage'>, logger: Pick<Logger, 'error'>): void {
  store.outage().catch((error: unknown) => {
    logger.error({ err: error }, `the store could not be asked whether it serves: ${reasonOf(error)}`)
  })
}
