/**
 * Attempts until one succeeds, none can, the retries are used up, the time is, or nobody waits for the outcome any more.
 * Throws HBaseErrors only: the last failure's code, so that a door answers it in its protocol's retryable form.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { HBaseOptions } from '../hbase-options.ts'
import { areGone, unwatchCallers, type Waiting, watchCallers } from '../rpc/caller-watch.ts'
import type { CallOptions } from '../rpc/rpc-connection.ts'
import { backOffMs } from './back-off.ts'
import { type Failure, failureOf } from './failure.ts'
import type { OutageLog } from './outage-log.ts'
import { storeError } from './store-error.ts'
import type { Time } from './time.ts'

/** Options too of the call that is made in this attempt. */
export interface Attempt extends Pick<CallOptions, 'priority' | 'signal'> {
  /** From 1. */
  readonly number: number
  /** As Time.now says it. Nothing that an attempt waits for may outlast it. */
  readonly deadline: number
  /** For one call: hbase.rpc.timeout, or what is left where that is less. */
  readonly timeoutMs: number
  /** Whose request it is. */
  readonly call: Call
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
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  readonly #options: RetryOptions
  readonly #outages: OutageLog | undefined
  readonly #sleepers = new Set<Waiting>()
  #closed = false

  /** `outages` is told of operations that are given up, and of those that succeed. */
  constructor(time: Time, random: () => number, options: RetryOptions, outages?: OutageLog) {
    this.time = time
    this.random = random
    this.#options = options
    this.#outages = outages
  }

  /** Of an operation that begins now: the caller's own, or after `timeoutMs` where that is earlier. */
  deadline(call: Call, timeoutMs: number = this.#options.operationTimeoutMs): number {
    return this.time.now() + Math.min(timeoutMs, this.#callersMs(call))
  }

  attempt(number: number, deadline: number, call: Call): Attempt {
    const leftMs = Math.max(1, Math.ceil(deadline - this.time.now()))
    return {
      number,
      deadline,
      timeoutMs: Math.min(leftMs, this.#options.rpcTimeoutMs),
      call,
      signal: call.signal,
      priority: call.priority === 0 ? undefined : call.priority,
    }
  }

  /** Throws CALLER_GONE, TIMEOUT where nobody waits for the call any more, UNAVAILABLE once the store is closed. */
  checkIsAwaited(call: Call): void {
    if (this.#closed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    // Most clients state no deadline: then the clock need not be read.
    checkIsAwaited(call, call.deadline === Number.POSITIVE_INFINITY ? 0 : this.time.epochMs())
  }

  /** Whether somebody waits for the call still: otherwise a failure may be no fault of the cluster's. */
  isAwaited(call: Call): boolean {
    return !areGone(call.signal) && this.#callersMs(call) > 0
  }

  /** `operation` is for messages: what is tried, as `get of t1`. */
  async retrying<T>(
    operation: string,
    call: Call,
    attempt: (attempt: Attempt) => Promise<T>,
    deadline: number = this.deadline(call),
  ): Promise<T> {
    for (let number = 1; ; number++) {
      this.checkIsAwaited(call)
      const current = this.attempt(number, deadline, call)
      try {
        const result = await attempt(current)
        this.succeeded()
        return result
      } catch (error) {
        await this.pause(operation, current, error)
      }
    }
  }

  /**
   * Waits before the attempt that follows `attempt`. Throws what `error` is to the store's caller where there is none to
   * follow, and CALLER_GONE as soon as the caller has hung up. Batches and scanners, which make their attempts themselves,
   * call it too.
   */
  async pause(
    operation: string,
    { number, deadline, call }: Attempt,
    error: unknown,
    failure: Failure = failureOf(error),
  ): Promise<void> {
    if (failure.kind === 'final') throw storeError(error)
    const { pauseMs, overloadedPauseMs, retriesMax } = this.#options
    const unitMs = failure.kind === 'overloaded' ? Math.max(pauseMs, overloadedPauseMs) : pauseMs
    const wantedMs = failure.waitMs ?? backOffMs(unitMs, number - 1, this.random)
    this.#checkCaller(operation, number, call, error)
    const spareMs = deadline - this.time.now() - ATTEMPT_MS_MIN
    if (number > retriesMax || spareMs <= 0 || this.#closed) throw this.#givenUp(operation, number, error)
    this.retries++
    await this.sleep(Math.min(wantedMs, spareMs), call)
    if (this.#closed) throw this.#givenUp(operation, number, error)
    this.checkIsAwaited(call)
  }

  /** For batches and scanners: an attempt of theirs succeeded. */
  succeeded(): void {
    this.#outages?.succeeded()
  }

  /** Ends all pauses: their operations fail. */
  close(): void {
    this.#closed = true
    for (const sleeper of this.#sleepers) sleeper.callerGone()
  }

  /** Resolves after so many milliseconds, at once when the caller hangs up or the store is closed. */
  sleep(ms: number, { signal }: Call): Promise<void> {
    if (this.#closed || areGone(signal)) return Promise.resolve()
    return new Promise((resolve) => {
      const wake = (): void => {
        cancel()
        this.#sleepers.delete(sleeper)
        unwatchCallers(signal, sleeper)
        resolve()
      }
      const sleeper = { callerGone: wake }
      const cancel = this.time.after(ms, wake)
      this.#sleepers.add(sleeper)
      watchCallers(signal, sleeper)
    })
  }

  /** Milliseconds for which the caller waits. */
  #callersMs({ deadline }: Call): number {
    return deadline === Number.POSITIVE_INFINITY ? deadline : deadline - this.time.epochMs()
  }

  /** Throws where the caller has no time for another attempt, which says nothing of the cluster. */
  #checkCaller(operation: string, attempts: number, call: Call, error: unknown): void {
    if (areGone(call.signal)) this.checkIsAwaited(call)
    if (this.#callersMs(call) > ATTEMPT_MS_MIN) return
    const last = storeError(error)
    throw new HBaseError(
      'TIMEOUT',
      `${operation} has no time left after attempts=${attempts}: ${last.message}`,
      { detail: { ...last.detail, attempts }, cause: last },
    )
  }

  #givenUp(operation: string, attempts: number, error: unknown): HBaseError {
    const last = storeError(error)
    const failure = new HBaseError(
      last.code,
      `${operation} failed after attempts=${attempts}: ${last.message}`,
      { detail: { ...last.detail, attempts }, cause: last, javaClass: last.javaClass },
    )
    if (this.#closed) return failure
    this.givenUp++
    this.#outages?.failed(failure)
    return failure
  }
}
