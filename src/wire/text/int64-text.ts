/** 64-bit integers from text, as Java reads them. */

import { HBaseError } from '../../model/errors.ts'
import { LATEST_TIMESTAMP, MIN_TIMESTAMP } from '../../model/timestamp.ts'

const INTEGER = /^[+-]?\d+$/
const INT32_MIN = -0x8000_0000
const INT32_MAX = 0x7fff_ffff

function fail(text: string): never {
  throw new HBaseError(
    'ILLEGAL_ARGUMENT',
    `"${text.slice(0, 40)}" is no integer of the range that is needed here`,
  )
}

/** Java's Long.parseLong. Throws ILLEGAL_ARGUMENT. */
export function parseInt64(text: string): bigint {
  if (text.length > 64 || !INTEGER.test(text)) fail(text)
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  if (value < MIN_TIMESTAMP || value > LATEST_TIMESTAMP) fail(text)
  return value
}

/** Java's Integer.parseInt. Throws ILLEGAL_ARGUMENT. */
export function parseInt32(text: string): number {
  if (text.length > 64 || !INTEGER.test(text)) fail(text)
  const value = Number(text)
  if (value < INT32_MIN || value > INT32_MAX) fail(text)
  return value
}

/**
 * JAXB's int: white space and signs may stand anywhere, nothing is 0, and digits overflow. Throws ILLEGAL_ARGUMENT.
 * QUIRK rest-body-xml-scanner-batch-too-large-for-32-bits: a number beyond 32 bits loses its upper bits.
 */
export function parseXmlInt32(text: string): number {
  if (!/^[\d\s+-]*$/.test(text)) fail(text)
  let value = 0
  for (const digit of text.replace(/\D/g, '')) value = (Math.imul(value, 10) + Number(digit)) | 0
  return text.includes('-') ? -value | 0 : value
}

/**
 * The 64-bit integer of a JSON number by Jackson's rules: a fraction is cut off, an exponent counts. Throws
 * ILLEGAL_ARGUMENT beyond 64 bits.
 */
export function int64OfJsonNumber(digits: string): bigint {
  if (INTEGER.test(digits)) return parseInt64(digits)
  const value = Math.trunc(Number(digits))
  if (!Number.isFinite(value)) fail(digits)
  const integer = BigInt(value)
  if (integer < MIN_TIMESTAMP || integer > LATEST_TIMESTAMP) fail(digits)
  return integer
}
