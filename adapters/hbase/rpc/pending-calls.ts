/** The unanswered calls of one connection, by their ids. A call fails at its deadline. */

import { unwatchCallers, watchCallers } from './caller-watch.ts'
import type { PendingCall } from './pending-call.ts'
import { RpcError } from './rpc-error.ts'

const CALL_ID_MAX = 0x7fffffff
/** The shortest timer: calls whose deadlines are closer together than this fail together. */
const TIMER_MS_MIN = 10

export class PendingCalls {
  readonly #calls = new Map<number, PendingCall>()
  readonly #onTimeout: (call: PendingCall, error: RpcError) => void
  #lastId = 0
  #timer: NodeJS.Timeout | undefined
  #timerAt = Infinity

  constructor(onTimeout: (call: PendingCall, error: RpcError) => void) {
    this.#onTimeout = onTimeout
  }

  get size(): number {
    return this.#calls.size
  }

  /** An id that no pending call has. */
  nextId(): number {
    do this.#lastId = this.#lastId === CALL_ID_MAX ? 1 : this.#lastId + 1
    while (this.#calls.has(this.#lastId))
    return this.#lastId
  }

  add(call: PendingCall): void {
    this.#calls.set(call.id, call)
    watchCallers(call.callers, call)
    if (call.deadline < this.#timerAt) this.#arm(call.deadline)
  }

  /** Removes and returns a call; undefined where it was answered or cancelled before. */
  take(id: number): PendingCall | undefined {
    const call = this.#calls.get(id)
    if (call === undefined) return undefined
    this.#calls.delete(id)
    unwatchCallers(call.callers, call)
    return call
  }

  /** Removes and returns all calls, and stops the timer. */
  takeAll(): PendingCall[] {
    clearTimeout(this.#timer)
    this.#timerAt = Infinity
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of calls) unwatchCallers(call.callers, call)
    return calls
  }

  /** Sets the one timer of all calls, for the earliest deadline. It is set anew only when it fires. */
  #arm(deadline: number): void {
    clearTimeout(this.#timer)
    this.#timerAt = deadline
    const wait = Math.max(TIMER_MS_MIN, Math.ceil(deadline - performance.now()))
    this.#timer = setTimeout(() => this.#expire(), wait)
  }

  #expire(): void {
    this.#timerAt = Infinity
    const now = performance.now()
    let earliest = Infinity
    for (const call of this.#calls.values()) {
      if (call.deadline > now) {
        if (call.deadline < earliest) earliest = call.deadline
        continue
      }
      const waited = Math.round(now - call.startedAt)
      const error = new RpcError('CALL_TIMEOUT', `no answer to ${call.method.name} after ${waited} ms`, {
        sent: !call.waiting,
      })
      this.#onTimeout(call, error)
    }
    if (earliest < Infinity) this.#arm(earliest)
  }
}
