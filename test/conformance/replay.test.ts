import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ownServer } from '../../src/cli/advertise-options.ts'
import { openDoors } from '../../src/cli/open-doors.ts'
import type { StoreSpec } from '../../src/cli/serve-options.ts'
import { openServedStore } from '../../src/cli/served-store.ts'
import type { Scenario } from '../../src/conformance/runner/case.ts'
import { compatibilityPage } from '../../src/conformance/runner/compatibility.ts'
import type { Target } from '../../src/conformance/runner/exchange.ts'
import { gapOf, isNamedBy, readLedger } from '../../src/conformance/runner/ledger.ts'
import { recordingOf } from '../../src/conformance/runner/recordings.ts'
import { firstDifference, runSuite } from '../../src/conformance/runner/run-suite.ts'
import { isUnwanted, readUndecided } from '../../src/conformance/runner/undecided.ts'
import { SCENARIOS } from '../../src/conformance/scenarios.ts'
import type { Door } from '../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits.ts'
import { MemoryBudget } from '../../src/gateway/memory-budget.ts'
import { packageRoot } from '../../src/package-root.ts'
import type { Store } from '../../src/store/store.ts'

const TIMEOUT_MS = 10_000
const SHOWN_MAX = 20
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

/** What is wrong with a scenario's answers, or with the ledger about them. */
async function problemsOf(scenario: Scenario, target: Target, store: string): Promise<string[]> {
  const problems: string[] = []
  for await (const outcome of runSuite([scenario], recordingOf, target, { timeoutMs: TIMEOUT_MS })) {
    const gap = gapOf(ledger, outcome.id, store)
    if (outcome.passed && gap !== undefined) problems.push(`${outcome.id} passes: take it out of the ledger`)
    if (!outcome.passed && gap === undefined) problems.push(firstDifference(outcome))
  }
  return problems
}

/** About what the doors read: any store does. `npm run compare` asks all cases of both. */
const OF_DOORS = /^rest-(?:url|body|accept|content|http|bytes)|-arguments$|^filter-json$/

function scenariosOf(store: 'native' | 'memory'): readonly Scenario[] {
  return store === 'native' ? SCENARIOS : SCENARIOS.filter(({ name }) => !OF_DOORS.test(name))
}

describe.each(['native', 'memory'] as const)(
  'recorded from HBase 2.6.1, replayed on the %s store',
  (kind) => {
    let folder: string
    let store: Store
    let doors: ReadonlyMap<string, Door>
    let target: Target

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tidegate-replay-'))
      const spec: StoreSpec = kind === 'native' ? { kind, directory: folder } : { kind }
      const logger = pino({ level: 'silent' })
      const ports = { rest: 0, thrift: 0, rpc: 0, zookeeper: 'off', web: 'off', timeline: 'off' } as const
      const served = await openServedStore({ store: spec, ports }, logger, {
        poisonReleased: true,
        awakeBytesMax: 0,
      })
      store = served
      const server = ownServer(0)
      const context = { store: served, server, limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger }
      doors = await openDoors(context, { host: '127.0.0.1', ports })
      const thrift = { host: '127.0.0.1', port: doors.get('thrift')!.port }
      const rpc = { host: '127.0.0.1', port: doors.get('rpc')!.port }
      target = {
        rest: `http://127.0.0.1:${doors.get('rest')!.port}`,
        thrift1: thrift,
        thrift2: thrift,
        rpc: { regionServer: rpc, master: rpc },
      }
    })
    afterAll(async () => {
      for (const door of doors.values()) await door.close()
      await store.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test.each(scenariosOf(kind).map((scenario) => [scenario.name, scenario] as const))(
      '%s',
      { timeout: 300_000 },
      async (_, scenario) => {
        const problems = await problemsOf(scenario, target, kind)
        const more = problems.length > SHOWN_MAX ? [`... and ${problems.length - SHOWN_MAX} more`] : []
        expect([...problems.slice(0, SHOWN_MAX), ...more].join('\n')).toBe('')
      },
    )
  },
)
