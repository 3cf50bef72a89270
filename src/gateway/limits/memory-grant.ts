import { HBaseError } from '../../model/errors.ts'
import type { HeldMemory, MemoryWaits } from '../../store/request-memory.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { type Need, NoRoom } from './memory-line.ts'

/** The memory of one request, given back as a whole. */
export class MemoryGrant implements HeldMemory {
  readonly #budget: MemoryBudget
  readonly #request: HeldMemory | undefined
  #bytes = 0
  waits: MemoryWaits | undefined = undefined
  #isReleased = false
  #isStanding: boolean
  /** Aborted once the grant is released; made at the first wait. */
  #released: AbortController | undefined

  /**
   * `isStanding`: only the client can give the memory back, as with an open scanner. `request`: the memory of the request that this is a
   * part of, with the waits that it has had; undefined: the request has no other memory.
   */
  constructor(budget: MemoryBudget, isStanding = false, request?: HeldMemory) {
    this.#budget = budget
    this.#isStanding = isStanding
    this.#request = request
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Bytes that the whole request holds. */
  get #ofRequest(): number {
    return this.#bytes + (this.#request?.bytes ?? 0)
  }

  /** Whether an idle server has room for that many more bytes. */
  canEverTake(bytes: number): boolean {
    return this.#ofRequest + bytes <= this.#budget.bytesMax
  }

  /** Counts an answer that is in memory. Its memory stands until the client has read it. */
  noteAnswer(bytes: number): void {
    this.note(bytes)
    this.stand(true)
  }

  /** States whether only the client can give the memory back from now on. */
  stand(isStanding: boolean): void {
    if (this.#isStanding === isStanding || this.#isReleased) return
    this.#isStanding = isStanding
    this.#budget.stand(isStanding ? this.#bytes : -this.#bytes)
  }

  /** See MemoryBudget.take. */
  take(bytes: number, what: string, need?: Need): void {
    if (this.#isReleased) return
    this.#budget.take(bytes, what, need, this.#ofRequest)
    this.#add(bytes)
  }

  /** Like take, but returns false where that would throw OVERLOADED, and counts no refusal. */
  tryTake(bytes: number, what: string, need: Need): boolean {
    if (!this.#budget.allows(bytes, need, this.#ofRequest)) return false
    this.take(bytes, what, need)
    return true
  }

  /** Throws TOO_LARGE where not even an idle server has room for that many more bytes. */
  checkEver(bytes: number, what: string): void {
    this.#budget.checkEver(bytes, what, this.#ofRequest)
  }

  /** See MemoryBudget.note. */
  note(bytes: number): void {
    if (this.#isReleased) return
    this.#budget.note(bytes)
    this.#add(bytes)
  }

  #add(bytes: number): void {
    this.#bytes += bytes
    if (this.#isStanding) this.#budget.stand(bytes)
  }

  /** See MemoryBudget.spent. */
  spent(bytes: number): void {
    this.#budget.spent(bytes)
  }

  give(bytes: number): void {
    if (this.#isReleased) return
    if (this.#isStanding) this.#budget.giveStanding(bytes)
    else this.#budget.give(bytes)
    this.#bytes -= bytes
  }

  /**
   * Runs a task that takes memory of this grant. Returns undefined where the task ran at once; otherwise it runs when other requests have given
   * memory back. Rejects with OVERLOADED, with CALLER_GONE once `gone` is aborted or the grant is released, and with other errors of the task.
   */
  atOnceOrLater(task: () => void, gone?: AbortSignal): Promise<void> | undefined {
    try {
      task()
      return undefined
    } catch (error) {
      return this.#later(task, error, gone)
    }
  }

  /**
   * Takes memory for an answer of `bytes`, of which `there` are in memory already. These count at once, and stay while the answer waits for
   * the rest. Returns undefined where there is memory at once. Throws OVERLOADED where there is no room for the bytes in memory, since such an
   * answer would keep out others while it waits. Throws TOO_LARGE, and rejects like atOnceOrLater.
   */
  takeHolding(there: number, bytes: number, what: string, gone?: AbortSignal): Promise<void> | undefined {
    this.take(there, what, 'call')
    return this.atOnceOrLater(() => this.take(bytes - there, what, 'answer'), gone)
  }

  async #later(task: () => void, refusal: unknown, gone?: AbortSignal): Promise<void> {
    this.#released ??= new AbortController()
    const { signal } = this.#released
    const release = (): void => this.#released?.abort()
    gone?.addEventListener('abort', release)
    try {
      if (this.#isReleased || gone?.aborted === true) release()
      for (let error = refusal; ; ) {
        if (!(error instanceof NoRoom)) throw error
        await this.#room(error, signal)
        this.#budget.putBack(error.bytes)
        try {
          task()
          return
        } catch (again) {
          error = again
        }
      }
    } finally {
      gone?.removeEventListener('abort', release)
    }
  }

  /** The request as the budget sees it while it waits. Standing memory does not count as its own, since only the client can give it back. */
  get #waiting(): HeldMemory {
    const request = this.#request
    if (request === undefined && !this.#isStanding) return this
    const waits = request ?? this
    const own = (): number => (this.#isStanding ? 0 : this.#bytes)
    return {
      get bytes() {
        return own() + (request?.bytes ?? 0)
      },
      get waits() {
        return waits.waits
      },
      set waits(value) {
        waits.waits = value
      },
    }
  }

  /** Resolves once the refused bytes have been taken. Rejects where the wait ends without them. */
  async #room(refusal: NoRoom, gone: AbortSignal): Promise<void> {
    const room = await this.#budget.awaitRoom(refusal, this.#waiting, gone)
    if (room === 'gone')
      throw new HBaseError('CALLER_GONE', 'the client has hung up, and its request waited for memory')
    if (room === 'refused') throw refusal
  }

  /** Sets the size of the grant, for bytes that are in memory already. */
  hold(bytes: number): void {
    const more = bytes - this.#bytes
    if (more > 0) this.note(more)
    else if (more < 0) this.give(-more)
  }

  release(): void {
    this.give(this.#bytes)
    this.#isReleased = true
    this.#released?.abort()
  }
}
