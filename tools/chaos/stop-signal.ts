/** Tells the loops of a run to end. */
export class StopSignal {
  #stopped = false
  readonly #wakers = new Set<() => void>()

  get stopped(): boolean {
    return this.#stopped
  }

  stop(): void {
    this.#stopped = true
    for (const wake of this.#wakers) wake()
  }

  /** Resolves earlier if the run ends. */
  async sleep(ms: number): Promise<void> {
    if (this.#stopped) return
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#wakers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#wakers.add(wake)
    })
  }
}

export function randomBelow(bound: number): number {
  return Math.floor(Math.random() * bound)
}

export function randomOf<T>(values: readonly T[]): T {
  return values[randomBelow(values.length)]!
}
