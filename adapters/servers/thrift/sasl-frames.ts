/**
 * A client's side of Thrift's TSaslClientTransport with the mechanism PLAIN: messages of a status, an int32 length and that many bytes
 * for the login; behind it the stream goes in frames, each behind its int32 length, which need not be messages.
 */

import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Credentials } from '../server-options.ts'

/** Thrift: TSaslTransport.NegotiationStatus. */
const STATUS = { start: 1, ok: 2, bad: 3, error: 4, complete: 5 } as const
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
/** A reason is shorter. */
const LOGIN_BYTES_MAX = 64 * 1024
/** Larger frames would be refused by Java's transports. */
const FRAME_BYTES_MAX = 1024 * 1024

/** The first bytes of a connection. */
export function saslHello({ user, password }: Credentials): Buffer {
  const response = Buffer.from(`\0${user}\0${password}`)
  return Buffer.concat([message(STATUS.start, Buffer.from('PLAIN')), message(STATUS.ok, response)])
}

export function saslFrames(bytes: Buffer): Buffer {
  const frames: Buffer[] = []
  for (let at = 0; at < bytes.length; at += FRAME_BYTES_MAX) {
    const part = bytes.subarray(at, at + FRAME_BYTES_MAX)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeInt32BE(part.length)
    frames.push(length, part)
  }
  return Buffer.concat(frames)
}

/** Reads the server's side. */
export class SaslReader {
  /** What has come and is not read, from `#start` to `#end`. */
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  #isLoggedIn = false
  readonly #bytesMax: number

  /** `bytesMax`: of one frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get isLoggedIn(): boolean {
    return this.#isLoggedIn
  }

  /** The bytes within the frames that have come whole. Throws ACCESS_DENIED where the login is refused, TOO_LARGE. */
  push(chunk: Buffer): Buffer {
    this.#append(chunk)
    if (!this.#isLoggedIn && !this.#readLogin()) return EMPTY
    const parts: Buffer[] = []
    while (this.#end - this.#start >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(this.#start)
      if (length > this.#bytesMax)
        throw new HBaseError('TOO_LARGE', `a frame of ${length} bytes, of at most ${this.#bytesMax}`)
      const from = this.#start + LENGTH_BYTES
      if (this.#end < from + length) break
      parts.push(this.#bytes.subarray(from, from + length))
      this.#start = from + length
    }
    return Buffer.concat(parts)
  }

  /** Grows by doubling: a large frame comes in many pieces. */
  #append(chunk: Buffer): void {
    const waiting = this.#end - this.#start
    if (this.#end + chunk.length > this.#bytes.length) {
      const needed = waiting + chunk.length
      const grown =
        needed > this.#bytes.length ? Buffer.allocUnsafeSlow(Math.max(needed, 2 * waiting)) : this.#bytes
      this.#bytes.copy(grown, 0, this.#start, this.#end)
      this.#bytes = grown
      this.#start = 0
      this.#end = waiting
    }
    this.#end += chunk.copy(this.#bytes, this.#end)
  }

  /** False while the login has not come whole. */
  #readLogin(): boolean {
    while (this.#end - this.#start >= HEADER_BYTES) {
      const status = this.#bytes[this.#start]
      const length = this.#bytes.readUInt32BE(this.#start + 1)
      if (length > LOGIN_BYTES_MAX) throw new HBaseError('REFUSED', 'the server does not log in by SASL')
      const from = this.#start + HEADER_BYTES
      if (this.#end < from + length) return false
      const payload = this.#bytes.subarray(from, from + length)
      this.#start = from + length
      if (status === STATUS.complete) {
        this.#isLoggedIn = true
        return true
      }
      if (status === STATUS.bad || status === STATUS.error)
        throw new HBaseError('ACCESS_DENIED', `the server refuses the login: ${payload.toString()}`)
      if (status !== STATUS.ok) throw new HBaseError('REFUSED', `the status ${status} in a SASL login`)
    }
    return false
  }
}

function message(status: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = status
  header.writeInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}
