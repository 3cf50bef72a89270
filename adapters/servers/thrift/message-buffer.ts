/** Cuts whole messages out of the bytes that a server sends: framed ones by their length, others by their own end. */

import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { BinaryScanner } from '../../../src/wire/thrift/binary-scanner.ts'

const DEPTH_MAX = 64
const HEAD_BYTES = 4

export class MessageBuffer {
  readonly #isFramed: boolean
  readonly #bytesMax: number
  readonly #scanner: BinaryScanner
  #buffer: Buffer = EMPTY
  #length = 0

  constructor(isFramed: boolean, bytesMax: number) {
    this.#isFramed = isFramed
    this.#bytesMax = bytesMax
    this.#scanner = new BinaryScanner(DEPTH_MAX, bytesMax)
  }

  /** The message once it has arrived whole, in memory of its own; else undefined. Throws ThriftProtocolError, TOO_LARGE. */
  push(chunk: Buffer): Buffer | undefined {
    this.#append(chunk)
    const message = this.#isFramed ? this.#frame() : this.#scanned()
    if (message === undefined) return undefined
    this.#buffer = EMPTY
    this.#length = 0
    return message
  }

  #frame(): Buffer | undefined {
    if (this.#length < HEAD_BYTES) return undefined
    const bytes = this.#buffer.readInt32BE(0)
    if (bytes < 0 || bytes > this.#bytesMax)
      throw new HBaseError('TOO_LARGE', `a frame of ${bytes} bytes, of at most ${this.#bytesMax}`)
    return this.#length < HEAD_BYTES + bytes
      ? undefined
      : this.#buffer.subarray(HEAD_BYTES, HEAD_BYTES + bytes)
  }

  #scanned(): Buffer | undefined {
    const bytes = this.#scanner.scan(this.#buffer, 0, this.#length)
    return bytes < 0 ? undefined : this.#buffer.subarray(0, bytes)
  }

  #append(chunk: Buffer): void {
    const needed = this.#length + chunk.length
    if (needed > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#buffer.length, 4096))
      this.#buffer.copy(grown, 0, 0, this.#length)
      this.#buffer = grown
    }
    chunk.copy(this.#buffer, this.#length)
    this.#length = needed
  }
}
