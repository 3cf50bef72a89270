/**
 * Messages of a client whose login has agreed on integrity or privacy: `length i32 | token`. The messages of the tokens, one after the other, are
 * the bytes that a client without protection sends: one may have several frames, or a part of one. HBase: SaslUnwrapHandler.
 */

import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { messageOf } from '../../../model/message-of.ts'
import type { LayerLine } from '../../../wire/sasl/layer-line.ts'
import { ConnectionRefused } from '../contract/connection-refused.ts'
import { RequestFrames } from './request-frames.ts'

/** Bytes that the protection of a message adds to it: more than those of any mechanism. */
const TOKEN_EXCESS_BYTES = 1024

/** A message that is still being read. */
export interface LateMessage {
  /** Rejects with ConnectionRefused: no message can be read after a bad one. */
  readonly message: Promise<Buffer>
  readonly tokenBytes: number
}

export class ProtectedMessages {
  readonly #tokens: RequestFrames
  line: LayerLine

  /** `queue`: the received bytes. `bytesMax`: of a message. */
  constructor(queue: ByteQueue, line: LayerLine, bytesMax: number) {
    this.#tokens = new RequestFrames(queue, bytesMax + TOKEN_EXCESS_BYTES)
    this.line = line
  }

  /** The next message; undefined before its token has come whole. Throws ConnectionRefused. Do not call it while a message is late. */
  next(): Buffer | LateMessage | undefined {
    try {
      const token = this.#tokens.next(false)
      if (token === undefined) return undefined
      const message = this.line.unwrap(token)
      if (!(message instanceof Promise)) return message
      return { message: message.catch((error: unknown) => this.#refuse(error)), tokenBytes: token.length }
    } catch (error) {
      return this.#refuse(error)
    }
  }

  #refuse(error: unknown): never {
    throw new ConnectionRefused(
      'FatalConnectionException',
      `a message is not protected as the login has agreed (${this.line.layer.protection}): ${messageOf(error)}`,
    )
  }
}
