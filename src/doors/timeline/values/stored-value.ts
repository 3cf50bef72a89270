/** The stored form of values: msgpack, in which equal values have equal bytes. A Double has a type of its own, since 2.0 is not 2. */

import { addExtension, Packr } from 'msgpackr'
import { HBaseError } from '../../../model/errors.ts'
import { JavaDouble, type TimelineValue } from './timeline-value.ts'

const DOUBLE_TYPE = 1

addExtension({
  Class: JavaDouble,
  type: DOUBLE_TYPE,
  pack: ({ value }: JavaDouble) => {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(value)
    return bytes
  },
  unpack: (bytes: Uint8Array) => new JavaDouble(new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0)),
})

const packr = new Packr({
  useRecords: false,
  mapsAsObjects: false,
  useBigIntExtension: true,
})

export function encodeValue(value: TimelineValue): Buffer {
  // A copy, because the packer reuses its memory.
  return Buffer.from(packr.pack(value))
}

/** Throws CORRUPTION for malformed bytes. */
export function decodeValue(bytes: Buffer): TimelineValue {
  try {
    return packr.unpack(bytes) as TimelineValue
  } catch (cause) {
    throw new HBaseError('CORRUPTION', 'a stored value of the timeline cannot be read', { cause })
  }
}
