import { writeInt32 } from '../../../model/bytes.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** Bytes of a frame. Thrift's clients refuse frames of more than 16,384,000 bytes. */
const FRAME_BYTES_MAX = 1024 * 1024

/** Cuts a reply, which stands behind its length, into frames that clients accept. Overwrites the length. */
export function saslFrames(reply: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = LENGTH_BYTES; at < reply.length; at += FRAME_BYTES_MAX) {
    const bytes = Math.min(FRAME_BYTES_MAX, reply.length - at)
    if (at === LENGTH_BYTES) {
      writeInt32(reply, 0, bytes)
      frames.push(reply.subarray(0, at + bytes))
    } else {
      const length = Buffer.alloc(LENGTH_BYTES)
      writeInt32(length, 0, bytes)
      frames.push(length, reply.subarray(at, at + bytes))
    }
  }
  return frames
}
