/** Retries operations: a server that is busy or unreachable is asked again until the operation's time is over. */

import { type ErrorCode, HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { Introduction } from '../../../src/store/introduction.ts'
import type { ServerLimits, ServerOptions } from './server-options.ts'
import type { ServerTime } from './server-time.ts'

/** Codes of failures that may pass: another attempt may succeed. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'THROTTLED',
  'OVERLOADED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
  'IO',
])
/** The codes among them after which a server has not carried the request out. */
const NOT_DONE: ReadonlySet<ErrorCode> = new Set([
  'THROTTLED',
  'OVERLOADED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
])
/** Factors of the pause by the number of retries. The last one repeats. HBase: HConstants.RETRY_BACKOFF. */
const FACTORS: readonly number[] = [1, 2, 3, 5, 10, 20, 40, 100]

/** A key of an error's detail: the server has not received the request. */
export const UNHEARD = 'unheard'
/** A key of an error's detail: the server has made several attempts itself, and an earlier one may have succeeded. */
export const MAY_BE_DONE = 'mayBeDone'

export interface Operation {
  /** The name in messages: `get of t1`. */
  readonly name: string
  /** True: repeating the operation is safe. */
  readonly isRepeatable: boolean
  /** True: one attempt is enough, since no caller needs the outcome. */
  readonly isTriedOnce?: boolean | undefined
  readonly call: Call
}

export type RetryOptions = Pick<ServerOptions, 'limits' | 'time' | 'introduction' | 'onRetry'>

export class Retries {
  readonly #limits: ServerLimits
  readonly #time: ServerTime
  readonly #introduced: Introduction
  readonly #onRetry: ((reason: string) => void) | undefined
  #isClosed = false

  constructor({ limits, time, introduction, onRetry }: RetryOptions) {
    this.#limits = limits
    this.#time = time
    this.#introduced = introduction ?? ((exchange) => exchange())
    this.#onRetry = onRetry
  }

  /** Calls `attempt` until it succeeds or no attempt may follow. `attempt` gets the milliseconds for one request. Throws HBaseErrors. */
  async retrying<T>(
    { name, isRepeatable, isTriedOnce = false, call }: Operation,
    attempt: (timeoutMs: number) => Promise<T>,
  ): Promise<T> {
    const { retriesMax, pauseMs, requestTimeoutMs, operationTimeoutMs } = this.#limits
    const end = Math.min(this.#time.now() + operationTimeoutMs, call.deadline)
    for (let retries = 0; ; retries++) {
      this.#check(call)
      try {
        const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, end - this.#time.now()))
        const answer = await this.#introduced(() => attempt(timeoutMs))
        this.#check(call)
        return answer
      } catch (error) {
        if (!isHBaseError(error)) throw error
        this.#check(call)
        if (!mayPass(error, isRepeatable)) throw error
        const waitMs = waitOf(error) ?? pauseMs * FACTORS[Math.min(retries, FACTORS.length - 1)]!
        if (isTriedOnce || retries >= retriesMax || this.#time.now() + waitMs >= end)
          throw givenUp(name, retries + 1, error)
        this.#onRetry?.(error.message)
        await this.#time.pause(waitMs, call.signal)
      }
    }
  }

  close(): void {
    this.#isClosed = true
  }

  #check(call: Call): void {
    if (this.#isClosed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    checkIsAwaited(call, this.#time.now())
  }
}

function mayPass({ code, detail }: HBaseError, isRepeatable: boolean): boolean {
  if (!PASSING.has(code)) return false
  const isNotDone = NOT_DONE.has(code) && detail?.[MAY_BE_DONE] !== true
  return isRepeatable || isNotDone || detail?.[UNHEARD] === true
}

/** The pause that the server asks for, in milliseconds; undefined where it asks for none. */
function waitOf({ detail }: HBaseError): number | undefined {
  const waitMs = detail?.['waitMs']
  return typeof waitMs === 'number' ? waitMs : undefined
}

function givenUp(name: string, attempts: number, error: HBaseError): HBaseError {
  if (attempts === 1) return error
  return new HBaseError(error.code, `${name} failed after attempts=${attempts}: ${error.message}`, {
    detail: { ...error.detail, attempts },
    cause: error,
    javaClass: error.javaClass,
  })
}
