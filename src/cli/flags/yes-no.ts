import { InvalidArgumentError } from 'commander'

const YES: ReadonlySet<string> = new Set(['true', 'yes', 'on', '1'])
const NO: ReadonlySet<string> = new Set(['false', 'no', 'off', '0'])

/** Throws InvalidArgumentError. */
export function parseYesNo(text: string): boolean {
  const word = text.toLowerCase()
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw new InvalidArgumentError('It must be yes or no.')
}
