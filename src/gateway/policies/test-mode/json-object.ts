/** Reads JSON that a person has written. An unknown key is an error, since it may be a typing error. */

import { HBaseError } from '../../../model/errors.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** `where`: the name of the value in errors. */
export function objectOf(value: unknown, where: string, keys: readonly string[]): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(where, 'an object', value)
  const unknown = Object.keys(value).find((key) => !keys.includes(key))
  if (unknown !== undefined)
    throw new HBaseError('ILLEGAL_ARGUMENT', `${where} has no "${unknown}": it has ${keys.join(', ')}`)
  return value as JsonObject
}

/** The array; empty where there is none. */
export function arrayOf(value: unknown, where: string): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) throw wrong(where, 'an array', value)
  return value
}

export function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string') throw wrong(where, 'a text', value)
  return value
}

/** A whole number of at least `min`. */
export function numberOf(value: unknown, where: string, min: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min)
    throw wrong(where, `a whole number of at least ${min}`, value)
  return value
}

export function wrong(where: string, wanted: string, value: unknown): HBaseError {
  const given = value === undefined ? 'nothing' : (JSON.stringify(value) ?? typeof value)
  const shown = given.length > 100 ? `${given.slice(0, 100)}...` : given
  return new HBaseError('ILLEGAL_ARGUMENT', `${where} must be ${wanted}, not ${shown}`)
}
