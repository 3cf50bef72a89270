import { writeInt32 } from '../../../model/bytes.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/**
 * A frame for a client whose login has agreed on integrity or privacy. As HBase, it may be larger than the buffer that the client has stated: clients read
 * any frame, and some find a value only in one frame or two.
 */
export interface ProtectedFrame {
  readonly length: Buffer
  readonly token: Buffer
}

/** `token`: the protected form of replies, or of a part of one. */
export function protectedFrame(token: Buffer): ProtectedFrame {
  const length = Buffer.alloc(LENGTH_BYTES)
  writeInt32(length, 0, token.length)
  return { length, token }
}
