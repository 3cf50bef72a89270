import { writeInt32 } from '../../../model/bytes.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** A frame for a client whose login has agreed on integrity or privacy. */
export interface ProtectedFrame {
  readonly length: Buffer
  readonly token: Buffer
}

/**
 * Protects replies, or a part of one. As HBase, it passes over the buffer that the client has stated: clients read any frame, and some find a
 * value only in one frame or two. Throws SaslFailure.
 */
export function protectedFrame(replies: Buffer, layer: SaslLayer): ProtectedFrame {
  const token = layer.wrap(replies)
  const length = Buffer.alloc(LENGTH_BYTES)
  writeInt32(length, 0, token.length)
  return { length, token }
}
