import type { Call } from '../../../src/store/call.ts'
import type { Time } from './time.ts'

export interface Race<T> {
  readonly askFirst: (call: Call) => Promise<T>
  /** Asks all others; resolves to no answers where there are no others. */
  readonly askOthers: (call: Call) => Promise<Promise<T>[]>
  /** Milliseconds before the others are asked. They are asked at once where the first one fails. */
  readonly waitMs: number
  readonly time: Time
  readonly call: Call
}

/** The first answer, after which the other calls are cancelled. Throws the failure of the first call where all fail. */
export async function firstAnswer<T>({ askFirst, askOthers, waitMs, time, call }: Race<T>): Promise<T> {
  const lost = new AbortController()
  const signal = call.signal === undefined ? lost.signal : AbortSignal.any([call.signal, lost.signal])
  const own = { ...call, signal }
  const first = askFirst(own)
  try {
    const inTime = await withinMs(first, waitMs, time)
    if (inTime !== undefined) return inTime
    const others = askOthers(own).then((answers) => (answers.length === 0 ? first : Promise.any(answers)))
    return await Promise.any([first, others])
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    lost.abort()
  }
}

/** The outcome of the promise; undefined where it has failed, or has not come within `ms` milliseconds. */
function withinMs<T>(promise: Promise<T>, ms: number, time: Time): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = time.after(ms, () => resolve(undefined))
    const failed = (): void => resolve(undefined)
    promise.then(resolve, failed).finally(cancel)
  })
}
