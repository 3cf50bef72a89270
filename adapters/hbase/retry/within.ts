import { HBaseError } from '../../../src/model/errors.ts'
import type { Time } from './time.ts'

/** The outcome of `promise`, or TIMEOUT at the deadline. The work behind the promise continues for other callers. `what` is for the message. */
export function within<T>(time: Time, deadline: number, what: string, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = time.after(Math.max(0, deadline - time.now()), () =>
      reject(new HBaseError('TIMEOUT', `No time is left for ${what}`)),
    )
    promise.then(resolve, reject).finally(cancel)
  })
}
