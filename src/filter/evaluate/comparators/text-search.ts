/** Characters of a text that are searched at a stretch: less than a millisecond's work. */
export const PIECE_LENGTH: number = 1 << 16
/** A longer text that is looked for could make a search by `includes` look at each character as often as it is long. */
const SHORT_LENGTH = 64

/** Looks for some text in a long one, piece by piece, in time proportional to the two. */
export class TextSearch {
  isFound = false
  isOver = false
  readonly #text: string
  readonly #wanted: string
  #position = 0
  /** Knuth, Morris and Pratt: for each begin of the wanted text, how long a begin of it ends there. undefined: it is short. */
  readonly #borders: Int32Array | undefined
  #bordersDone = 1
  /** Characters of the wanted text that end at the position. */
  #matched = 0

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
    if (wanted.length > text.length) this.isOver = true
    else if (wanted.length > SHORT_LENGTH) this.#borders = new Int32Array(wanted.length)
  }

  /** Searches one piece more. */
  next(): void {
    if (this.#borders === undefined) this.#includes()
    else if (this.#bordersDone < this.#wanted.length) this.#findBorders(this.#borders)
    else this.#match(this.#borders)
  }

  #includes(): void {
    const end = this.#position + PIECE_LENGTH
    this.isFound = this.#text.slice(this.#position, end + this.#wanted.length).includes(this.#wanted)
    this.#position = end
    this.isOver = this.isFound || end >= this.#text.length
  }

  #findBorders(borders: Int32Array): void {
    const wanted = this.#wanted
    const end = Math.min(wanted.length, this.#bordersDone + PIECE_LENGTH)
    let border = borders[this.#bordersDone - 1]!
    for (let i = this.#bordersDone; i < end; i++) {
      const unit = wanted.charCodeAt(i)
      while (border > 0 && wanted.charCodeAt(border) !== unit) border = borders[border - 1]!
      if (wanted.charCodeAt(border) === unit) border++
      borders[i] = border
    }
    this.#bordersDone = end
  }

  #match(borders: Int32Array): void {
    const text = this.#text
    const wanted = this.#wanted
    const end = Math.min(text.length, this.#position + PIECE_LENGTH)
    let matched = this.#matched
    for (let i = this.#position; i < end; i++) {
      const unit = text.charCodeAt(i)
      while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1]!
      if (wanted.charCodeAt(matched) === unit) matched++
      if (matched === wanted.length) {
        this.isFound = true
        this.isOver = true
        return
      }
    }
    this.#matched = matched
    this.#position = end
    this.isOver = end === text.length
  }
}
