/** Parses the parameters of queries as Java does. */

import type { DecodeLimits } from '../../../model/decode-limits.ts'
import { javaTrim } from '../../../wire/text/java-trim.ts'
import { ALL_FIELDS, FIELDS, type Field, type Fields } from '../entities/entity.ts'
import type { NamedValue } from '../entities/entity-query.ts'
import { parameterValue } from '../values/value-json.ts'
import { badRequest } from './errors.ts'

const LONG_MIN = -0x8000_0000_0000_0000n
const LONG_MAX = 0x7fff_ffff_ffff_ffffn

/** Java's String.split, which leaves out empty parts at the end. */
export function splitText(text: string, delimiter: string): string[] {
  const parts = text.split(delimiter)
  if (parts.length === 1) return parts
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  return parts
}

/** An error for text that is not a Java long. */
export class NotALong extends Error {
  constructor(text: string) {
    super(`java.lang.NumberFormatException: For input string: "${text}"`)
  }
}

/** A Java long; undefined for a missing parameter. Throws NotALong. */
export function longParameter(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined
  const digits = javaTrim(text)
  const value = /^[+-]?\d{1,100}$/.test(digits) ? BigInt(digits.replace('+', '')) : undefined
  if (value === undefined || value < LONG_MIN || value > LONG_MAX) throw new NotALong(digits)
  return value
}

/** Parses `name:value`. */
export function pairParameter(text: string, parameter: string, limits: DecodeLimits): NamedValue {
  const colon = text.indexOf(':')
  if (colon < 0) throw badRequest(`${parameter} is not NAME:VALUE: ${text}`)
  return {
    name: javaTrim(text.slice(0, colon)),
    value: parameterValue(javaTrim(text.slice(colon + 1)), limits),
  }
}

export function pairsParameter(
  text: string | undefined,
  parameter: string,
  limits: DecodeLimits,
): NamedValue[] {
  if (text === undefined) return []
  return splitText(text, ',').map((pair) => pairParameter(pair, parameter, limits))
}

/** The distinct values of a list, in Java's order; undefined for a missing parameter. */
export function setParameter(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined
  return [...new Set(splitText(text, ',').map(javaTrim))].sort()
}

/** `refuse`: creates the error for an unknown field. */
export function fieldsParameter(text: string | undefined, refuse: (message: string) => Error): Fields {
  if (text === undefined) return ALL_FIELDS
  const fields = new Set<Field>()
  for (const part of splitText(text, ',')) {
    const name = javaTrim(part).toUpperCase()
    const field = FIELDS.find((known) => known === name)
    if (field === undefined) throw refuse(`Requested nonexistent field ${name}`)
    fields.add(field)
  }
  return fields.size === 0 ? ALL_FIELDS : fields
}
