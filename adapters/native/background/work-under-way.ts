/** Work for which other work waits, except while it waits itself. */
export class WorkUnderWay {
  #count = 0
  #waiting: (() => void)[] = []

  get isUnderWay(): boolean {
    return this.#count > 0
  }

  /** Resolves at the next moment at which no work is under way. */
  ended(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#count++
    try {
      return await work()
    } finally {
      this.#end()
    }
  }

  /** Called within `during`: others need not wait until `wait` has ended. */
  async besides(wait: () => Promise<void>): Promise<void> {
    this.#end()
    try {
      await wait()
    } finally {
      this.#count++
    }
  }

  #end(): void {
    if (--this.#count > 0) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}
