import type { Decoded } from '../../../src/wire/rpc/sasl-answer.ts'

const FIRST_BYTES = 8 * 1024
/** More than the longest message of a login, which has up to two texts of 1 MiB. */
const BYTES_MAX = 3 * 1024 * 1024

/** Reads the server's messages at the beginning of a connection, before its frames. It has no more memory than the longest of them needs. */
export class StartReader {
  /** Rejects when the connection ends. */
  readonly failed: Promise<never>
  #fail: (reason: unknown) => void = () => undefined
  #buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
  /** The bounds of the received bytes that are not decoded yet. They stay where they are while a read fills the space behind them. */
  #start = 0
  #end = 0
  #decode: (() => void) | undefined

  constructor() {
    this.failed = new Promise((_, reject) => {
      this.#fail = reject
    })
    // The connection may end while nothing waits.
    this.failed.catch(() => undefined)
  }

  /** The buffer for the next bytes: never empty. Throws Error where the server sends more than the messages of a login. */
  space(): Buffer {
    this.#buffer.copyWithin(0, this.#start, this.#end)
    this.#end -= this.#start
    this.#start = 0
    if (this.#end === this.#buffer.length) this.#grow()
    return this.#buffer.subarray(this.#end)
  }

  /** Takes the first `bytes` bytes of space(). */
  advance(bytes: number): void {
    this.#end += bytes
    this.#decode?.()
  }

  /** Takes bytes that were received elsewhere. */
  push(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const copied = bytes.copy(this.space(), 0, at)
      this.advance(copied)
      at += copied
    }
  }

  /** The server's next message. `decode`: as decodeSaslAnswer. Rejects with its error, and when the connection ends. */
  next<T>(decode: (bytes: Buffer) => Decoded<T> | undefined): Promise<T> {
    const next = new Promise<T>((resolve, reject) => {
      this.#decode = () => {
        try {
          const decoded = decode(this.#received)
          if (decoded === undefined) return
          this.#start += decoded.bytes
          resolve(decoded.value)
        } catch (error) {
          reject(error)
        }
        this.#decode = undefined
      }
      this.#decode()
    })
    return Promise.race([next, this.failed])
  }

  /** The received bytes behind the last message, once. */
  takeRest(): Buffer {
    const rest = this.#received
    this.#start = this.#end
    return rest
  }

  /** Rejects `next` and `failed`. */
  fail(reason: unknown): void {
    this.#fail(reason)
  }

  get #received(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  #grow(): void {
    if (this.#end >= BYTES_MAX) throw new Error(`more than ${BYTES_MAX} bytes before the login has ended`)
    const larger = Buffer.allocUnsafeSlow(this.#end * 2)
    this.#buffer.copy(larger, 0, 0, this.#end)
    this.#buffer = larger
  }
}
