function nothing(): void {}

/** Runs tasks one after the other, each when all before it have settled. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task)
    // A task's caller gets its value or failure; the next task runs all the same.
    this.#last = result.then(nothing, nothing)
    return result
  }

  /** Resolves when all tasks so far have settled. */
  async idle(): Promise<void> {
    await this.#last
  }
}
