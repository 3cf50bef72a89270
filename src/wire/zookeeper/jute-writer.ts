/** Writes jute, ZooKeeper's serialization; jute-reader.ts describes the form. */

import { grownBuffer } from '../../model/grown-buffer.ts'

const FIRST_BYTES = 128

export class JuteWriter {
  #bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES)
  #length = 0

  boolean(value: boolean): void {
    const at = this.#reserve(1)
    this.#bytes[at] = value ? 1 : 0
  }

  int(value: number): void {
    const at = this.#reserve(4)
    this.#bytes.writeInt32BE(value, at)
  }

  long(value: bigint): void {
    const at = this.#reserve(8)
    this.#bytes.writeBigInt64BE(value, at)
  }

  buffer(value: Buffer | null): void {
    this.int(value === null ? -1 : value.length)
    if (value === null) return
    const at = this.#reserve(value.length)
    value.copy(this.#bytes, at)
  }

  string(value: string | null): void {
    this.buffer(value === null ? null : Buffer.from(value, 'utf8'))
  }

  /** The bytes written; do not use the writer afterwards. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(length: number): number {
    const start = this.#length
    this.#length += length
    if (this.#length > this.#bytes.length) this.#bytes = grownBuffer(this.#bytes, start, this.#length)
    return start
  }
}
