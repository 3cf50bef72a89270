/**
 * Attempts until one succeeds, none can, the retries are used up or the time is. Throws HBaseErrors only: the last
 * failure's code, so that a door answers it in its protocol's retryable form.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import type { HBaseOptions } from '../hbase-options.ts'
import { backOffMs } from './back-off.ts'
import { type Failure, failureOf } from './failure.ts'
import type { OutageLog } from './outage-log.ts'
import { storeError } from './store-error.ts'
import type { Time } from './time.ts'

export interface Attempt {
  /** From 1. */
  readonly number: number
  /** As Time.now says it. Nothing that an attempt waits for may outlast it. */
  readonly deadline: number
  /** For one call: hbase.rpc.timeout, or what is left where that is less. */
  readonly timeoutMs: number
}

export type RetryOptions = Pick<
  HBaseOptions,
  'retriesMax' | 'pauseMs' | 'overloadedPauseMs' | 'operationTimeoutMs' | 'rpcTimeoutMs'
>

/** An attempt that has less time than this is not worth a pause before it. */
const ATTEMPT_MS_MIN = 50

export class Retrier {
  readonly time: Time
  /** Pauses before another attempt, so far. */
  retries = 0
  /** Operations that another attempt might have helped, so far. */
  givenUp = 0
  readonly #random: () => number
  readonly #options: RetryOptions
  readonly #outages: OutageLog | undefined
  readonly #closing = new Set<() => void>()
  #closed = false

  /** `outages` is told of operations that are given up, and of those that succeed. */
  constructor(time: Time, random: () => number, options: RetryOptions, outages?: OutageLog) {
    this.time = time
    this.#random = random
    this.#options = options
    this.#outages = outages
  }

  /** Of an operation that begins now. */
  deadline(timeoutMs: number = this.#options.operationTimeoutMs): number {
    return this.time.now() + timeoutMs
  }

  attempt(number: number, deadline: number): Attempt {
    const leftMs = Math.max(1, Math.ceil(deadline - this.time.now()))
    return { number, deadline, timeoutMs: Math.min(leftMs, this.#options.rpcTimeoutMs) }
  }

  /** `operation` is for messages: what is tried, as `get of t1`. */
  async retrying<T>(
    operation: string,
    deadline: number,
    attempt: (attempt: Attempt) => Promise<T>,
  ): Promise<T> {
    for (let number = 1; ; number++) {
      try {
        const result = await attempt(this.attempt(number, deadline))
        this.succeeded()
        return result
      } catch (error) {
        const failure = failureOf(error)
        if (failure.kind === 'final') throw storeError(error)
        await this.pause(operation, number, deadline, error, failure)
      }
    }
  }

  /**
   * Waits before the attempt that follows `number`, for what does its attempts by itself, such as a batch. Throws what
   * `error` is to the store's caller where there is none to follow.
   */
  async pause(
    operation: string,
    number: number,
    deadline: number,
    error: unknown,
    failure: Failure = failureOf(error),
  ): Promise<void> {
    if (failure.kind === 'final') throw storeError(error)
    const { pauseMs, overloadedPauseMs, retriesMax } = this.#options
    const unitMs = failure.kind === 'overloaded' ? Math.max(pauseMs, overloadedPauseMs) : pauseMs
    const wantedMs = failure.waitMs ?? backOffMs(unitMs, number - 1, this.#random)
    const spareMs = deadline - this.time.now() - ATTEMPT_MS_MIN
    if (number > retriesMax || spareMs <= 0 || this.#closed) throw this.#givenUp(operation, number, error)
    this.retries++
    await this.#sleep(Math.min(wantedMs, spareMs))
    if (this.#closed) throw this.#givenUp(operation, number, error)
  }

  /** For what does its attempts by itself: one of them succeeded. */
  succeeded(): void {
    this.#outages?.succeeded()
  }

  /** Ends all pauses: their operations fail. */
  close(): void {
    this.#closed = true
    for (const wake of this.#closing) wake()
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel()
        this.#closing.delete(wake)
        resolve()
      }
      const cancel = this.time.after(ms, wake)
      this.#closing.add(wake)
    })
  }

  #givenUp(operation: string, attempts: number, error: unknown): HBaseError {
    const last = storeError(error)
    const failure = new HBaseError(
      last.code,
      `${operation} failed after attempts=${attempts}: ${last.message}`,
      { detail: { ...last.detail, attempts }, cause: last },
    )
    if (this.#closed) return failure
    this.givenUp++
    this.#outages?.failed(failure)
    return failure
  }
}
