import { writeInt32 } from '../../../model/bytes.ts'

/** How many int32 lengths stand before a reply: one of Thrift's frame, one of SASL's, or both, or none. */
export type LengthsOfReplies = 0 | 1 | 2

export const LENGTH_BYTES = 4

/** Each is that of what stands behind it. `reply`: with room for them. */
export function writeLengths(reply: Buffer, lengths: LengthsOfReplies): void {
  for (let number = 0; number < lengths; number++) {
    const at = number * LENGTH_BYTES
    writeInt32(reply, at, reply.length - at - LENGTH_BYTES)
  }
}
