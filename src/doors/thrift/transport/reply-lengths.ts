import { writeInt32 } from '../../../model/bytes.ts'

/** Number of int32 lengths before a reply: one of Thrift's frame, one of SASL's frame, both, or none. */
export type LengthsOfReplies = 0 | 1 | 2

export const LENGTH_BYTES = 4

/** Writes the lengths. Each counts all bytes behind it. `reply`: begins with room for them. */
export function writeLengths(reply: Buffer, lengths: LengthsOfReplies): void {
  for (let number = 0; number < lengths; number++) {
    const at = number * LENGTH_BYTES
    writeInt32(reply, at, reply.length - at - LENGTH_BYTES)
  }
}
