/** Runs so many tasks at a time; the others wait for their turn, in order. */
export class Slots {
  #free: number
  /** The first to come is the last one of `#next`; behind it come those of `#later`, the first one first. */
  #next: (() => void)[] = []
  #later: (() => void)[] = []

  constructor(max: number) {
    this.#free = max
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#later.push(resolve))
    try {
      return await task()
    } finally {
      this.#end()
    }
  }

  #end(): void {
    if (this.#next.length === 0) {
      this.#next = this.#later.reverse()
      this.#later = []
    }
    const waiting = this.#next.pop()
    if (waiting === undefined) this.#free++
    else waiting()
  }
}
