import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scenario } from '../../../conformance/src/runner/case.ts'
import type { Target } from '../../../conformance/src/runner/exchange.ts'
import { gapOf, readLedger } from '../../../conformance/src/runner/ledger.ts'
import { recordingOf } from '../../../conformance/src/runner/recordings.ts'
import { firstDifference, runSuite } from '../../../conformance/src/runner/run-suite.ts'
import { openDoors } from '../../../src/cli/doors/open-doors.ts'
import { ownServer } from '../../../src/cli/settings/advertise-options.ts'
import type { StoreSpec } from '../../../src/cli/settings/store-options.ts'
import { openServedStore } from '../../../src/cli/stores/served-store.ts'
import type { Door } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import type { Store } from '../../../src/store/store.ts'

const TIMEOUT_MS = 10_000
const SHOWN_MAX = 20
const ledger = readLedger()

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

/** Asks a server on the store for each case that was recorded, and compares the answers. */
export function describeReplay(kind: 'native' | 'memory', scenarios: readonly Scenario[]): void {
  describe(`recorded from HBase 2.6.1, replayed on the ${kind} store`, () => {
    let folder: string
    let store: Store
    let doors: ReadonlyMap<string, Door>
    let target: Target

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tidegate-replay-'))
      const spec: StoreSpec = kind === 'native' ? { kind, directory: folder } : { kind }
      const logger = pino({ level: 'silent' })
      const ports = {
        rest: 0,
        thrift: 0,
        rpc: 0,
        master: 'off',
        zookeeper: 'off',
        web: 'off',
        timeline: 'off',
      } as const
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

    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      '%s',
      { timeout: 300_000 },
      async (_, scenario) => {
        const problems = await problemsOf(scenario, target, kind)
        const more = problems.length > SHOWN_MAX ? [`... and ${problems.length - SHOWN_MAX} more`] : []
        expect([...problems.slice(0, SHOWN_MAX), ...more].join('\n')).toBe('')
      },
    )
  })
}
