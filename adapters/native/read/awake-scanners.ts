interface Sleeper {
  readonly heldBytes: number
  rest(): void
}

/**
 * Scanners that keep their blocks between batches, so that the next batch goes on without a search. A block may be as large as
 * the largest cell, and clients may have thousands of scanners open: beyond a limit those that were used least let go.
 */
export class AwakeScanners {
  readonly #bytesMax: number
  /** The bytes that each held after its last batch, the least recently used first. */
  readonly #awake = new Map<Sleeper, number>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The scanner has ended a batch. */
  used(scanner: Sleeper): void {
    this.forget(scanner)
    const { heldBytes } = scanner
    if (heldBytes === 0) return
    this.#awake.set(scanner, heldBytes)
    this.#bytes += heldBytes
    for (const oldest of this.#awake.keys()) {
      if (this.#bytes <= this.#bytesMax) return
      this.forget(oldest)
      oldest.rest()
    }
  }

  /** The scanner begins a batch, or is closed. */
  forget(scanner: Sleeper): void {
    const known = this.#awake.get(scanner)
    if (known === undefined) return
    this.#awake.delete(scanner)
    this.#bytes -= known
  }
}
