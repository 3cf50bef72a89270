import { murmurHash } from './murmur-hash.ts'

/** The two hashes of a key, from which a bloom filter makes all others. */
export class BloomHash {
  first = 0
  second = 0
  #hasFirst = false
  #hasSecond = false

  /** Makes the next `set` compute: the key may be another one. */
  reset(): this {
    this.#hasFirst = false
    this.#hasSecond = false
    return this
  }

  /** Computes the hashes, unless that was done since `reset`: several files are asked for one row. */
  set(key: Buffer, offset: number, bytes: number): void {
    if (this.#hasSecond) return
    this.second = murmurHash(key, offset, bytes, this.setFirst(key, offset, bytes))
    this.#hasSecond = true
  }

  /** Computes the first hash alone, and returns it. */
  setFirst(key: Buffer, offset: number, bytes: number): number {
    if (!this.#hasFirst) {
      this.first = murmurHash(key, offset, bytes, 0)
      this.#hasFirst = true
    }
    return this.first
  }
}
