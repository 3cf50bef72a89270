/**
 * Writes a call's arguments as a case states them: a missing argument is not sent, required or not, and a field may have
 * another type than the IDL's.
 */

import { type ProtocolWriter, WireType } from '../../../src/wire/thrift/protocol.ts'
import type { StructSchema, ThriftType } from '../../../src/wire/thrift/schema.ts'
import { ValueCodecs } from '../../../src/wire/thrift/value-codec.ts'
import { Mistyped } from './case.ts'

const codecs = new ValueCodecs()

/** Throws where a value is not of the IDL's type. */
export function writeArguments(writer: ProtocolWriter, schema: StructSchema, value: unknown): void {
  const fields = value as Readonly<Record<string, unknown>>
  writer.writeStructBegin()
  for (const { id, name, type } of schema.fields) {
    const given = fields[name]
    if (given === undefined) continue
    if (given instanceof Mistyped) writeField(writer, id, given.type, given.value)
    else writeField(writer, id, type, given)
  }
  writer.writeStructEnd()
}

function writeField(writer: ProtocolWriter, id: number, type: ThriftType, value: unknown): void {
  const { wireType } = codecs.of(type)
  if (wireType === WireType.BOOL) {
    writer.writeBoolField(id, value === true)
    return
  }
  writer.writeFieldBegin(wireType, id)
  writeValue(writer, type, value)
}

function writeValue(writer: ProtocolWriter, type: ThriftType, value: unknown): void {
  switch (type.kind) {
    case 'struct':
      writeArguments(writer, type.struct, value)
      return
    case 'list':
    case 'set': {
      const list = value as readonly unknown[]
      writer.writeListBegin(codecs.of(type.element).wireType, list.length)
      for (const each of list) writeValue(writer, type.element, each)
      return
    }
    case 'map': {
      const pairs = [...(value as Iterable<readonly [unknown, unknown]>)]
      writer.writeMapBegin(codecs.of(type.key).wireType, codecs.of(type.value).wireType, pairs.length)
      for (const [key, each] of pairs) {
        writeValue(writer, type.key, key)
        writeValue(writer, type.value, each)
      }
      return
    }
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'double':
    case 'string':
    case 'binary':
    case 'enum':
      codecs.of(type).write(writer, value)
  }
}
