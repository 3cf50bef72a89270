/** Numbers of JSON as Java turns them into bytes and text. */

import { HBaseError } from '../../model/errors.ts'
import { int64OfJsonNumber } from '../text/int64-text.ts'

const DECIMAL_MIN = 1e-3
const DECIMAL_MAX = 1e7

/** Jackson's byte, 0 to 255 for either sign. Throws ILLEGAL_ARGUMENT beyond -128 and 255. */
export function javaByte(digits: string): number {
  const value = int64OfJsonNumber(digits.trim())
  if (value < -128n || value > 255n) throw new HBaseError('ILLEGAL_ARGUMENT', `${digits} is no byte`)
  return Number(value) & 0xff
}

/** A JSON number as the text of the Integer, BigInteger or Double that Jackson makes of it. */
export function javaNumberText(digits: string): string {
  if (!/^-?\d+$/.test(digits)) return javaDoubleText(Number(digits))
  return digits === '-0' ? '0' : digits
}

/** Java's Double.toString. */
export function javaDoubleText(value: number): string {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return String(value)
  if (size === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  if (size >= DECIMAL_MIN && size < DECIMAL_MAX) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}
