/** A finished context of GSSAPI: it protects messages. Nothing here waits for a KDC, so that it runs on the thread of the connection. */

import { SaslFailure } from '../../wire/sasl/sasl.ts'
import { KerberosError } from '../kerberos.ts'
import { deleteContext } from './gss-calls.ts'
import type { GssLibrary } from './gss-library.ts'
import { emptyBuffer, readUint32 } from './gss-memory.ts'

const DEFAULT_QUALITY = 0

export class SecurityContext {
  readonly #gss: GssLibrary
  #context: bigint

  /** Takes over the context at that address. */
  constructor(gss: GssLibrary, context: bigint) {
    this.#gss = gss
    this.#context = context
  }

  /** The protected form of a message. Throws SaslFailure, such as for a ticket that has ended. */
  wrap(message: Buffer, isEncrypted: boolean): Buffer {
    const { functions, memory, minor } = this.#gss
    const [done, out] = [Buffer.alloc(4), emptyBuffer()]
    this.#check(
      functions.gss_wrap(
        minor,
        this.#open,
        isEncrypted ? 1 : 0,
        DEFAULT_QUALITY,
        memory.buffer(message),
        done,
        out,
      ),
      'a message cannot be protected',
    )
    const token = this.#gss.take(out)
    if (isEncrypted && readUint32(done) === 0) throw new SaslFailure('the login allows no encryption')
    return token
  }

  /** The message of a protected form. Throws SaslFailure for one that was changed, replayed or put in another order, and for one that is not encrypted but should be. */
  unwrap(token: Buffer, isEncrypted: boolean): Buffer {
    const { functions, memory, minor } = this.#gss
    const [done, out] = [Buffer.alloc(4), emptyBuffer()]
    const major = functions.gss_unwrap(minor, this.#open, memory.buffer(token), out, done, null)
    this.#check(major, 'a protected message is refused')
    const message = this.#gss.take(out)
    // A supplementary bit: an old, doubled or missing message.
    if (major !== 0) throw new SaslFailure('a protected message is refused: it is a replay or out of order')
    if (isEncrypted && readUint32(done) === 0)
      throw new SaslFailure('a protected message is refused: it is not encrypted')
    return message
  }

  /** The most bytes of a message whose protected form has at most `bytes`. */
  messageBytesMax(bytes: number, isEncrypted: boolean): number {
    const room = Buffer.alloc(4)
    this.#check(
      this.#gss.functions.gss_wrap_size_limit(
        this.#gss.minor,
        this.#open,
        isEncrypted ? 1 : 0,
        DEFAULT_QUALITY,
        bytes,
        room,
      ),
      'the room of protected messages is unknown',
    )
    return readUint32(room)
  }

  close(): void {
    deleteContext(this.#gss, this.#context)
    this.#context = 0n
  }

  get #open(): bigint {
    if (this.#context === 0n) throw new SaslFailure('the connection of the login has ended')
    return this.#context
  }

  #check(major: number, doing: string): void {
    try {
      this.#gss.check(major, doing)
    } catch (error) {
      throw error instanceof KerberosError ? new SaslFailure(error.message) : error
    }
  }
}
