/**
 * A finished context of GSSAPI: it protects messages. Small ones on the thread of the connection, which is faster than to ask another; large ones in the
 * threads of ProtectingThreads. A context does one thing at a time: its owner waits for a large message before it hands over another (LayerLine).
 */

import { assert } from '../../model/assert.ts'
import { SaslFailure } from '../../wire/sasl/sasl.ts'
import { KerberosError } from '../kerberos.ts'
import { deleteContext } from './gss-calls.ts'
import type { GssLibrary } from './gss-library.ts'
import type { ProtectOrder } from './gss-orders.ts'
import { messageRoom, unwrapMessage, wrapMessage } from './message-calls.ts'
import type { ProtectingThreads } from './protecting-threads.ts'

export class SecurityContext {
  readonly #gss: GssLibrary
  readonly #threads: ProtectingThreads
  #context: bigint
  /** The message that a thread works on, by its address: it must not be collected. */
  #inThread: Buffer | undefined
  #isClosed = false

  /** Takes over the context at that address. */
  constructor(gss: GssLibrary, threads: ProtectingThreads, context: bigint) {
    this.#gss = gss
    this.#threads = threads
    this.#context = context
  }

  /** The protected form of a message. Throws SaslFailure, such as for a ticket that has ended. */
  wrap(message: Buffer, isEncrypted: boolean): Buffer {
    try {
      return wrapMessage(this.#gss, this.#open, this.#gss.memory.buffer(message), isEncrypted)
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** The message of a protected form. Throws SaslFailure for one that was changed, replayed and put in another order, and for one that is not encrypted but should be. */
  unwrap(token: Buffer, isEncrypted: boolean): Buffer {
    try {
      return unwrapMessage(this.#gss, this.#open, this.#gss.memory.buffer(token), isEncrypted)
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** As `wrap`, in another thread. */
  wrapLarge(message: Buffer, isEncrypted: boolean): Promise<Buffer> {
    return this.#order('wrap', message, isEncrypted)
  }

  /** As `unwrap`, in another thread. */
  unwrapLarge(token: Buffer, isEncrypted: boolean): Promise<Buffer> {
    return this.#order('unwrap', token, isEncrypted)
  }

  async #order(kind: ProtectOrder['kind'], bytes: Buffer, isEncrypted: boolean): Promise<Buffer> {
    const order: ProtectOrder = {
      kind,
      context: this.#open,
      address: this.#gss.addressOf(bytes),
      length: bytes.length,
      isEncrypted,
    }
    this.#inThread = bytes
    try {
      return await this.#threads.carryOut(order, () => !this.#isClosed)
    } catch (error) {
      throw failureOf(error)
    } finally {
      this.#inThread = undefined
      if (this.#isClosed) this.#delete()
    }
  }

  /** The most bytes of a message whose protected form has at most `bytes`. */
  messageBytesMax(bytes: number, isEncrypted: boolean): number {
    try {
      return messageRoom(this.#gss, this.#open, bytes, isEncrypted)
    } catch (error) {
      throw failureOf(error)
    }
  }

  /** Deletes the context, once no thread uses it. */
  close(): void {
    this.#isClosed = true
    if (this.#inThread === undefined) this.#delete()
  }

  #delete(): void {
    deleteContext(this.#gss, this.#context)
    this.#context = 0n
  }

  get #open(): bigint {
    if (this.#isClosed) throw new SaslFailure('the connection of the login has ended')
    assert(this.#inThread === undefined, 'a context of GSSAPI is used by two threads')
    return this.#context
  }
}

function failureOf(error: unknown): unknown {
  return error instanceof KerberosError ? new SaslFailure(error.message) : error
}
