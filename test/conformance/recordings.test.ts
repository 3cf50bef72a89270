import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { compatibilityPage } from '../../conformance/src/runner/compatibility.ts'
import { isNamedBy, readLedger } from '../../conformance/src/runner/ledger.ts'
import { recordingOf } from '../../conformance/src/runner/recordings.ts'
import { isUnwanted, readUndecided } from '../../conformance/src/runner/undecided.ts'
import { SCENARIOS } from '../../conformance/src/scenarios.ts'
import { packageRoot } from '../../src/package-root.ts'

const ledger = readLedger()

test('every case has an id of its own and a recording, and every recording a case', () => {
  const ids = SCENARIOS.flatMap(({ cases }) => cases.map(({ id }) => id))
  expect(new Set(ids).size).toBe(ids.length)
  for (const scenario of SCENARIOS) {
    expect([...recordingOf(scenario).keys()], scenario.name).toEqual(scenario.cases.map(({ id }) => id))
  }
})

test('every gap of the ledger is one of a case, and has an entry of its own', () => {
  const ids = SCENARIOS.flatMap(({ cases }) => cases.map(({ id }) => id))
  const patterns = ledger.flatMap(({ cases }) => cases)
  expect(patterns.filter((pattern) => !ids.some((id) => isNamedBy(pattern, id)))).toEqual([])
  expect(new Set(patterns).size).toBe(patterns.length)
  const entries = ledger.map(({ reason, stores }) => `${reason} ${stores?.join()}`)
  expect(new Set(entries).size).toBe(entries.length)
})

test('every undecided answer of a real HBase is one to a case', () => {
  const ids = SCENARIOS.flatMap(({ cases }) => cases.map(({ id }) => id))
  const undecided = readUndecided().flatMap(({ cases }) => cases)
  expect(undecided.filter((pattern) => !ids.some((id) => isNamedBy(pattern, id)))).toEqual([])
  expect(new Set(undecided).size).toBe(undecided.length)
})

test('of two answers of a real HBase the one that serves a client is recorded', () => {
  const groups = readUndecided()
  const recorded = SCENARIOS.flatMap((scenario) => [...recordingOf(scenario)])
  expect(recorded.filter(([id, exchange]) => isUnwanted(groups, id, exchange)).map(([id]) => id)).toEqual([])
})

test('the table of compatibility is that of the cases and the ledger', () => {
  expect(readFileSync(new URL('docs/compatibility.md', packageRoot()), 'utf8'), 'npm run compatibility').toBe(
    compatibilityPage(SCENARIOS, ledger),
  )
})
