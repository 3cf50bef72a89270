/**
 * The members of JSON objects as Jackson reads them into Java's types, with its lenient defaults: it takes numbers and
 * booleans for strings and the reverse, and cuts fractions off. Each reader returns undefined for null and, except for
 * strings, for an empty string.
 */

import { int64OfJsonNumber, parseInt64 } from '../../wire/text/int64-text.ts'
import type { JsonReader } from '../../wire/text/json-reader.ts'
import { decodeJacksonBase64 } from './base64-text.ts'

/** Reads one member. Throws CORRUPTION or ILLEGAL_ARGUMENT for a value that it cannot read. */
export type ReadMember<Value> = (reader: JsonReader) => Value | undefined

const INT32_MIN = -0x8000_0000
const INT32_MAX = 0x7fff_ffff
const TWO_TO_63 = 2 ** 63
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const NOT_FINITE: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Infinity],
  ['INF', Infinity],
  ['-Infinity', -Infinity],
  ['-INF', -Infinity],
])

export function readString(reader: JsonReader): string | undefined {
  const kind = reader.peek()
  if (kind === 'null') return nil(reader)
  if (kind === 'boolean') return String(reader.boolean())
  if (kind === 'number') return reader.number()
  if (kind !== 'string') return reader.fail('a string must stand here')
  reader.string()
  return reader.textString()
}

export function readInt32(reader: JsonReader): number | undefined {
  if (reader.peek() === 'number') {
    const value = Number(reader.number())
    if (value < INT32_MIN || value > INT32_MAX) reader.fail('the number before is beyond 32 bits')
    return Math.trunc(value) + 0
  }
  const value = integerText(reader)
  if (value !== undefined && BigInt.asIntN(32, value) !== value)
    reader.fail('the number before is beyond 32 bits')
  return value === undefined ? undefined : Number(value)
}

export function readInt64(reader: JsonReader): bigint | undefined {
  if (reader.peek() !== 'number') return integerText(reader)
  const digits = reader.number()
  // As a double this number is the limit itself.
  return /[.eE]/.test(digits) && Number(digits) === TWO_TO_63
    ? BigInt.asIntN(64, (1n << 63n) - 1n)
    : int64OfJsonNumber(digits)
}

export function readFloat(reader: JsonReader): number | undefined {
  if (reader.peek() === 'number') return Math.fround(Number(reader.number()))
  const text = trimmedText(reader, 'a number')
  if (text === undefined) return undefined
  const value = NOT_FINITE.get(text)
  if (value !== undefined) return value
  return FLOAT.test(text) ? Math.fround(Number(text)) : reader.fail('the string before is no number')
}

export function readBoolean(reader: JsonReader): boolean | undefined {
  const kind = reader.peek()
  if (kind === 'boolean') return reader.boolean()
  if (kind === 'number') {
    const digits = reader.number()
    if (/[.eE]/.test(digits)) reader.fail('true or false must stand before this')
    return digits !== '0'
  }
  const text = trimmedText(reader, 'true or false')
  if (text === undefined) return undefined
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  return /^(?:false|False|FALSE)$/.test(text) ? false : reader.fail('the string before is not true or false')
}

/** Java's boolean, which is false where a Boolean is null. */
export function readPrimitiveBoolean(reader: JsonReader): boolean {
  return readBoolean(reader) ?? false
}

/** Base64, or an array of numbers. */
export function readBytes(reader: JsonReader): Buffer | undefined {
  const kind = reader.peek()
  if (kind === 'null') return nil(reader)
  if (kind === 'array') return Buffer.from(readArray(reader, readByte).map((byte) => byte ?? 0))
  if (kind !== 'string') return reader.fail('base64 must stand here')
  reader.string()
  return decodeJacksonBase64(reader.textString()) ?? reader.fail('the string before is not base64')
}

function readArray<Value>(reader: JsonReader, read: ReadMember<Value>): (Value | undefined)[] {
  const elements: (Value | undefined)[] = []
  reader.beginArray()
  while (reader.nextElement(elements.length === 0)) elements.push(read(reader))
  return elements
}

function readByte(reader: JsonReader): number | undefined {
  const kind = reader.peek()
  if (kind === 'null') return nil(reader)
  if (kind !== 'number') return reader.fail('a number must stand here')
  const value = Math.trunc(Number(reader.number()))
  if (value < -128 || value > 255) reader.fail('the number before is no byte')
  return value
}

function integerText(reader: JsonReader): bigint | undefined {
  const text = trimmedText(reader, 'a number')
  return text === undefined ? undefined : parseInt64(text)
}

/** A string without the space around it; undefined for null, "null" and an empty string. */
function trimmedText(reader: JsonReader, wanted: string): string | undefined {
  const kind = reader.peek()
  if (kind === 'null') return nil(reader)
  if (kind !== 'string') return reader.fail(`${wanted} must stand here`)
  reader.string()
  const text = reader.textString().trim()
  return text === '' || text === 'null' ? undefined : text
}

function nil(reader: JsonReader): undefined {
  reader.nil()
  return undefined
}
