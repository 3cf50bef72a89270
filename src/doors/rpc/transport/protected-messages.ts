/**
 * Messages of a client whose login has agreed on integrity or privacy: `length i32 | token`. The messages of the tokens, one after the other, are
 * the bytes that a client without protection sends: one may have several frames, or a part of one. HBase: SaslUnwrapHandler.
 */

import type { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import { messageOf } from '../../../model/message-of.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { ConnectionRefused } from '../contract/connection-refused.ts'
import { RequestFrames } from './request-frames.ts'

/** Bytes that the protection of a message adds to it: more than those of any mechanism. */
const TOKEN_EXCESS_BYTES = 1024

export class ProtectedMessages {
  readonly #tokens: RequestFrames
  layer: SaslLayer

  /** `queue`: the received bytes. `bytesMax`: of a message. */
  constructor(queue: ByteQueue, layer: SaslLayer, bytesMax: number) {
    this.#tokens = new RequestFrames(queue, bytesMax + TOKEN_EXCESS_BYTES)
    this.layer = layer
  }

  /** The next message; undefined before its token has come whole. Throws ConnectionRefused: no message can be read after a bad one. */
  next(): Buffer | undefined {
    try {
      const token = this.#tokens.next(false)
      return token && this.layer.unwrap(token)
    } catch (error) {
      throw new ConnectionRefused(
        'FatalConnectionException',
        `a message is not protected as the login has agreed (${this.layer.protection}): ${messageOf(error)}`,
      )
    }
  }
}
