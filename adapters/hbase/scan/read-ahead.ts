/** So many scanners of a store may have an answer that nobody has asked for yet, however many there are. */
export class ReadAhead {
  #left: number

  /** Each may hold as many bytes as an answer has: 64 MiB in all by default. */
  constructor(scannersMax = 32) {
    this.#left = scannersMax
  }

  /** False where there are too many already. */
  begin(): boolean {
    if (this.#left === 0) return false
    this.#left--
    return true
  }

  end(): void {
    this.#left++
  }
}
