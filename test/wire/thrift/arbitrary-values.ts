/** Values of the IDL's types, in the forms of our codec and of the `thrift` package's stubs. */

import fc from 'fast-check'
import type { StructSchema, ThriftType } from '../../../src/wire/thrift/schema.ts'
import { bigintOf, type Int64, int64 } from '../../harness/thrift-package.ts'

type Fields = Record<string, unknown>

const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array))

/** The stubs make an object of a map: binary keys must be text. */
const textBytes = fc.string({ maxLength: 10, unit: 'grapheme-ascii' }).map((text) => Buffer.from(text))

export function arbitraryValue(type: ThriftType): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'bool':
      return fc.boolean()
    case 'i8':
      return fc.integer({ min: -128, max: 127 })
    case 'i16':
      return fc.integer({ min: -0x8000, max: 0x7fff })
    case 'i32':
      return fc.integer()
    case 'i64':
      return fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    case 'double':
      return fc.double({ noNaN: true })
    case 'string':
      return fc.string({ maxLength: 20, unit: 'grapheme' })
    case 'binary':
      return bytes
    case 'enum':
      return fc.constantFrom(...type.enum.members.values())
    case 'struct':
      return arbitraryStruct(type.struct)
    case 'list':
    case 'set':
      return fc.array(arbitraryValue(type.element), { maxLength: 20 })
    case 'map':
      return arbitraryMap(type.key, type.value)
  }
}

function arbitraryMap(key: ThriftType, value: ThriftType): fc.Arbitrary<unknown> {
  const keys = key.kind === 'binary' ? textBytes : fc.string({ maxLength: 10, unit: 'grapheme-ascii' })
  const pairs = fc.uniqueArray(fc.tuple(keys, arbitraryValue(value)), {
    maxLength: 18,
    selector: ([each]) => each.toString(),
  })
  // An object would reorder numeric keys, and has a special `__proto__`.
  const inOrder = pairs.map((all) =>
    all.filter(([each]) => !/^\d+$/.test(each.toString()) && String(each) !== '__proto__'),
  )
  return key.kind === 'binary' ? inOrder : inOrder.map((all) => new Map(all as [string, unknown][]))
}

/** Required fields are set, the others may be; of a union one field is. */
export function arbitraryStruct(schema: StructSchema): fc.Arbitrary<Fields> {
  if (schema.kind === 'union') {
    return fc.oneof(
      ...schema.fields.map(({ name, type }) => arbitraryValue(type).map((value) => ({ [name]: value }))),
    )
  }
  const fields = schema.fields.map((field) =>
    fc
      .tuple(arbitraryValue(field.type), fc.boolean())
      .map(([value, isSet]): [string, unknown] => [
        field.name,
        field.requiredness === 'required' || isSet ? value : undefined,
      ]),
  )
  return fc
    .tuple(...fields)
    .map((entries) => Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
}

/** Converts a value to the form of a stub's field. */
export function stubValue(type: ThriftType, value: unknown): unknown {
  if (value === undefined) return null
  switch (type.kind) {
    case 'i64':
      return int64(value as bigint)
    case 'struct':
      return stubFields(type.struct, value as Fields)
    case 'list':
    case 'set':
      return (value as unknown[]).map((each) => stubValue(type.element, each))
    case 'map':
      return Object.fromEntries(
        [...(value as Iterable<[unknown, unknown]>)].map(([key, each]) => [
          String(key),
          stubValue(type.value, each),
        ]),
      )
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'double':
    case 'string':
    case 'binary':
    case 'enum':
      return value
  }
}

export function stubFields(schema: StructSchema, value: Readonly<Fields>): Fields {
  return Object.fromEntries(schema.fields.map(({ name, type }) => [name, stubValue(type, value[name])]))
}

/** Converts a stub's field to the form of our codec. */
export function plainValue(type: ThriftType, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  switch (type.kind) {
    case 'i64':
      return bigintOf(value as Int64)
    case 'binary':
      return Buffer.from(value as Buffer | string)
    case 'struct':
      return plainFields(type.struct, value as Fields)
    case 'list':
    case 'set':
      return (value as unknown[]).map((each) => plainValue(type.element, each))
    case 'map': {
      const pairs = Object.entries(value as Fields).map(([key, each]): [unknown, unknown] => [
        type.key.kind === 'binary' ? Buffer.from(key) : key,
        plainValue(type.value, each),
      ])
      return type.key.kind === 'binary' ? pairs : new Map(pairs)
    }
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'double':
    case 'string':
    case 'enum':
      return value
  }
}

export function plainFields(schema: StructSchema, value: Readonly<Fields>): Fields {
  const fields = schema.fields.map(({ name, type }): [string, unknown] => [
    name,
    plainValue(type, value[name]),
  ])
  return Object.fromEntries(fields.filter(([, each]) => each !== undefined))
}
