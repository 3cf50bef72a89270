import type { Steps } from './steps.ts'

/** Milliseconds of each round of the event loop that work in several turns may take. */
const SHARE_MS = 20
/** A turn is at least so long, even where others have used the share up: it waited for its place. */
const TURN_MS_MIN = 2

/**
 * The turns of work that gives way to other requests. In each round of the event loop this work has a share of the time, however many
 * requests wait for their next turn. Requests get their turns in the order in which they began to wait, at least one in each round.
 */
export class LoopTurns {
  readonly #monotonicMs: () => number
  readonly #waiting: (() => void)[] = []
  /** Index in `#waiting`: entries before it have had their turn. */
  #first = 0
  /** Calls of #run in the present round, and in the next one. */
  #due = 0
  #asked = 0
  /** Whether the share of this round has begun, and when it ends. */
  #hasBegun = false
  #endMs = 0

  /** `monotonicMs`: milliseconds since any moment. */
  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs
  }

  /** True: work that begins now should wait for a turn first. */
  get isUsedUp(): boolean {
    return this.#hasBegun && this.#monotonicMs() >= this.#endMs
  }

  /** Begins a turn and returns its milliseconds. */
  begin(): number {
    const now = this.#monotonicMs()
    if (!this.#hasBegun) this.#beginShare(now)
    return Math.max(TURN_MS_MIN, this.#endMs - now)
  }

  /** Resolves with the next turn, after the event loop has run. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#ask()
    })
  }

  /**
   * Does work in steps, as many of them in each turn as it has time for. Calls `resumed` whenever the event loop has run, before the first step
   * or between two; the work ends where that throws.
   */
  async run<Result>(steps: Steps<Result>, resumed?: () => void): Promise<Result> {
    for (let waits = this.isUsedUp; ; waits = true) {
      if (waits) {
        await this.next()
        resumed?.()
      }
      const endMs = this.#monotonicMs() + this.begin()
      do {
        const step = steps.next()
        if (step.done === true) return step.value
      } while (this.#monotonicMs() < endMs)
    }
  }

  #ask(): void {
    this.#asked++
    setImmediate(this.#run)
  }

  readonly #run = (): void => {
    const isFirst = this.#due === 0
    if (isFirst) {
      this.#due = this.#asked
      this.#asked = 0
    }
    this.#due--
    if (isFirst || !this.isUsedUp) this.#resumeOne()
    if (this.#due > 0) return
    const waiting = this.#waiting.length - this.#first
    while (this.#asked < waiting) this.#ask()
  }

  #resumeOne(): void {
    const resume = this.#waiting[this.#first]
    if (resume === undefined) return
    this.#first++
    if (this.#first === this.#waiting.length) {
      this.#waiting.length = 0
      this.#first = 0
    } else if (this.#first > 1024 && this.#first * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#first)
      this.#first = 0
    }
    resume()
  }

  #beginShare(now: number): void {
    this.#hasBegun = true
    this.#endMs = now + SHARE_MS
    setImmediate(this.#endShare)
  }

  readonly #endShare = (): void => {
    this.#hasBegun = false
  }
}

/** The turns of all work of this thread: all parts of the server share one event loop. */
export const LOOP_TURNS: LoopTurns = new LoopTurns(() => performance.now())
