/** Calls with any arguments that the wire can carry, drawn from the IDL: fields left out, of other types, at their edges. */

import fc from 'fast-check'
import { Mistyped, type ThriftRequest } from '../../../../conformance/src/runner/case.ts'
import { loadSchema } from '../../../../src/wire/thrift/idl-files.ts'
import type {
  FieldSchema,
  MethodSchema,
  ScalarKind,
  StructSchema,
  ThriftType,
} from '../../../../src/wire/thrift/schema.ts'

const SERVICES = { thrift1: 'Hbase', thrift2: 'THBaseService' } as const

export function methodsOf(door: ThriftRequest['door']): MethodSchema[] {
  return [...loadSchema(door).services.get(SERVICES[door])!.methods.values()]
}

/** Names that calls may find, and texts that are none. */
const TEXTS = [
  't',
  'u',
  'r',
  'f',
  'a',
  'f:a',
  'f:',
  ':',
  'hbase:meta',
  't,,',
  '',
  '\0\xff',
  'nope',
  '(',
  'NONE',
]
const bytes = fc.oneof(
  { arbitrary: fc.constantFrom(...TEXTS).map((text) => Buffer.from(text, 'latin1')), weight: 8 },
  { arbitrary: fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array)), weight: 2 },
  { arbitrary: fc.constant(Buffer.alloc(40_000, 'x')), weight: 1 },
)

const SCALARS: Readonly<Record<ScalarKind, fc.Arbitrary<unknown>>> = {
  bool: fc.boolean(),
  i8: fc.constantFrom(-128, -1, 0, 1, 4, 127),
  i16: fc.constantFrom(-32768, -1, 0, 1, 32767),
  i32: fc.constantFrom(-2147483648, -1, 0, 1, 2, 100, 2147483647),
  i64: fc.constantFrom(
    -0x8000_0000_0000_0000n,
    -1n,
    0n,
    1n,
    5n,
    0x7fff_ffff_ffff_fffen,
    0x7fff_ffff_ffff_ffffn,
  ),
  double: fc.constantFrom(0, -1, Number.NaN, Number.POSITIVE_INFINITY),
  string: bytes.map((each) => each.toString()),
  binary: bytes,
}

/** Values of wrong types: a number, bytes, and a list with elements of a type that no list of the IDL has. */
const OTHERS: readonly Mistyped[] = [
  new Mistyped({ kind: 'i32' }, 1),
  new Mistyped({ kind: 'binary' }, Buffer.from('x')),
  new Mistyped({ kind: 'list', element: { kind: 'i16' } }, [1]),
]

export function anyValue(type: ThriftType, depth = 0): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'struct':
      return anyStruct(type.struct, depth)
    case 'list':
    case 'set':
      return fc.array(anyValue(type.element, depth + 1), { maxLength: 3 })
    case 'map':
      return fc
        .array(fc.tuple(anyValue(type.key), anyValue(type.value, depth + 1)), { maxLength: 2 })
        .map((pairs) => new Map(pairs))
    case 'enum':
      return fc.constantFrom(...type.enum.members.values(), -1, 99, 2147483647)
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'double':
    case 'string':
    case 'binary':
      return SCALARS[type.kind]
  }
}

function anyField({ type, requiredness }: FieldSchema, depth: number): fc.Arbitrary<unknown> {
  return fc.oneof(
    { arbitrary: anyValue(type, depth + 1), weight: requiredness === 'required' ? 30 : 10 },
    { arbitrary: fc.constant(undefined), weight: requiredness === 'optional' ? 15 : 1 },
    { arbitrary: fc.constantFrom(...othersThan(type)), weight: 1 },
  )
}

function othersThan({ kind }: ThriftType): Mistyped[] {
  const own = kind === 'enum' ? 'i32' : kind === 'string' ? 'binary' : kind
  return OTHERS.filter((other) => other.type.kind !== own || own === 'list')
}

export function anyStruct(struct: StructSchema, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  return fc.record(Object.fromEntries(struct.fields.map((field) => [field.name, anyField(field, depth)])))
}
