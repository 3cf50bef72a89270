/** Structs of Thrift 1 in a few words. */

import { type Argument, type Caller, caller, type Fields } from './thrift-caller.ts'

export const call: Caller = caller('thrift1')

export function family(name: string, fields: Fields = {}): Fields {
  return { name, ...fields }
}

export function put(column: string, value: string | null, fields: Fields = {}): Fields {
  return { column, value, ...fields }
}

export function gone(column: string, fields: Fields = {}): Fields {
  return { column, isDelete: true, ...fields }
}

export function batch(row: string, ...mutations: readonly Argument[]): Fields {
  return { row, mutations }
}
