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
import { startTidegate } from '../../../src/library/start-tidegate.ts'
import { openIdleFirsts } from '../../harness/door-threads/idle-firsts.ts'

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

interface Replayed {
  readonly target: Target
  close(): Promise<void>
}

function targetOf(portOf: (door: 'rest' | 'thrift' | 'rpc') => number): Target {
  const thrift = { host: '127.0.0.1', port: portOf('thrift') }
  const rpc = { host: '127.0.0.1', port: portOf('rpc') }
  return {
    rest: `http://127.0.0.1:${portOf('rest')}`,
    thrift1: thrift,
    thrift2: thrift,
    rpc: { regionServer: rpc, master: rpc },
  }
}

async function openServer(kind: 'native' | 'memory', folder: string): Promise<Replayed> {
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
  const store = await openServedStore({ store: spec, ports }, logger, {
    poisonReleased: true,
    awakeBytesMax: 0,
  })
  const server = ownServer(0)
  const context = { store, server, limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger }
  const doors: ReadonlyMap<string, Door> = await openDoors(context, { host: '127.0.0.1', ports })
  return {
    target: targetOf((door) => doors.get(door)!.port),
    close: async () => {
      for (const door of doors.values()) await door.close()
      await store.close()
    },
  }
}

/** Its threads have all connections of the replay. */
async function openThreads(folder: string, threads: number): Promise<Replayed> {
  const server = await startTidegate({ store: `native:${folder}`, threads, rpc: 0 })
  const endIdle = await openIdleFirsts(server.ports.rest!)
  return {
    target: targetOf((door) => server.ports[door]!),
    close: async () => {
      endIdle()
      await server.stop()
    },
  }
}

/** Asks a server on the store for each case that was recorded, and compares the answers. `threads`: see --threads. */
export function describeReplay(
  kind: 'native' | 'memory',
  scenarios: readonly Scenario[],
  threads: number = 0,
): void {
  const name = threads > 0 ? `${kind} store of ${threads} threads` : `${kind} store`
  describe(`recorded from HBase 2.6.1, replayed on the ${name}`, () => {
    let folder: string
    let server: Replayed

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tidegate-replay-'))
      server = await (threads > 0 ? openThreads(folder, threads) : openServer(kind, folder))
    })
    afterAll(async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
      '%s',
      { timeout: 300_000 },
      async (_, scenario) => {
        const problems = await problemsOf(scenario, server.target, kind)
        const more = problems.length > SHOWN_MAX ? [`... and ${problems.length - SHOWN_MAX} more`] : []
        expect([...problems.slice(0, SHOWN_MAX), ...more].join('\n')).toBe('')
      },
    )
  })
}
