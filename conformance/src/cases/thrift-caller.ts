/** Thrift requests as a line of arguments, in the order of the IDL. */

import type { ThriftType } from '../../../src/wire/thrift/schema.ts'
import { LAST_SCANNER, type ThriftRequest, type ThriftValue } from '../runner/case.ts'
import { methodSchema } from '../runner/thrift-client.ts'

/** Text for binary stands for its Latin-1 bytes; a plain object is a struct or a map; null leaves an argument out. */
export type Argument =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | typeof LAST_SCANNER
  | readonly Argument[]
  | { readonly [field: string]: Argument }

export type Fields = Readonly<Record<string, Argument>>

export type Caller = (method: string, ...args: readonly Argument[]) => ThriftRequest

/** Throws where the IDL has no such method, or a struct no such field. */
export function caller(door: ThriftRequest['door']): Caller {
  return (method, ...args) => {
    const { fields } = methodSchema({ door, method, args: {} }).args
    if (args.length > fields.length) throw new Error(`${method} takes ${fields.length} arguments`)
    const values = args.map((value, index) => {
      const field = fields[index]!
      return [field.name, toThriftValue(field.type, value)] as const
    })
    return { door, method, args: Object.fromEntries(values) }
  }
}

function toThriftValue(type: ThriftType, value: Argument): ThriftValue {
  if (value === null || value === undefined || value === LAST_SCANNER) return value ?? undefined
  switch (type.kind) {
    case 'binary':
      return Buffer.from(value as string, 'latin1')
    case 'list':
    case 'set':
      return (value as readonly Argument[]).map((each) => toThriftValue(type.element, each))
    case 'map':
      return new Map(
        Object.entries(value as Fields).map(([key, each]) => [
          toThriftValue(type.key, key),
          toThriftValue(type.value, each),
        ]),
      )
    case 'struct':
      return Object.fromEntries(
        Object.entries(value as Fields).map(([name, each]) => {
          const field = type.struct.fields.find((candidate) => candidate.name === name)
          if (field === undefined) throw new Error(`${type.struct.name} has no field ${name}`)
          return [name, toThriftValue(field.type, each)]
        }),
      )
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'double':
    case 'enum':
    case 'string':
      return value as string | number | bigint | boolean
  }
}

/** Every choice of one from each list, the last varying fastest. */
export function combinations<const T extends readonly (readonly unknown[])[]>(
  ...lists: T
): { -readonly [K in keyof T]: T[K][number] }[] {
  let rows: unknown[][] = [[]]
  for (const list of lists) rows = rows.flatMap((row) => list.map((each) => [...row, each]))
  return rows as { -readonly [K in keyof T]: T[K][number] }[]
}

export const MAX = 0x7fff_ffff_ffff_ffffn
export const MIN: bigint = -0x8000_0000_0000_0000n
export const MAX_INT = 0x7fff_ffff
export const MIN_INT: number = -0x8000_0000
