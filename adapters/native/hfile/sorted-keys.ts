import { compareRange } from '../../../src/model/bytes.ts'
import { compareKeys } from './key-order.ts'

/**
 * The keys of a block, in order, for searches. All rows begin with the same `commonBytes`. An array holds the next four
 * bytes of each (biased, so that signed comparison orders them), so that most steps of a search touch no key; if those
 * bytes are equal, the search compares whole keys. The array makes a search two to three times as fast.
 */
export abstract class SortedKeys {
  readonly buffer: Buffer
  readonly count: number
  #words: Int32Array = new Int32Array(0)
  #commonBytes = 0

  protected constructor(buffer: Buffer, count: number) {
    this.buffer = buffer
    this.count = count
  }

  abstract keyOffset(i: number): number
  abstract keyBytes(i: number): number

  /** Subclasses call it once, after they have set and checked the keys. `room`: for the words, if it has enough. */
  protected prepareSearch(room?: Int32Array): void {
    if (this.count === 0) return
    const { buffer, count } = this
    this.#commonBytes = commonRowBytes(buffer, this.keyOffset(0), this.keyOffset(this.count - 1))
    const words = room !== undefined && room.length >= count ? room : new Int32Array(count)
    for (let i = 0; i < count; i++) words[i] = rowWord(buffer, this.keyOffset(i), this.#commonBytes)
    this.#words = words
  }

  /** Memory beside the buffer. */
  protected get words(): Int32Array {
    return this.#words
  }

  /** The first key that does not sort before the one at key[offset..offset+bytes), or `count`. */
  lowerBound(key: Buffer, offset: number, bytes: number): number {
    return this.#search(key, offset, bytes, false)
  }

  /** The first key that sorts after the given one, or `count`. */
  upperBound(key: Buffer, offset: number, bytes: number): number {
    return this.#search(key, offset, bytes, true)
  }

  #search(key: Buffer, offset: number, bytes: number, pastEqual: boolean): number {
    if (this.count === 0) return 0
    const common = this.#compareCommon(key, offset)
    if (common !== 0) return common < 0 ? 0 : this.count
    const words = this.#words
    const word = rowWord(key, offset, this.#commonBytes)
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = words[middle]!
      if (other < word) low = middle + 1
      else if (other > word) high = middle
      else {
        const order = compareKeys(
          this.buffer,
          this.keyOffset(middle),
          this.keyBytes(middle),
          key,
          offset,
          bytes,
        )
        if (order < 0 || (pastEqual && order === 0)) low = middle + 1
        else high = middle
      }
    }
    return low
  }

  /** Negative, 0 or positive: the key's row sorts before, has or sorts after the bytes that all rows begin with. */
  #compareCommon(key: Buffer, offset: number): number {
    const row = (key[offset]! << 8) | key[offset + 1]!
    const bytes = Math.min(row, this.#commonBytes)
    const order = compareRange(key, offset + 2, bytes, this.buffer, this.keyOffset(0) + 2, bytes)
    return order !== 0 ? order : bytes - this.#commonBytes
  }
}

/** Number of bytes that the rows of two keys have in common at their beginning. */
function commonRowBytes(buffer: Buffer, a: number, b: number): number {
  const row = Math.min((buffer[a]! << 8) | buffer[a + 1]!, (buffer[b]! << 8) | buffer[b + 1]!)
  let common = 0
  while (common < row && buffer[a + 2 + common] === buffer[b + 2 + common]) common++
  return common
}

/** The four bytes of a key's row from `skip` on, zeros behind its end, with the highest bit turned over. */
function rowWord(buffer: Buffer, key: number, skip: number): number {
  const rest = ((buffer[key]! << 8) | buffer[key + 1]!) - skip
  const at = key + 2 + skip
  if (rest >= 4) {
    return (
      ((buffer[at]! << 24) | (buffer[at + 1]! << 16) | (buffer[at + 2]! << 8) | buffer[at + 3]!) ^ 0x80000000
    )
  }
  let word = 0
  for (let i = 0; i < rest; i++) word |= buffer[at + i]! << (24 - 8 * i)
  return word ^ 0x80000000
}
