/** Reads fields of JSON documents as Jackson does for beans: texts from any scalar, longs from texts and fractions too. */

import type { JsonReader } from '../../../wire/text/json-reader.ts'
import { MalformedDocument } from './malformed-document.ts'

const LONG_MIN = -0x8000_0000_0000_0000n
const LONG_MAX = 0x7fff_ffff_ffff_ffffn
const DIGITS_MAX = 400

/** A text, or any number or boolean as its text; undefined for null. */
export function textField(reader: JsonReader, field: string): string | undefined {
  switch (reader.peek()) {
    case 'null':
      reader.nil()
      return undefined
    case 'string':
      reader.string()
      return reader.textString()
    case 'number':
      return reader.number()
    case 'boolean':
      return String(reader.boolean())
    case 'array':
    case 'object':
      throw mismatched(field, 'a text')
  }
}

/** A whole number, a number whose fraction is cut off, or the text of a whole number; undefined for null and an empty text. */
export function longField(reader: JsonReader, field: string): bigint | undefined {
  switch (reader.peek()) {
    case 'null':
      reader.nil()
      return undefined
    case 'string': {
      reader.string()
      const text = reader.textString().trim()
      if (text === '') return undefined
      if (!/^[+-]?\d{1,19}$/.test(text)) throw invalid(field, text)
      const value = BigInt(text.replace('+', ''))
      if (value < LONG_MIN || value > LONG_MAX) throw invalid(field, text)
      return value
    }
    case 'number': {
      const digits = reader.number()
      const isWhole = !/[.eE]/.test(digits) && digits.length < DIGITS_MAX
      const number = Number(digits)
      const value = isWhole
        ? BigInt(digits)
        : Number.isFinite(number)
          ? BigInt(Math.trunc(number))
          : undefined
      if (value === undefined || value < LONG_MIN || value > LONG_MAX) {
        throw new MalformedDocument(
          'databind.JsonMappingException',
          `${field}: ${shown(digits)} is out of range of long`,
        )
      }
      return value
    }
    case 'boolean':
    case 'array':
    case 'object':
      throw mismatched(field, 'a number')
  }
}

/** Reads a list's elements; undefined for null. */
export function listField<Item>(reader: JsonReader, field: string, read: () => Item): Item[] | undefined {
  const kind = reader.peek()
  if (kind === 'null') {
    reader.nil()
    return undefined
  }
  if (kind !== 'array') throw mismatched(field, 'a list')
  const items: Item[] = []
  reader.beginArray()
  while (reader.nextElement(items.length === 0)) items.push(read())
  return items
}

/** Reads an object's members, each by `read`, which gets the member's name; false for null. */
export function objectField(reader: JsonReader, field: string, read: (name: string) => void): boolean {
  const kind = reader.peek()
  if (kind === 'null') {
    reader.nil()
    return false
  }
  if (kind !== 'object') throw mismatched(field, 'an object')
  reader.beginObject()
  for (let first = true; reader.nextMember(first); first = false) read(reader.textString())
  return true
}

export function unknownField(name: string, known: readonly string[]): MalformedDocument {
  return new MalformedDocument(
    'databind.exc.UnrecognizedPropertyException',
    `Unrecognized field "${name}", not marked as ignorable (${known.length} known properties: ${known.join(', ')})`,
  )
}

function mismatched(field: string, what: string): MalformedDocument {
  return new MalformedDocument('databind.exc.MismatchedInputException', `${field} must be ${what}`)
}

function invalid(field: string, text: string): MalformedDocument {
  const message = `${field}: "${shown(text)}" is not a valid long value`
  return new MalformedDocument('databind.exc.InvalidFormatException', message)
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}...` : text
}
