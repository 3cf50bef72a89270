/** Cases that a real HBase answers in one of two ways, by groups: conformance/undecided.json. */

import { readFileSync } from 'node:fs'
import { dataFile } from '../data/package-files.ts'
import { isNamedBy } from './ledger.ts'

export interface UndecidedGroup {
  readonly question: string
  /** The answer that is recorded, and why that one. */
  readonly recorded: string
  /** Matches the exchanges that have the other answer. */
  readonly unwanted: RegExp
  /** Ids and patterns, as in the ledger. */
  readonly cases: readonly string[]
}

type GroupAsJson = Omit<UndecidedGroup, 'unwanted'> & { readonly unwanted: string }

export function readUndecided(): readonly UndecidedGroup[] {
  const file = dataFile('undecided.json')
  const { groups } = JSON.parse(readFileSync(file, 'utf8')) as { groups: readonly GroupAsJson[] }
  return groups.map((group) => ({ ...group, unwanted: new RegExp(group.unwanted) }))
}

/** True for the answer to an undecided case that is not the one to record. */
export function isUnwanted(groups: readonly UndecidedGroup[], id: string, exchange: string): boolean {
  return groups.some(
    ({ cases, unwanted }) => cases.some((pattern) => isNamedBy(pattern, id)) && unwanted.test(exchange),
  )
}

export function isUndecided(groups: readonly UndecidedGroup[], id: string): boolean {
  return groups.some(({ cases }) => cases.some((pattern) => isNamedBy(pattern, id)))
}
