import type { LabelBook } from './label-book.ts'

/** The present labels, which are read again after a change. */
export class CurrentLabels {
  readonly #read: () => Promise<LabelBook>
  #book: LabelBook | undefined
  /** Counts changes: labels that were read before a change are not used. */
  #changes = 0
  #reading: Promise<LabelBook> | undefined

  constructor(read: () => Promise<LabelBook>) {
    this.#read = read
  }

  /** The labels: at once where they need not be read. Rejects like reads of a table. */
  get(): LabelBook | Promise<LabelBook> {
    if (this.#book !== undefined) return this.#book
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  changed(): void {
    this.#book = undefined
    this.#changes++
  }

  async #readAll(): Promise<LabelBook> {
    for (;;) {
      const changes = this.#changes
      const book = await this.#read()
      if (changes !== this.#changes) continue
      this.#book = book
      return book
    }
  }
}
