import { InvalidArgumentError } from 'commander'
import { parsePositive } from './positive-number.ts'

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Milliseconds of `3600000`, `90s`, `1h`, as Hadoop's Configuration.getTimeDuration reads the keys that may have a unit. Throws
 * InvalidArgumentError.
 */
export function parseDurationMs(text: string): number {
  const [, digits, unit = 'ms'] = /^\s*(\d+)\s*(ms|s|m|h|d)?\s*$/i.exec(text) ?? []
  if (digits === undefined) {
    throw new InvalidArgumentError('It must be a whole number of milliseconds, or one with ms, s, m, h or d.')
  }
  return parsePositive(String(Number(digits) * UNITS_MS[unit.toLowerCase()]!))
}
