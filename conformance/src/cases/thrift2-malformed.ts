/** Thrift 2: every call whose IDL requires a field, without that field. No call changes anything. */

import { readFileSync } from 'node:fs'
import {
  type FieldSchema,
  type MethodSchema,
  parseSchema,
  type StructSchema,
  type ThriftType,
} from '../../../src/wire/thrift/schema.ts'
import { idlFile } from '../data/package-files.ts'
import { type Scenario, type ThriftRequest, type ThriftValue, thrift2 } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'

/** Any value of the type; tables and rows are named `nope`, so that no call finds what it asks for. */
function anyValue(type: ThriftType): ThriftValue {
  switch (type.kind) {
    case 'binary':
      return Buffer.from('nope')
    case 'string':
      return 'nope'
    case 'bool':
      return false
    case 'i64':
      return 1n
    case 'list':
    case 'set':
      return [anyValue(type.element)]
    case 'map':
      return new Map()
    case 'struct':
      return anyStruct(type.struct)
    case 'i8':
    case 'i16':
    case 'i32':
    case 'double':
    case 'enum':
      return 1
  }
}

function anyStruct(struct: StructSchema): ThriftRequest['args'] {
  const fields = struct.kind === 'union' ? struct.fields.slice(0, 1) : struct.fields.filter(isRequired)
  return Object.fromEntries(fields.map((field) => [field.name, anyValue(field.type)]))
}

function isRequired({ requiredness }: FieldSchema): boolean {
  return requiredness === 'required'
}

/** A value, and the path of names to its missing field. */
interface Incomplete<T> {
  readonly missing: string
  readonly value: T
}

/** One copy of the struct for each required field in it, without that field. */
function incomplete(struct: StructSchema): Incomplete<ThriftRequest['args']>[] {
  const whole = anyStruct(struct)
  return struct.fields
    .filter(({ name }) => name in whole)
    .flatMap((field) => {
      const without: ThriftRequest['args'] = Object.fromEntries(
        Object.entries(whole).filter(([name]) => name !== field.name),
      )
      const inner = incompleteValues(field.type).map(
        ({ missing, value }): Incomplete<ThriftRequest['args']> => ({
          missing: `${field.name} ${missing}`,
          value: { ...whole, [field.name]: value },
        }),
      )
      return [...(isRequired(field) ? [{ missing: field.name, value: without }] : []), ...inner]
    })
}

function incompleteValues(type: ThriftType): Incomplete<ThriftValue>[] {
  if (type.kind === 'struct') return incomplete(type.struct)
  return type.kind === 'list' || type.kind === 'set'
    ? incompleteValues(type.element).map(({ missing, value }) => ({ missing, value: [value] }))
    : []
}

function callsOf({ name, args }: MethodSchema): NamedCase[] {
  return incomplete(args).map(({ missing, value }) =>
    named(`${name} without ${missing}`, thrift2(name, value)),
  )
}

const idl = readFileSync(idlFile('thrift2.thrift'), 'utf8')
/** The HBase that was recorded does not have them yet. */
const LATER: ReadonlySet<string> = new Set(['grant', 'revoke'])
const methods = [...parseSchema(idl).services.get('THBaseService')!.methods.values()].filter(
  ({ name }) => !LATER.has(name),
)

export const thrift2Malformed: Scenario = {
  name: 'thrift2-malformed',
  tables: [],
  namespaces: [],
  setup: [],
  cases: listed('thrift2-malformed', methods.flatMap(callsOf)),
}
