/**
 * The client's side of Thrift's TSaslClientTransport. Messages of the login are a status, an int32 length and that many bytes. After the
 * login the stream goes in frames, each behind its int32 length. A frame need not be one message; a login by Kerberos may protect it.
 */

import { EMPTY } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { SaslLayer } from '../../../src/wire/sasl/sasl.ts'
import type { Credentials } from '../requests/server-options.ts'

/** Thrift: TSaslTransport.NegotiationStatus. */
export const STATUS = { start: 1, ok: 2, bad: 3, error: 4, complete: 5 } as const
const HEADER_BYTES = 5
const LENGTH_BYTES = 4
/** The most bytes of a message of the login. */
const LOGIN_BYTES_MAX = 64 * 1024
/** The most bytes of a frame to send: Java's transports refuse larger ones. */
const FRAME_BYTES_MAX = 1024 * 1024

/** A protected frame has at most so many bytes more than its contents. */
const PROTECTED_BYTES_MAX = 1024

/** The first bytes of a connection: the login by the mechanism PLAIN. */
export function saslHello({ user, password }: Credentials): Buffer {
  const response = Buffer.from(`\0${user}\0${password}`)
  return Buffer.concat([saslMessage(STATUS.start, Buffer.from('PLAIN')), saslMessage(STATUS.ok, response)])
}

/** The bytes, cut into frames. `layer`: protects them; undefined: they go as they are. */
export function saslFrames(bytes: Buffer, layer?: SaslLayer): Buffer {
  const frames: Buffer[] = []
  const bytesMax = Math.min(layer?.messageBytesMax ?? FRAME_BYTES_MAX, FRAME_BYTES_MAX)
  for (let at = 0; at < bytes.length; at += bytesMax) {
    const plain = bytes.subarray(at, at + bytesMax)
    const part = layer === undefined ? plain : layer.wrap(plain)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeInt32BE(part.length)
    frames.push(length, part)
  }
  return Buffer.concat(frames)
}

/** A message of the server during the login. */
export interface Challenge {
  readonly payload: Buffer
  /** True where the server has let the client in. */
  readonly isLast: boolean
}

/** Reads the server's side. */
export class SaslReader {
  /** Received bytes; those from `#start` to `#end` are not read yet. */
  #bytes: Buffer = EMPTY
  #start = 0
  #end = 0
  #isLoggedIn = false
  /** True while a message of the login is being answered: nothing behind it is read. */
  #isHeld = false
  #layer: SaslLayer | undefined
  readonly #bytesMax: number
  readonly #answer: ((challenge: Challenge) => void) | undefined

  /** `bytesMax`: the most bytes of one frame. `answer`: takes each message of the login, and calls `goOn` later; undefined: the server asks nothing. */
  constructor(bytesMax: number, answer?: (challenge: Challenge) => void) {
    this.#bytesMax = bytesMax
    this.#answer = answer
  }

  /** Reads on behind a message of the login. `login`: the login is done. */
  goOn(login?: { readonly layer: SaslLayer | undefined }): void {
    this.#isHeld = false
    if (login === undefined) return
    this.#isLoggedIn = true
    this.#layer = login.layer
  }

  get isLoggedIn(): boolean {
    return this.#isLoggedIn
  }

  /** Takes bytes, and reads as `read` does. */
  push(chunk: Buffer): Buffer {
    this.#append(chunk)
    return this.read()
  }

  /** The contents of the frames that have arrived whole. Throws ACCESS_DENIED where the server refuses the login, or a frame was changed; TOO_LARGE. */
  read(): Buffer {
    if (!this.#isLoggedIn && !this.#readLogin()) return EMPTY
    const parts: Buffer[] = []
    while (this.#end - this.#start >= LENGTH_BYTES) {
      const length = this.#bytes.readUInt32BE(this.#start)
      const bytesMax = this.#layer === undefined ? this.#bytesMax : this.#bytesMax + PROTECTED_BYTES_MAX
      if (length > bytesMax)
        throw new HBaseError('TOO_LARGE', `a frame of ${length} bytes, of at most ${bytesMax}`)
      const from = this.#start + LENGTH_BYTES
      if (this.#end < from + length) break
      const contents = this.#bytes.subarray(from, from + length)
      parts.push(this.#layer === undefined ? contents : this.#layer.unwrap(contents))
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
    while (!this.#isHeld && this.#end - this.#start >= HEADER_BYTES) {
      const status = this.#bytes[this.#start]
      const length = this.#bytes.readUInt32BE(this.#start + 1)
      if (length > LOGIN_BYTES_MAX) throw new HBaseError('REFUSED', 'the server does not log in by SASL')
      const from = this.#start + HEADER_BYTES
      if (this.#end < from + length) return false
      const payload = this.#bytes.subarray(from, from + length)
      this.#start = from + length
      if (status === STATUS.bad || status === STATUS.error)
        throw new HBaseError('ACCESS_DENIED', `the server refuses the login: ${payload.toString()}`)
      if (status !== STATUS.ok && status !== STATUS.complete)
        throw new HBaseError('REFUSED', `the status ${status} in a SASL login`)
      const isLast = status === STATUS.complete
      if (this.#answer !== undefined) {
        this.#isHeld = true
        this.#answer({ payload: Buffer.from(payload), isLast })
      } else if (isLast) this.#isLoggedIn = true
      if (this.#isLoggedIn) return true
    }
    return false
  }
}

export function saslMessage(status: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header[0] = status
  header.writeInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}
