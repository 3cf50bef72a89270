/**
 * The open gaps: cases that do not pass yet, by their reason. A case outside the ledger must pass, one inside must fail,
 * so that the ledger only shrinks.
 */

import { readFileSync } from 'node:fs'
import { dataFile } from '../data/package-files.ts'

export interface Gap {
  readonly reason: string
  /** Which stores have the gap; all where it is missing. */
  readonly stores?: readonly string[]
  /** Ids, or the beginning of several with `*` at its end, where a whole area is meant. */
  readonly cases: readonly string[]
}

export function readLedger(): readonly Gap[] {
  return JSON.parse(readFileSync(dataFile('ledger.json'), 'utf8')) as Gap[]
}

export function isNamedBy(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern
}

export function gapOf(ledger: readonly Gap[], id: string, store: string): Gap | undefined {
  return ledger.find(
    ({ cases, stores }) =>
      (stores?.includes(store) ?? true) && cases.some((pattern) => isNamedBy(pattern, id)),
  )
}

/** Whether the case is a gap of any store. */
export function isGap(ledger: readonly Gap[], id: string): boolean {
  return ledger.some(({ cases }) => cases.some((pattern) => isNamedBy(pattern, id)))
}
