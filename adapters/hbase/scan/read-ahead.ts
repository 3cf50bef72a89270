/** Limits how many scanners of a store may fetch an answer before its caller asks. */
export class ReadAhead {
  #left: number

  /** Each scanner holds up to one answer: 64 MiB in all by default. */
  constructor(scannersMax = 32) {
    this.#left = scannersMax
  }

  /** Begins a fetch. False where too many scanners already fetch ahead. */
  begin(): boolean {
    if (this.#left === 0) return false
    this.#left--
    return true
  }

  end(): void {
    this.#left++
  }
}
