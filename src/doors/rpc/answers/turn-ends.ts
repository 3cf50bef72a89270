/**
 * Tasks for the next turn of the event loop, all of them in one immediate: an immediate of each connection's own took some
 * percent of a small call.
 */
export class TurnEnds {
  #tasks: (() => void)[] = []
  readonly #run = (): void => {
    const tasks = this.#tasks
    // Tasks that are added meanwhile are for the turn after it.
    this.#tasks = []
    for (const task of tasks) task()
  }

  /** `task` must not throw. */
  add(task: () => void): void {
    if (this.#tasks.push(task) === 1) setImmediate(this.#run)
  }
}
