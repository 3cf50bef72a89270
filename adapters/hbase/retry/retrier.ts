/**
 * Retries an operation until it succeeds, fails for good, runs out of retries or time, or loses its caller. Throws only
 * HBaseErrors, with the code of the last failure, so that a door answers in its protocol's retryable form.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { HBaseOptions } from '../config/hbase-options.ts'
import { areGone, unwatchCallers, type Waiting, watchCallers } from '../rpc/caller-watch.ts'
import type { CallOptions } from '../rpc/rpc-connection.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { backOffMs } from './back-off.ts'
import { type Failure, failureOf } from './failure.ts'
import type { OutageLog } from './outage-log.ts'
import { storeError } from './store-error.ts'
import type { Time } from './time.ts'

/** One attempt of an operation; also the options of its call. */
export interface Attempt extends Pick<CallOptions, 'priority' | 'signal' | 'trace'> {
  /** From 1. */
  readonly number: number
  /** In the time of Time.now. No wait of an attempt may outlast it. */
  readonly deadline: number
  /** Milliseconds of one call: hbase.rpc.timeout, or the time left if that is shorter. */
  readonly timeoutMs: number
  /** The store call that the attempt serves. */
  readonly call: Call
  /** Why the attempt before this one failed. */
  readonly earlier?: unknown
}

export type RetryOptions = Pick<
  HBaseOptions,
  'retriesMax' | 'pauseMs' | 'overloadedPauseMs' | 'operationTimeoutMs' | 'rpcTimeoutMs'
>

/** The least time that makes another attempt worth its pause. */
const ATTEMPT_MS_MIN = 50

export class Retrier {
  readonly time: Time
  /** Pauses before another attempt so far. */
  retries = 0
  /** Operations given up so far although another attempt might have succeeded. */
  givenUp = 0
  /** Numbers from 0 up to 1. */
  readonly random: () => number
  readonly #options: RetryOptions
  readonly #outages: OutageLog | undefined
  readonly #onRetry: ((reason: string) => void) | undefined
  readonly #sleepers = new Set<Waiting>()
  #closed = false

  /** Reports operations that are given up, and ones that succeed, to `outages`, and the failure before each pause to `onRetry`. */
  constructor(
    time: Time,
    random: () => number,
    options: RetryOptions,
    outages?: OutageLog,
    onRetry?: (reason: string) => void,
  ) {
    this.time = time
    this.random = random
    this.#options = options
    this.#outages = outages
    this.#onRetry = onRetry
  }

  /** The deadline of an operation that begins now: after `timeoutMs`, or the caller's own where that is earlier. */
  deadline(call: Call, timeoutMs: number = this.#options.operationTimeoutMs): number {
    return this.time.now() + Math.min(timeoutMs, this.#callersMs(call))
  }

  /** An attempt that starts now. `earlier`: why the attempt before it failed. */
  attempt(number: number, deadline: number, call: Call, earlier?: unknown): Attempt {
    const leftMs = Math.max(1, Math.ceil(deadline - this.time.now()))
    return {
      number,
      deadline,
      timeoutMs: Math.min(leftMs, this.#options.rpcTimeoutMs),
      call,
      signal: call.signal,
      priority: call.priority === 0 ? undefined : call.priority,
      trace: call.trace,
      earlier,
    }
  }

  /** Throws CALLER_GONE or TIMEOUT where the caller no longer waits, UNAVAILABLE once the store is closed. */
  checkIsAwaited(call: Call): void {
    if (this.#closed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    // Most calls have no deadline, and need no clock.
    checkIsAwaited(call, call.deadline === Number.POSITIVE_INFINITY ? 0 : this.time.epochMs())
  }

  /** True while the caller waits. Otherwise a failure may not be the cluster's fault. */
  isAwaited(call: Call): boolean {
    return !areGone(call.signal) && this.#callersMs(call) > 0
  }

  /** Retries `attempt` until it succeeds or no attempt may follow. `operation` is for messages: `get of t1`. */
  async retrying<T>(
    operation: string,
    call: Call,
    attempt: (attempt: Attempt) => Promise<T>,
    deadline: number = this.deadline(call),
  ): Promise<T> {
    let earlier: unknown
    for (let number = 1; ; number++) {
      this.checkIsAwaited(call)
      const current = this.attempt(number, deadline, call, earlier)
      try {
        const result = await attempt(current)
        this.succeeded()
        return result
      } catch (error) {
        earlier = await this.pause(operation, current, error)
      }
    }
  }

  /**
   * Waits before the next attempt. Throws `error` as an HBaseError where no attempt may follow, and CALLER_GONE as soon as the
   * caller has hung up. Batches and scanners, which retry themselves, call it directly. Resolves to the `earlier` of the
   * next attempt.
   */
  async pause(
    operation: string,
    attempt: Attempt,
    error: unknown,
    failure: Failure = failureOf(error),
  ): Promise<unknown> {
    const { number, deadline, call } = attempt
    const reported = isCutShort(attempt, error) ? (attempt.earlier ?? error) : error
    if (failure.kind === 'final') throw this.#final(error)
    const { pauseMs, overloadedPauseMs, retriesMax } = this.#options
    const unitMs = failure.kind === 'overloaded' ? Math.max(pauseMs, overloadedPauseMs) : pauseMs
    const wantedMs = failure.waitMs ?? backOffMs(unitMs, number - 1, this.random)
    this.#checkCaller(operation, number, call, reported)
    const spareMs = deadline - this.time.now() - ATTEMPT_MS_MIN
    if (number > retriesMax || spareMs <= 0 || this.#closed) throw this.#givenUp(operation, number, reported)
    this.retries++
    this.#onRetry?.(storeError(reported).message)
    await this.sleep(Math.min(wantedMs, spareMs), call)
    if (this.#closed) throw this.#givenUp(operation, number, reported)
    this.checkIsAwaited(call)
    return reported
  }

  /** An attempt succeeded; batches and scanners call it directly. */
  succeeded(): void {
    this.#outages?.succeeded()
  }

  /** Ends all pauses; the paused operations fail. */
  close(): void {
    this.#closed = true
    for (const sleeper of this.#sleepers) sleeper.callerGone()
  }

  /** Resolves after `ms` milliseconds, or as soon as the caller hangs up or the store closes. */
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

  /** Milliseconds until the caller's deadline. */
  #callersMs({ deadline }: Call): number {
    return deadline === Number.POSITIVE_INFINITY ? deadline : deadline - this.time.epochMs()
  }

  /** Throws where the caller has no time for another attempt. Such a failure is no sign of an outage. */
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

  /** A cluster that does not let Tidegate in is an outage: no operation succeeds. */
  #final(error: unknown): HBaseError {
    const failure = storeError(error)
    if (error instanceof RpcError && error.code === 'LOGIN_REFUSED' && !this.#closed)
      this.#outages?.failed(failure)
    return failure
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

/**
 * True where an attempt failed only because the operation's time was over. The last attempt gets the time that is left, which may be too
 * short for any answer. The failure before it then says more to an operator.
 */
function isCutShort({ timeoutMs }: Attempt, error: unknown): boolean {
  return timeoutMs <= ATTEMPT_MS_MIN && error instanceof RpcError && error.code === 'CALL_TIMEOUT'
}
