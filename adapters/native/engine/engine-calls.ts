import { InvariantError } from '../../../src/model/assert.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { Clock } from '../platform/file-system.ts'

/** Checks whether the engine takes calls and whether a caller still waits; `close` waits for the changes under way. */
export class EngineCalls {
  readonly #clock: Clock
  readonly #stop: (cause: InvariantError) => void
  /** Number of calls that change data and have not returned. */
  #changes = 0
  #isClosed = false
  /** Called once the last change has returned. */
  #onIdle: (() => void) | undefined
  /** Number of calls so far. */
  received = 0

  /** `stop` ends all writes once a change has found a bug of ours. */
  constructor(clock: Clock, stop: (cause: InvariantError) => void) {
    this.#clock = clock
    this.#stop = stop
  }

  /** Throws UNAVAILABLE once the store is closed, CALLER_GONE, TIMEOUT. */
  check(call: Call): void {
    this.received++
    this.checkIsOpen()
    this.checkIsAwaited(call)
  }

  /** Throws UNAVAILABLE. */
  checkIsOpen(): void {
    if (this.#isClosed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
  }

  /** Throws CALLER_GONE, TIMEOUT. */
  checkIsAwaited(call: Call): void {
    // Most calls have no deadline, and need not know the time.
    checkIsAwaited(call, call.deadline === Number.POSITIVE_INFINITY ? 0 : this.#clock.now())
  }

  /**
   * Runs a change, for which `close` waits. Rejects as `check` throws. Both reactions are made once: an async function, and a set of the
   * running promises, took some percent of a put.
   */
  change<T>(call: Call, work: () => Promise<T>): Promise<T> {
    let running: Promise<T>
    try {
      this.check(call)
      running = work()
    } catch (error) {
      return Promise.reject(error)
    }
    this.#changes++
    return running.then(this.#returned, this.#threw)
  }

  readonly #returned = <T>(result: T): T => {
    this.#ended()
    return result
  }

  readonly #threw = (error: unknown): never => {
    this.#ended()
    if (error instanceof InvariantError) this.#stop(error)
    throw error
  }

  #ended(): void {
    if (--this.#changes === 0) this.#onIdle?.()
  }

  /** Takes no more calls; resolves once the running changes have returned. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#changes > 0) await new Promise<void>((resolve) => (this.#onIdle = resolve))
  }
}
