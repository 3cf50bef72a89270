import { InvariantError } from '../../src/model/assert.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { type Call, checkIsAwaited } from '../../src/store/call.ts'
import type { Clock } from './platform/file-system.ts'

/** Checks whether the engine takes calls and whether a caller still waits; `close` waits for the changes under way. */
export class EngineCalls {
  readonly #clock: Clock
  readonly #stop: (cause: InvariantError) => void
  /** Calls that change data and have not returned. */
  readonly #changes = new Set<Promise<unknown>>()
  #isClosed = false
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

  /** Runs a change, for which `close` waits. Throws as `check`. */
  async change<T>(call: Call, work: () => Promise<T>): Promise<T> {
    this.check(call)
    const running = work()
    this.#changes.add(running)
    try {
      return await running
    } catch (error) {
      if (error instanceof InvariantError) this.#stop(error)
      throw error
    } finally {
      this.#changes.delete(running)
    }
  }

  /** Takes no more calls; resolves once the running changes have returned. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#changes)
  }
}
