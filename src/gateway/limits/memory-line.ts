import { HBaseError, isHBaseError } from '../../model/errors.ts'
import type { HeldMemory } from '../../store/request-memory.ts'

/** A request is refused once all its waits for memory have lasted this long together. */
export const ROOM_WAIT_MS = 30_000

/**
 * The reasons to take memory. Waiting requests get it in this order:
 * - `call`: small requests, and calls that run;
 * - `change`: a change that has read large values; with equal rank `answer`: cells read for a client, and their encoded form;
 * - `arrival`: a larger request that is still arriving, or has not begun.
 * Each reason leaves a part of the budget to those before it. Requests that have arrived can therefore end and give their memory back,
 * however many are still arriving.
 */
export type Need = 'call' | 'answer' | 'change' | 'arrival'

/** Requests with a lower rank go first. */
const RANK: Readonly<Record<Need, number>> = { call: 0, answer: 1, change: 1, arrival: 2 }

/** The part of the memory that does not stand which each need leaves to the needs before it. */
const LEFT_PART: Readonly<Record<Need, number>> = { call: 0, answer: 1 / 32, change: 1 / 32, arrival: 1 / 4 }
/** A request too large for that may take all but this part of the memory, which other requests keep. */
const OTHERS_PART = 1 / 8

/**
 * The most bytes that may be granted in all, with a request that holds `total` bytes then, where `standing` of `bytesMax` stand.
 * A larger request never gets more room than a smaller one.
 */
export function limitFor(
  need: Need,
  total: number,
  { bytesMax, standing }: { readonly bytesMax: number; readonly standing: number },
): number {
  const available = Math.max(0, bytesMax - standing)
  const others = Math.max(available * (1 - LEFT_PART[need]) - total, available * OTHERS_PART)
  return Math.min(bytesMax, standing + total + others)
}

/** There is no room now for that many more bytes. */
export class NoRoom extends HBaseError {
  readonly bytes: number
  readonly need: Need

  constructor(bytes: number, message: string, need: Need = 'call') {
    super('OVERLOADED', message)
    this.bytes = bytes
    this.need = need
  }
}

/** Not even an idle server has room for that many more bytes beside those that the request holds: repeating it is in vain. */
export function neverRoom(bytes: number, held: number, what: string, bytesMax: number): HBaseError {
  return new HBaseError(
    'TOO_LARGE',
    `${what} takes ${held + bytes} bytes of memory, of ${bytesMax} bytes for all requests: send less at a time, or raise --memory-max`,
  )
}

export function isTooLarge(error: unknown): boolean {
  return isHBaseError(error) && error.code === 'TOO_LARGE'
}

/** The outcome of a wait for memory. `gone`: the client no longer waits for an answer. */
export type Room = 'taken' | 'refused' | 'gone'

export interface Waiter {
  readonly bytes: number
  readonly need: Need
  readonly request: HeldMemory
  /** The number of the wait, as in MemoryWaits. */
  readonly number: number
  /** No other request may pass it yet: see MemoryBudget. */
  hasPlace: boolean
  /** Ends the wait. `taken`: the budget has taken the bytes for it. */
  readonly settle: (room: Room) => void
}

/** Requests that wait for memory, by need, then by the time when their first wait began. */
export class MemoryLine {
  #waiting: readonly Waiter[] = []

  /** The next one to get memory is the first. */
  get waiting(): readonly Waiter[] {
    return this.#waiting
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Bytes that the waiting requests hold. */
  get heldBytes(): number {
    return this.#waiting.reduce((sum, { request }) => sum + request.bytes, 0)
  }

  /** The waiting requests that precede a new one with this need. */
  before(need: Need): readonly Waiter[] {
    if (this.isEmpty) return this.#waiting
    return this.#waiting.filter((waiter) => RANK[waiter.need] <= RANK[need])
  }

  add(waiter: Waiter): void {
    this.#waiting = [...this.#waiting, waiter].sort(
      (a, b) => RANK[a.need] - RANK[b.need] || a.number - b.number,
    )
  }

  remove(waiter: Waiter): void {
    this.#waiting = this.#waiting.filter((other) => other !== waiter)
  }
}
