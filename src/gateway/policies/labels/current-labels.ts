import type { LabelBook } from './label-book.ts'

/** The labels as they are now, read again once they have changed. */
export class CurrentLabels {
  readonly #read: () => Promise<LabelBook>
  #book: LabelBook | undefined
  /** How often the labels have changed: what was read before a change does not count. */
  #changes = 0
  #reading: Promise<LabelBook> | undefined

  constructor(read: () => Promise<LabelBook>) {
    this.#read = read
  }

  /** At once where they need not be read. Rejects as reads of a table do. */
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
