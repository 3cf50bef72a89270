import { murmurHash } from './murmur-hash.ts'

/** The two hashes of a key, from which a bloom filter makes all others. */
export class BloomHash {
  first = 0
  second = 0
  #isSet = false

  /** Makes the next `set` compute: the key may be another one. */
  reset(): this {
    this.#isSet = false
    return this
  }

  /** Computes the hashes, unless that was done since `reset`: several files are asked for one row. */
  set(key: Buffer, offset: number, bytes: number): void {
    if (this.#isSet) return
    this.first = murmurHash(key, offset, bytes, 0)
    this.second = murmurHash(key, offset, bytes, this.first)
    this.#isSet = true
  }
}
