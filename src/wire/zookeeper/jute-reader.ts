/**
 * Reads jute, ZooKeeper's serialization: integers are big-endian; strings and buffers follow an int32 length, -1 for null.
 * Fields have no tags: their order alone distinguishes them.
 */

import { HBaseError } from '../../model/errors.ts'

export class JuteReader {
  readonly #bytes: Buffer
  #offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset
  }

  boolean(): boolean {
    return this.#bytes[this.#take(1)] !== 0
  }

  int(): number {
    return this.#bytes.readInt32BE(this.#take(4))
  }

  long(): bigint {
    return this.#bytes.readBigInt64BE(this.#take(8))
  }

  /** A view of the message's bytes. */
  buffer(): Buffer | null {
    const length = this.int()
    if (length === -1) return null
    const start = this.#take(length)
    return this.#bytes.subarray(start, start + length)
  }

  string(): string | null {
    return this.buffer()?.toString('utf8') ?? null
  }

  /** The number of elements that follow, each at least `elementBytesMin` bytes long; a null vector has none. */
  count(elementBytesMin: number): number {
    const count = this.int()
    if (count === -1) return 0
    if (count < 0 || count * elementBytesMin > this.remaining) throw this.#malformed(`${count} elements`)
    return count
  }

  #take(length: number): number {
    if (length < 0 || length > this.remaining) throw this.#malformed(`${length} bytes`)
    const start = this.#offset
    this.#offset += length
    return start
  }

  #malformed(wanted: string): HBaseError {
    return new HBaseError('IO', `A ZooKeeper message ends early: ${wanted} cannot follow`, {
      detail: { offset: this.#offset, length: this.#bytes.length },
    })
  }
}
