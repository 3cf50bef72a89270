import { writeInt32 } from '../../../model/bytes.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/**
 * Most bytes of a reply in one frame. HBase sends each reply in one frame of any size, and Python's thrift_sasl reads a value from two frames at
 * most. Thrift's own clients refuse frames of more than 16,384,000 bytes; the rest is room for what protects a frame.
 */
export const FRAME_BYTES_MAX = 16_000_000

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
