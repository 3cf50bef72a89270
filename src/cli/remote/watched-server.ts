import { isHBaseError } from '../../model/errors.ts'
import { intercepted } from '../../store/interceptors.ts'
import type { Store } from '../../store/store.ts'
import type { OutageReporter } from './outage-reporter.ts'

/** Failures of calls that a server may never have seen. */
const UNHEARD: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT', 'CALLER_GONE'])

/** The store of a server, whose reporter hears of each call and each answer. */
export function watchedServer(store: Store, outage: OutageReporter): Store {
  const settled = (error: unknown): void => {
    if (isHBaseError(error) && UNHEARD.has(error.code)) outage.end()
    else outage.answered()
  }
  const watched = intercepted(store, () => (call, _, next) => {
    const result = next(call)
    if (!(result instanceof Promise)) return result
    outage.asked()
    result.then(() => outage.answered(), settled)
    return result
  })
  return {
    ...watched,
    close: () => {
      outage.end()
      return store.close()
    },
  }
}
