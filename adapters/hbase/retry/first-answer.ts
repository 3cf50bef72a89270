import type { Call } from '../../../src/store/call.ts'
import type { Time } from './time.ts'

export interface Asked<T> {
  readonly ofFirst: (call: Call) => Promise<T>
  /** Asks the others as well; none where nobody else has an answer. */
  readonly ofOthers: (call: Call) => Promise<Promise<T>[]>
  /** Until the others are asked; they are asked at once where the first one fails. */
  readonly waitMs: number
  readonly time: Time
  readonly call: Call
}

/** The first answer; the calls that it was faster than are cancelled. Throws the failure of the first one where all fail. */
export async function firstAnswer<T>({ ofFirst, ofOthers, waitMs, time, call }: Asked<T>): Promise<T> {
  const lost = new AbortController()
  const signal = call.signal === undefined ? lost.signal : AbortSignal.any([call.signal, lost.signal])
  const own = { ...call, signal }
  const first = ofFirst(own)
  try {
    const inTime = await withinMs(first, waitMs, time)
    if (inTime !== undefined) return inTime
    const others = ofOthers(own).then((answers) => (answers.length === 0 ? first : Promise.any(answers)))
    return await Promise.any([first, others])
  } catch (error) {
    throw error instanceof AggregateError ? error.errors[0] : error
  } finally {
    lost.abort()
  }
}

/** Undefined where it has failed, or has not come in time. */
function withinMs<T>(promise: Promise<T>, ms: number, time: Time): Promise<T | undefined> {
  return new Promise((resolve) => {
    const cancel = time.after(ms, () => resolve(undefined))
    const failed = (): void => resolve(undefined)
    promise.then(resolve, failed).finally(cancel)
  })
}
