import { type ProtocolReader, ThriftProtocolError, WireType } from './protocol.ts'

/** Skips a value that no codec reads. `depth`: levels of structs and containers that it may still have. */
export function skipValue(reader: ProtocolReader, type: number, depth: number): void {
  if (depth === 0) throw new ThriftProtocolError('DEPTH_LIMIT', 'values are nested too deeply')
  switch (type) {
    case WireType.BOOL:
      reader.readBool()
      return
    case WireType.I8:
      reader.readI8()
      return
    case WireType.I16:
      reader.readI16()
      return
    case WireType.I32:
      reader.readI32()
      return
    case WireType.I64:
      reader.readI64Halves()
      return
    case WireType.DOUBLE:
      reader.readDouble()
      return
    case WireType.STRING:
      reader.readSpan()
      return
    case WireType.STRUCT:
      skipStruct(reader, depth)
      return
    case WireType.LIST:
    case WireType.SET: {
      const count = reader.readListBegin()
      const element = reader.elementType
      for (let i = 0; i < count; i++) skipValue(reader, element, depth - 1)
      return
    }
    case WireType.MAP: {
      const count = reader.readMapBegin()
      const { keyType, valueType } = reader
      for (let i = 0; i < count; i++) {
        skipValue(reader, keyType, depth - 1)
        skipValue(reader, valueType, depth - 1)
      }
      return
    }
    default:
      throw new ThriftProtocolError('INVALID_DATA', `Unrecognized type ${type}`)
  }
}

function skipStruct(reader: ProtocolReader, depth: number): void {
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    skipValue(reader, type, depth - 1)
  }
  reader.readStructEnd()
}
