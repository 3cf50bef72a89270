/**
 * Tasks for the next turn of the event loop. One immediate runs all of them: an immediate for each connection took some percent of a
 * small call.
 */
export class TurnEnds {
  #tasks: (() => void)[] = []
  readonly #run = (): void => {
    const tasks = this.#tasks
    // A task that is added while these run is for the turn after this one.
    this.#tasks = []
    for (const task of tasks) task()
  }

  /** Runs `task` in the next turn. It must not throw. */
  add(task: () => void): void {
    if (this.#tasks.push(task) === 1) setImmediate(this.#run)
  }
}
