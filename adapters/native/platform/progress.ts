import type { Clock } from './file-system.ts'

const TELL_EVERY_MS = 5_000

/** How far long work has come, told at most every five seconds: short work tells nothing. */
export class Progress {
  readonly #clock: Clock
  readonly #tell: (percent: number, done: number, total: number) => void
  readonly #total: number
  #done = 0
  #toldAt: number

  /** `total`: of the work, in any unit. */
  constructor(clock: Clock, total: number, tell: (percent: number, done: number, total: number) => void) {
    this.#clock = clock
    this.#total = total
    this.#tell = tell
    this.#toldAt = clock.now()
  }

  /** Adds a part of the work that is done. */
  add(part: number): void {
    this.#done += part
    const now = this.#clock.now()
    if (now - this.#toldAt < TELL_EVERY_MS) return
    this.#toldAt = now
    const percent = this.#total === 0 ? 100 : Math.min(100, Math.floor((this.#done / this.#total) * 100))
    this.#tell(percent, this.#done, this.#total)
  }
}
