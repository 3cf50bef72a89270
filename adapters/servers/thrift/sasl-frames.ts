/**
 * The client's side of Thrift's TSaslClientTransport with the mechanism PLAIN. Messages of the login are a status, an int32 length and that
 * many bytes. After the login the stream goes in frames, each behind its int32 length. A frame need not be one message.
 */

import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Credentials } from '../requests/server-options.ts'

/** Thrift: TSaslTransport.NegotiationStatus. */
const STATUS = { start: 1, ok: 2, bad: 3, error: 4, complete: 5 } as const
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
/** The most bytes of a message of the login. */
const LOGIN_BYTES_MAX = 64 * 1024
/** The most bytes of a frame to send: Java's transports refuse larger ones. */
const FRAME_BYTES_MAX = 1024 * 1024

/** The first bytes of a connection: the login. */
export function saslHello({ user, password }: Credentials): Buffer {
  const response = Buffer.from(`\0${user}\0${password}`)
  return Buffer.concat([message(STATUS.start, Buffer.from('PLAIN')), message(STATUS.ok, response)])
}

/** The bytes, cut into frames. */
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
  /** Received bytes; those from `#start` to `#end` are not read yet. */
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  #isLoggedIn = false
  readonly #bytesMax: number

  /** `bytesMax`: the most bytes of one frame. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get isLoggedIn(): boolean {
    return this.#isLoggedIn
  }

  /** The contents of the frames that have arrived whole. Throws ACCESS_DENIED where the server refuses the login, TOO_LARGE. */
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

  /** Appends to the buffer, which grows by doubling: a large frame arrives in many pieces. */
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

  /** Reads the server's answers to the login. False until the last one has arrived. */
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
