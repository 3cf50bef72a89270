import { writeInt32 } from '../../../model/bytes.ts'
import type { SaslLayer } from '../../../wire/sasl/sasl.ts'
import { LENGTH_BYTES } from './reply-lengths.ts'

/** Most bytes of a reply in one frame, where the client says that its buffer takes more. */
const PART_BYTES_MAX = 16_000_000
/** A client whose buffer takes fewer bytes of a reply would cost a call of the library for every few bytes. */
export const SMALLEST_PART_BYTES = 1024

/** Replies in the frames of a client whose login has agreed on integrity or privacy: each is a length and a protected part. Throws SaslFailure. */
export function protectedFrames(replies: Buffer, layer: SaslLayer): Buffer[] {
  const bytesMax = Math.min(layer.messageBytesMax ?? PART_BYTES_MAX, PART_BYTES_MAX)
  const frames: Buffer[] = []
  for (let at = 0; at < replies.length; at += bytesMax) {
    const token = layer.wrap(replies.subarray(at, at + bytesMax))
    const length = Buffer.alloc(LENGTH_BYTES)
    writeInt32(length, 0, token.length)
    frames.push(length, token)
  }
  return frames
}
