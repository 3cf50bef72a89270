import { InvalidArgumentError } from 'commander'

/** A number of at most 31 bits, as HBase's settings have them. Throws InvalidArgumentError. */
export function parsePositive(text: string): number {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= 1 && value <= 0x7fffffff)) {
    throw new InvalidArgumentError('It must be a whole number from 1 to 2147483647.')
  }
  return value
}
