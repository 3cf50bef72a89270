/** An IDL's declarations with resolved names. Typedefs are resolved too: Text is `binary`. */

import { IdlError } from './idl-lexer.ts'
import {
  type IdlDefault,
  type IdlDocument,
  type IdlField,
  type IdlMethod,
  type IdlType,
  parseIdl,
  type Requiredness,
} from './idl-parser.ts'

export type ScalarKind = 'bool' | 'i8' | 'i16' | 'i32' | 'i64' | 'double' | 'string' | 'binary'

export type ThriftType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'enum'; readonly enum: EnumSchema }
  | { readonly kind: 'struct'; readonly struct: StructSchema }
  | { readonly kind: 'list' | 'set'; readonly element: ThriftType }
  | { readonly kind: 'map'; readonly key: ThriftType; readonly value: ThriftType }

export interface EnumSchema {
  readonly name: string
  readonly members: ReadonlyMap<string, number>
}

export interface FieldSchema {
  readonly id: number
  readonly name: string
  readonly requiredness: Requiredness
  readonly type: ThriftType
  readonly default: number | bigint | boolean | string | undefined
}

export interface StructSchema {
  readonly name: string
  readonly kind: 'struct' | 'union' | 'exception'
  readonly fields: readonly FieldSchema[]
}

export interface MethodSchema {
  readonly name: string
  readonly oneway: boolean
  /** The struct that carries the call: `<method>_args`. */
  readonly args: StructSchema
  /** Undefined: void. */
  readonly result: ThriftType | undefined
  readonly throws: readonly FieldSchema[]
}

export interface ServiceSchema {
  readonly name: string
  readonly methods: ReadonlyMap<string, MethodSchema>
}

export interface Schema {
  readonly enums: ReadonlyMap<string, EnumSchema>
  readonly structs: ReadonlyMap<string, StructSchema>
  readonly services: ReadonlyMap<string, ServiceSchema>
}

/** Throws IdlError with the line. */
export function parseSchema(source: string): Schema {
  return new Resolver(parseIdl(source)).schema()
}

/** The type as the IDL writes it: `list<TResult>`. */
export function typeText(type: ThriftType): string {
  if (type.kind === 'enum') return type.enum.name
  if (type.kind === 'struct') return type.struct.name
  if (type.kind === 'list' || type.kind === 'set') return `${type.kind}<${typeText(type.element)}>`
  if (type.kind === 'map') return `map<${typeText(type.key)}, ${typeText(type.value)}>`
  return type.kind
}

const SCALARS: ReadonlyMap<string, ScalarKind> = new Map<string, ScalarKind>([
  ['bool', 'bool'],
  ['byte', 'i8'],
  ['i8', 'i8'],
  ['i16', 'i16'],
  ['i32', 'i32'],
  ['i64', 'i64'],
  ['double', 'double'],
  ['string', 'string'],
  ['binary', 'binary'],
])

class Resolver {
  readonly #document: IdlDocument
  readonly #enums = new Map<string, EnumSchema>()
  /** Filled after all structs are known by name, so that they may name one another in any order. */
  readonly #structs = new Map<string, StructSchema & { fields: FieldSchema[] }>()

  constructor(document: IdlDocument) {
    this.#document = document
    for (const declared of document.enums) this.#enums.set(declared.name, declared)
    for (const { name, kind } of document.structs) this.#structs.set(name, { name, kind, fields: [] })
  }

  schema(): Schema {
    for (const { name, fields } of this.#document.structs) {
      this.#structs.get(name)!.fields.push(...this.#fields(fields))
    }
    const services = new Map<string, ServiceSchema>()
    for (const { name, methods } of this.#document.services) {
      services.set(name, { name, methods: new Map(methods.map((each) => [each.name, this.#method(each)])) })
    }
    return { enums: this.#enums, structs: this.#structs, services }
  }

  #method({ name, oneway, result, parameters, throws }: IdlMethod): MethodSchema {
    return {
      name,
      oneway,
      args: { name: `${name}_args`, kind: 'struct', fields: this.#fields(parameters) },
      result: result.name === 'void' ? undefined : this.#type(result),
      throws: this.#fields(throws),
    }
  }

  #fields(fields: readonly IdlField[]): FieldSchema[] {
    return fields.map((field) => {
      const type = this.#type(field.type)
      const fallback = field.default === undefined ? undefined : this.#default(type, field.default)
      return { ...field, type, default: fallback }
    })
  }

  #type({ name, parameters, line }: IdlType): ThriftType {
    const alias = this.#document.typedefs.get(name)
    if (alias !== undefined) return this.#type(alias)
    const scalar = SCALARS.get(name)
    if (scalar !== undefined) return { kind: scalar }
    const [first, second] = parameters
    if ((name === 'list' || name === 'set') && first !== undefined) {
      return { kind: name, element: this.#type(first) }
    }
    if (name === 'map' && first !== undefined && second !== undefined) {
      return { kind: 'map', key: this.#type(first), value: this.#type(second) }
    }
    const struct = this.#structs.get(name)
    if (struct !== undefined) return { kind: 'struct', struct }
    const named = this.#enums.get(name)
    if (named !== undefined) return { kind: 'enum', enum: named }
    throw new IdlError(`unknown type '${name}'`, line)
  }

  #default(type: ThriftType, { kind, text, line }: IdlDefault): FieldSchema['default'] {
    if (type.kind === 'bool') return text === 'true' || text === '1'
    if (type.kind === 'enum' && kind === 'word') {
      const value = type.enum.members.get(text.slice(text.indexOf('.') + 1))
      if (value === undefined) throw new IdlError(`'${text}' is no member of ${type.enum.name}`, line)
      return value
    }
    if (type.kind === 'string' && kind === 'text') return text
    if (type.kind === 'i64' && kind === 'number') return BigInt(text)
    if (kind !== 'number') throw new IdlError(`'${text}' is no default of ${typeText(type)}`, line)
    return Number(text)
  }
}
