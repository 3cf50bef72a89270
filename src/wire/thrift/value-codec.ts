/**
 * Compiles the IDL's types into functions that read and write plain values, in the forms that thrift-service.ts describes. A
 * struct may contain itself: its functions are looked up at their first use.
 */

import { EMPTY } from '../../model/bytes.ts'
import { javaText } from './java-text.ts'
import { type ProtocolReader, type ProtocolWriter, ThriftProtocolError, WireType } from './protocol.ts'
import type { FieldSchema, ScalarKind, StructSchema, ThriftType } from './schema.ts'

export interface ValueCodec {
  readonly wireType: number
  /** `owner`: the struct whose field the value becomes, with the fields read so far. */
  readonly read: (reader: ProtocolReader, owner?: ThriftObject) => unknown
  readonly write: (writer: ProtocolWriter, value: unknown) => void
  /** Writes a long list in steps of some elements; undefined for other types. */
  readonly writeInSteps?: (writer: ProtocolWriter, value: unknown) => Generator<void, void>
}

/** Elements of a list that one step writes. */
const STEP_ELEMENTS = 50

export type ThriftObject = Record<string, unknown>

/** Codecs by type, each made once. */
export class ValueCodecs {
  readonly #structs = new Map<StructSchema, ValueCodec>()

  of(type: ThriftType): ValueCodec {
    if (type.kind === 'struct') return this.struct(type.struct)
    if (type.kind === 'list') return listCodec(WireType.LIST, this.of(type.element))
    if (type.kind === 'set') return listCodec(WireType.SET, this.of(type.element))
    if (type.kind === 'map') {
      return mapCodec(this.of(type.key), this.of(type.value), type.key.kind === 'binary')
    }
    if (type.kind === 'enum') return enumCodec(new Set(type.enum.members.values()))
    return SCALARS[type.kind]
  }

  struct(schema: StructSchema): ValueCodec {
    let codec = this.#structs.get(schema)
    if (codec === undefined) {
      const inner: { current?: ValueCodec } = {}
      this.#structs.set(schema, {
        wireType: WireType.STRUCT,
        read: (reader) => inner.current!.read(reader),
        write: (writer, value) => inner.current!.write(writer, value),
      })
      codec = structCodec(schema, (field) => this.of(field.type))
      inner.current = codec
      this.#structs.set(schema, codec)
    }
    return codec
  }
}

const SCALARS: Readonly<Record<ScalarKind, ValueCodec>> = {
  bool: {
    wireType: WireType.BOOL,
    read: (reader) => reader.readBool(),
    write: (writer, value) => writer.writeBool(value === true),
  },
  i8: {
    wireType: WireType.I8,
    read: (reader) => reader.readI8(),
    write: (writer, value) => writer.writeI8(value as number),
  },
  i16: {
    wireType: WireType.I16,
    read: (reader) => reader.readI16(),
    write: (writer, value) => writer.writeI16(value as number),
  },
  i32: {
    wireType: WireType.I32,
    read: (reader) => reader.readI32(),
    write: (writer, value) => writer.writeI32(value as number),
  },
  i64: {
    wireType: WireType.I64,
    read: (reader) => reader.readI64(),
    write: (writer, value) => writer.writeI64(value as bigint),
  },
  double: {
    wireType: WireType.DOUBLE,
    read: (reader) => reader.readDouble(),
    write: (writer, value) => writer.writeDouble(value as number),
  },
  string: {
    wireType: WireType.STRING,
    read: (reader) => {
      const length = reader.readSpan()
      return reader.buffer.toString('utf8', reader.spanStart, reader.spanStart + length)
    },
    write: writeString,
  },
  binary: {
    wireType: WireType.STRING,
    read: (reader) => {
      const length = reader.readSpan()
      return length === 0 ? EMPTY : reader.buffer.subarray(reader.spanStart, reader.spanStart + length)
    },
    write: writeString,
  },
}

function writeString(writer: ProtocolWriter, value: unknown): void {
  if (typeof value === 'string') writer.writeText(value)
  else writer.writeBinary(value as Buffer)
}

/** Reads a number that the enum lacks as if the client had sent nothing, as Java does. */
function enumCodec(members: ReadonlySet<number>): ValueCodec {
  return {
    wireType: WireType.I32,
    read: (reader) => {
      const value = reader.readI32()
      return members.has(value) ? value : undefined
    },
    write: (writer, value) => writer.writeI32(value as number),
  }
}

function listCodec(wireType: number, element: ValueCodec): ValueCodec {
  return {
    wireType,
    read: (reader) => {
      const count = reader.readListBegin()
      if (count > 0) expectType(reader.elementType, element.wireType)
      const list: unknown[] = []
      for (let i = 0; i < count; i++) list.push(element.read(reader))
      return list
    },
    write: (writer, value) => {
      const list = value as readonly unknown[]
      writer.writeListBegin(element.wireType, list.length)
      for (const each of list) element.write(writer, each)
    },
    *writeInSteps(writer, value) {
      const list = value as readonly unknown[]
      writer.writeListBegin(element.wireType, list.length)
      for (let i = 0; i < list.length; i++) {
        element.write(writer, list[i])
        if (i % STEP_ELEMENTS === STEP_ELEMENTS - 1) yield
      }
    },
  }
}

/** A map with binary keys is an array of pairs: a Map would compare Buffers by identity. */
function mapCodec(key: ValueCodec, value: ValueCodec, asPairs: boolean): ValueCodec {
  return {
    wireType: WireType.MAP,
    read: (reader) => {
      const count = reader.readMapBegin()
      if (count > 0) {
        expectType(reader.keyType, key.wireType)
        expectType(reader.valueType, value.wireType)
      }
      const pairs: [unknown, unknown][] = []
      for (let i = 0; i < count; i++) pairs.push([key.read(reader), value.read(reader)])
      return asPairs ? pairs : new Map(pairs)
    },
    write: (writer, given) => {
      const map = given as ReadonlyMap<unknown, unknown> | readonly (readonly [unknown, unknown])[]
      writer.writeMapBegin(key.wireType, value.wireType, 'size' in map ? map.size : map.length)
      for (const [eachKey, eachValue] of map) {
        key.write(writer, eachKey)
        value.write(writer, eachValue)
      }
    },
  }
}

function expectType(found: number, declared: number): void {
  if (found !== declared) {
    throw new ThriftProtocolError('INVALID_DATA', `elements of type ${found}, not ${declared}`)
  }
}

interface FieldCodec extends FieldSchema {
  readonly codec: ValueCodec
  /** Written where the value is undefined: Java has no undefined numbers. */
  readonly fallback: unknown
}

export function structCodec(schema: StructSchema, codecOf: (field: FieldSchema) => ValueCodec): ValueCodec {
  const fields: FieldCodec[] = schema.fields.map((field) => ({
    ...field,
    codec: codecOf(field),
    fallback: field.requiredness === 'default' ? (field.default ?? javaZero(field.type)) : undefined,
  }))
  const byId = new Map(fields.map((field) => [field.id, field]))
  const required = fields.filter((field) => field.requiredness === 'required')
  const template = templateOf(fields)
  return {
    wireType: WireType.STRUCT,
    read: (reader) => {
      const target: ThriftObject = { ...template }
      const count = readFields(reader, byId, target)
      if (schema.kind === 'union') checkUnion(schema, count)
      for (const field of required) {
        if (target[field.name] === undefined) throw missing(field, schema, target)
      }
      return target
    },
    write: (writer, value) => {
      const source = value as Readonly<ThriftObject>
      writer.writeStructBegin()
      for (const field of fields) writeField(writer, field, source[field.name] ?? field.fallback, schema)
      writer.writeStructEnd()
    },
  }
}

/** Returns how many fields were sent. */
function readFields(
  reader: ProtocolReader,
  byId: ReadonlyMap<number, FieldCodec>,
  target: ThriftObject,
): number {
  let count = 0
  reader.readStructBegin()
  for (;;) {
    const type = reader.readFieldBegin()
    if (type === WireType.STOP) break
    count++
    const field = byId.get(reader.fieldId)
    if (field !== undefined && field.codec.wireType === type)
      target[field.name] = field.codec.read(reader, target)
    else reader.skip(type)
  }
  reader.readStructEnd()
  return count
}

/**
 * A union has exactly one field: of several, all but one would be lost. Java reports none as a field of type STOP, and
 * takes the rest of a second one for the next field.
 */
function checkUnion({ name }: StructSchema, count: number): void {
  if (count === 0) throw new ThriftProtocolError('INVALID_DATA', 'Unrecognized type 0')
  if (count > 1) throw new ThriftProtocolError('INVALID_DATA', `a ${name} must have one field, not ${count}`)
}

function writeField(writer: ProtocolWriter, field: FieldCodec, value: unknown, schema: StructSchema): void {
  if (value === undefined || value === null) {
    if (field.requiredness === 'required') throw new TypeError(`${schema.name} lacks its ${field.name}`)
  } else if (field.codec.wireType === WireType.BOOL) {
    writer.writeBoolField(field.id, value === true)
  } else {
    writer.writeFieldBegin(field.codec.wireType, field.id)
    field.codec.write(writer, value)
  }
}

/** A struct before its fields are read. It has all of them, so that all such objects share one hidden class. */
function templateOf(fields: readonly FieldSchema[]): ThriftObject {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.default ?? (field.requiredness === 'default' ? javaZero(field.type) : undefined),
    ]),
  )
}

/** Java's value for a primitive field that the client did not send. */
function javaZero({ kind }: ThriftType): unknown {
  if (kind === 'bool') return false
  if (kind === 'i64') return 0n
  return kind === 'i8' || kind === 'i16' || kind === 'i32' || kind === 'double' ? 0 : undefined
}

function missing(field: FieldSchema, schema: StructSchema, target: ThriftObject): ThriftProtocolError {
  const primitive = javaZero(field.type) !== undefined
  const how = primitive ? 'found in serialized data' : 'present'
  return new ThriftProtocolError(
    'INVALID_DATA',
    `Required field '${field.name}' was not ${how}! Struct: ${javaText(schema, target)}`,
  )
}
