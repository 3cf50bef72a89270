/** Calls that wait for the log's next commit, and when the latest commits came. */

/** Commits that come so shortly after each other share a time. */
const STEP_MS = 100
/** At so many times each two neighbours become one. */
const STEPS_MAX = 4096
/** A longer delay than this overflows setTimeout. */
const TIMER_MS_MAX = 0x7fffffff

interface Step {
  /** When the first of its commits came: milliseconds since 1970. */
  readonly at: number
  /** The last sequence id of its commits. */
  upTo: number
}

export class CommitWaits {
  readonly #now: () => number
  readonly #waiting = new Set<() => void>()
  #steps: Step[] = []
  #last = 0

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Called after each commit, with the last sequence id that it has made visible. */
  committed(sequenceId: number): void {
    if (sequenceId > this.#last) {
      this.#last = sequenceId
      this.noted(sequenceId, this.#now())
    }
    if (this.#waiting.size > 0) this.wakeAll()
  }

  /** Records up to the sequence id were made at that time. */
  noted(sequenceId: number, at: number): void {
    const step = this.#steps.at(-1)
    if (step !== undefined && at - step.at < STEP_MS) {
      step.upTo = sequenceId
      return
    }
    this.#steps.push({ at, upTo: sequenceId })
    if (this.#steps.length >= STEPS_MAX) this.#steps = joined(this.#steps)
  }

  /** When the first write behind the sequence id was committed, about; undefined: there is none. */
  madeAfter(sequenceId: number): number | undefined {
    const steps = this.#steps
    let [from, to] = [0, steps.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (steps[middle]!.upTo > sequenceId) to = middle
      else from = middle + 1
    }
    return steps[from]?.at
  }

  /** Resolves with the next commit, once the time is over, or once the signal is aborted. */
  next(ms: number, signal: AbortSignal | undefined): Promise<'woken' | 'over'> {
    return new Promise((resolve) => {
      const end = (how: 'woken' | 'over'): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', wake)
        this.#waiting.delete(wake)
        resolve(how)
      }
      const wake = (): void => end('woken')
      const timer = ms > TIMER_MS_MAX ? undefined : setTimeout(() => end('over'), Math.ceil(ms))
      signal?.addEventListener('abort', wake)
      this.#waiting.add(wake)
    })
  }

  wakeAll(): void {
    for (const wake of this.#waiting) wake()
  }
}

function joined(steps: readonly Step[]): Step[] {
  return steps.flatMap((step, index) =>
    index % 2 === 0 ? [{ at: step.at, upTo: steps[index + 1]?.upTo ?? step.upTo }] : [],
  )
}
