/** Keeps files from being removed while links to them are made. */
export class RemovalHolds {
  readonly #waiting: (() => void)[] = []
  #holders = 0

  /** No file is removed until the returned function is called. */
  hold(): () => void {
    this.#holders++
    return () => {
      if (--this.#holders > 0) return
      for (const goOn of this.#waiting.splice(0)) goOn()
    }
  }

  /** Resolves once files may be removed. Undefined: they may be now. */
  whenFree(): Promise<void> | undefined {
    if (this.#holders === 0) return undefined
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
