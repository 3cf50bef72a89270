/**
 * Places of cells that a memstore has dropped, until another cell of their size takes them.
 *
 * An open scanner may stand at a dropped cell or have lent it. So a place waits until all readers have left that were there
 * when its cell was dropped. Readers are counted in two generations: those that came before the last change of generations,
 * and those that came after it.
 */
export class RetiredCells {
  /** Places by their sizes, free to be taken. */
  readonly #free = new Map<number, number[]>()
  readonly #sizeOf: (address: number) => number
  /** Dropped since the last change of generations. */
  #dropped: number[] = []
  /** Dropped before it: they wait for the earlier readers. */
  #waiting: number[] = []
  #readers = 0
  #earlierReaders = 0
  #generation = 0
  #freeCount = 0

  /** `sizeOf`: the bytes of the place at an address. */
  constructor(sizeOf: (address: number) => number) {
    this.#sizeOf = sizeOf
  }

  /** A free place of just this size, or -1. */
  take(bytes: number): number {
    if (this.#freeCount === 0) return -1
    const address = this.#free.get(bytes)?.pop()
    if (address === undefined) return -1
    this.#freeCount--
    return address
  }

  add(address: number): void {
    if (this.#readers === 0 && this.#earlierReaders === 0) this.#release(address)
    else this.#dropped.push(address)
  }

  /** Keeps the cells that are there now, and dropped ones too, until the returned function is called; once. */
  read(): () => void {
    this.#readers++
    const generation = this.#generation
    return () => {
      if (generation === this.#generation) this.#readers--
      else this.#earlierReaders--
      if (this.#earlierReaders === 0) this.#changeGenerations()
    }
  }

  /** Readers of a generation before the earlier ones are counted with those: they have kept the generation from changing. */
  #changeGenerations(): void {
    for (const address of this.#waiting) this.#release(address)
    this.#waiting = this.#dropped
    this.#dropped = []
    this.#earlierReaders = this.#readers
    this.#readers = 0
    this.#generation++
    if (this.#earlierReaders > 0) return
    for (const address of this.#waiting) this.#release(address)
    this.#waiting = []
  }

  #release(address: number): void {
    const bytes = this.#sizeOf(address)
    const places = this.#free.get(bytes)
    if (places === undefined) this.#free.set(bytes, [address])
    else places.push(address)
    this.#freeCount++
  }

  clear(): void {
    this.#free.clear()
    this.#dropped = []
    this.#waiting = []
    this.#freeCount = 0
  }
}
