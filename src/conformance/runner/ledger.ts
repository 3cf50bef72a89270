/**
 * The open gaps: cases that do not pass yet, with their reason. A case outside the ledger must pass, one inside must
 * fail, so that the ledger only shrinks.
 */

import { readFileSync } from 'node:fs'
import { packageRoot } from '../../package-root.ts'

export interface Gap {
  /** A case's id, or the beginning of several with `*` at its end. */
  readonly cases: string
  /** Which stores have the gap; all where it is missing. */
  readonly stores?: readonly string[]
  readonly reason: string
}

export const LEDGER_FILE = 'src/conformance/ledger.json'

export function readLedger(): readonly Gap[] {
  return JSON.parse(readFileSync(new URL(LEDGER_FILE, packageRoot()), 'utf8')) as Gap[]
}

export function gapOf(ledger: readonly Gap[], id: string, store: string): Gap | undefined {
  return ledger.find(
    ({ cases, stores }) =>
      (stores?.includes(store) ?? true) &&
      (cases.endsWith('*') ? id.startsWith(cases.slice(0, -1)) : id === cases),
  )
}
