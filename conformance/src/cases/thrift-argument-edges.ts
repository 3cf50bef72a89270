/** Thrift calls with one argument, or one field of it, at an edge: left out, of another type, empty, least, greatest. */

import type { FieldSchema, StructSchema, ThriftType } from '../../../src/wire/thrift/schema.ts'
import { Mistyped, type ThriftRequest, type ThriftValue } from '../runner/case.ts'
import { methodSchema } from '../runner/thrift-client.ts'
import { MAX, MAX_INT, MIN, MIN_INT } from './thrift-caller.ts'

type Struct = ThriftRequest['args']

/** A value, and what is odd about it. */
export interface Edge<T> {
  readonly label: string
  readonly value: T
}

const edge = <T>(label: string, value: T): Edge<T> => ({ label, value })

/** Longer than any row, family or name of a table may be. */
const TOO_LONG = Buffer.alloc(32_768, 'x')
const LONG_FIELDS = /^(?:row|startRow|startAndPrefix)$/

/** The calls that differ from this one in one field, at any depth. */
export function atEdges(request: ThriftRequest): Edge<ThriftRequest>[] {
  return structEdges(methodSchema(request).args, request.args).map(({ label, value }) =>
    edge(`${request.method} ${label}`, { ...request, args: value }),
  )
}

function structEdges(struct: StructSchema, base: Struct): Edge<Struct>[] {
  return struct.fields.flatMap((field) => {
    const given = base[field.name]
    return fieldEdges(field, given).map(({ label, value }) =>
      edge(`${field.name} ${label}`, { ...base, [field.name]: value }),
    )
  })
}

function fieldEdges({ name, type }: FieldSchema, given: ThriftValue): Edge<ThriftValue>[] {
  const own = given === undefined ? [] : [edge('missing', undefined), edge('mistyped', otherType(type))]
  const long = type.kind === 'binary' && LONG_FIELDS.test(name) ? [edge('too long', TOO_LONG)] : []
  return [...own, ...long, ...valueEdges(type, given)]
}

function otherType(type: ThriftType): Mistyped {
  return type.kind === 'i32' || type.kind === 'enum'
    ? new Mistyped({ kind: 'binary' }, Buffer.from('1'))
    : new Mistyped({ kind: 'i32' }, 1)
}

function valueEdges(type: ThriftType, given: ThriftValue): Edge<ThriftValue>[] {
  switch (type.kind) {
    case 'binary':
      return [edge('empty', Buffer.alloc(0))]
    case 'string':
      return [edge('empty', '')]
    case 'bool':
      return [edge(given === true ? 'false' : 'true', given !== true)]
    case 'i8':
      return numbers(-128, -1, 0, 127)
    case 'i16':
      return numbers(-32768, -1, 0, 32767)
    case 'i32':
      return numbers(MIN_INT, -1, 0, MAX_INT)
    case 'i64':
      return numbers(MIN, -1n, 0n, MAX - 1n, MAX)
    case 'enum':
      return numbers(MIN_INT, -1, ...type.enum.members.values(), 99)
    case 'double':
      return numbers(0)
    case 'map':
      return [edge('empty', new Map())]
    case 'list':
    case 'set':
      return listEdges(type.element, given as readonly ThriftValue[] | undefined)
    case 'struct':
      return [edge('empty', {}), ...(given === undefined ? [] : structEdges(type.struct, given as Struct))]
  }
}

function numbers(...values: readonly (number | bigint)[]): Edge<ThriftValue>[] {
  return values.map((value) => edge(String(value), value))
}

function listEdges(element: ThriftType, given: readonly ThriftValue[] = []): Edge<ThriftValue>[] {
  const [first, ...others] = given
  const empty = edge<ThriftValue>('empty', [])
  if (first === undefined) return [empty]
  const inner = valueEdges(element, first).map(({ label, value }) =>
    edge<ThriftValue>(`of ${label}`, [value, ...others]),
  )
  return [empty, edge<ThriftValue>('twice', [first, ...given]), ...inner]
}
