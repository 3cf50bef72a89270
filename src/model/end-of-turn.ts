/** A task that runs once at the end of each turn of the event loop in which it was asked for. */
export class EndOfTurn {
  #isDue = false
  readonly #run: () => void

  constructor(task: () => void) {
    this.#run = () => {
      this.#isDue = false
      task()
    }
  }

  ask(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(this.#run)
  }
}
