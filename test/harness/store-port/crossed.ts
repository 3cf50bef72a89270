import { Packer, Unpacker } from '../../../src/store/port/packed-values.ts'

/** The value as it arrives in another thread. */
export function crossed<Value>(value: Value): Value {
  const packer = new Packer()
  const packed = packer.pack(value)
  const small = packer.small()
  const sent = structuredClone({ packed, small }, { transfer: packer.moved })
  return new Unpacker(sent.small).unpack(sent.packed) as Value
}
