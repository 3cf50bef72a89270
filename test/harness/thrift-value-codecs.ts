/** How the stubs of `thrift-stubs.ts` read and write values that are no structs, through the package's protocols. */

import { WireType } from '../../src/wire/thrift/protocol.ts'
import type { ThriftProtocol } from './thrift-package.ts'

export interface Codec {
  readonly wireType: number
  read(input: ThriftProtocol): unknown
  write(output: ThriftProtocol, value: unknown): void
}

export const SCALARS: Readonly<
  Record<'bool' | 'i8' | 'i16' | 'i32' | 'i64' | 'double' | 'string' | 'binary', Codec>
> = {
  bool: {
    wireType: WireType.BOOL,
    read: (input) => input.readBool(),
    write: (output, value) => output.writeBool(value),
  },
  i8: {
    wireType: WireType.I8,
    read: (input) => input.readByte(),
    write: (output, value) => output.writeByte(value),
  },
  i16: {
    wireType: WireType.I16,
    read: (input) => input.readI16(),
    write: (output, value) => output.writeI16(value),
  },
  i32: {
    wireType: WireType.I32,
    read: (input) => input.readI32(),
    write: (output, value) => output.writeI32(value),
  },
  i64: {
    wireType: WireType.I64,
    read: (input) => input.readI64(),
    write: (output, value) => output.writeI64(value),
  },
  double: {
    wireType: WireType.DOUBLE,
    read: (input) => input.readDouble(),
    write: (output, value) => output.writeDouble(value),
  },
  string: {
    wireType: WireType.STRING,
    read: (input) => input.readString(),
    write: (output, value) => output.writeString(value),
  },
  binary: {
    wireType: WireType.STRING,
    read: (input) => input.readBinary(),
    write: (output, value) => output.writeBinary(value),
  },
}

export function listCodec(element: Codec): Codec {
  return {
    wireType: WireType.LIST,
    read: (input) => {
      const { size } = input.readListBegin()
      const list = Array.from({ length: size }, () => element.read(input))
      input.readListEnd()
      return list
    },
    write: (output, value) => {
      const list = value as readonly unknown[]
      output.writeListBegin(element.wireType, list.length)
      for (const each of list) element.write(output, each)
      output.writeListEnd()
    },
  }
}

export function setCodec(element: Codec): Codec {
  return {
    wireType: WireType.SET,
    read: (input) => {
      const { size } = input.readSetBegin()
      const list = Array.from({ length: size }, () => element.read(input))
      input.readSetEnd()
      return list
    },
    write: (output, value) => {
      const list = value as readonly unknown[]
      output.writeSetBegin(element.wireType, list.length)
      for (const each of list) element.write(output, each)
      output.writeSetEnd()
    },
  }
}

/** A map is an object, as in the compiler's classes: its keys become text. */
export function mapCodec(key: Codec, value: Codec): Codec {
  return {
    wireType: WireType.MAP,
    read: (input) => {
      const map: Record<string, unknown> = {}
      const { size } = input.readMapBegin()
      for (let i = 0; i < size; i++) {
        const each = String(key.read(input))
        map[each] = value.read(input)
      }
      input.readMapEnd()
      return map
    },
    write: (output, given) => {
      const entries = Object.entries(given as Readonly<Record<string, unknown>>)
      output.writeMapBegin(key.wireType, value.wireType, entries.length)
      for (const [eachKey, eachValue] of entries) {
        key.write(output, eachKey)
        value.write(output, eachValue)
      }
      output.writeMapEnd()
    },
  }
}
