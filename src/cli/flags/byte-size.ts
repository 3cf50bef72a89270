import { InvalidArgumentError } from 'commander'

const MIB = 1024 * 1024
const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1024, m: MIB, g: 1024 * MIB }

/** Bytes, with k, m or g for multiples of 1024. Throws InvalidArgumentError. */
export function parseBytes(text: string): number {
  const [, number, unit] = /^(\d{1,12})([kmg]?)b?$/i.exec(text) ?? []
  const bytes = Number(number) * UNITS[unit?.toLowerCase() ?? '']!
  if (!Number.isSafeInteger(bytes)) {
    throw new InvalidArgumentError('It must be a number of bytes, such as 512m or 2g.')
  }
  return bytes
}

/** Bytes a second. */
export function parseRate(text: string): number {
  const bytes = parseBytes(text)
  if (bytes === 0) throw new InvalidArgumentError('At 0 bytes a second nothing would ever be moved.')
  return bytes
}
