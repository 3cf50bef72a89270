import { type Clock, monotonicMs } from './file-system.ts'

/** Short enough for a user who waits at a terminal, or for a start. */
const REPORT_EVERY_MS = 5_000

/** Reports how far long work has come, now and then: short work reports nothing. */
export class Progress {
  readonly #clock: Clock
  readonly #report: (percent: number, done: number, total: number) => void
  readonly #total: number
  readonly #everyMs: number
  #done = 0
  #reportedAt: number

  /** `total`: of the work, in any unit. `everyMs`: the time between two lines. */
  constructor(
    clock: Clock,
    total: number,
    report: (percent: number, done: number, total: number) => void,
    everyMs: number = REPORT_EVERY_MS,
  ) {
    this.#clock = clock
    this.#total = total
    this.#report = report
    this.#everyMs = everyMs
    this.#reportedAt = monotonicMs(clock)
  }

  /** Adds a part of the work that is done. */
  add(part: number): void {
    this.reach(this.#done + part)
  }

  /** So much of the work is done, all in all. */
  reach(done: number): void {
    this.#done = done
    const now = monotonicMs(this.#clock)
    if (now - this.#reportedAt < this.#everyMs) return
    this.#reportedAt = now
    const percent = this.#total === 0 ? 100 : Math.min(100, Math.floor((this.#done / this.#total) * 100))
    this.#report(percent, this.#done, this.#total)
  }
}
