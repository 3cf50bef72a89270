import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { runConformance } from '../../conformance/src/command.ts'
import { openDoors } from '../../src/cli/doors/open-doors.ts'
import { ownServer } from '../../src/cli/settings/advertise-options.ts'
import { openServedStore } from '../../src/cli/stores/served-store.ts'
import { DEFAULT_LIMITS } from '../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'

/** Two cases of the ledger. */
const LEDGER = /^rest-spelled-version-(comma-d03502|text-plain-charset-iso-8859-1-f46f6f)$/
/** These, and some that Tidegate answers as HBase does. */
const BOTH = /^rest-spelled-version/
const UNDECIDED = /^rest-row-header-head-r1-f-a$/

let closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing) await close()
  closing = []
})

async function conformance(
  rest: string,
  only: RegExp,
): Promise<{ passed: boolean; last: string; lines: string[] }> {
  const lines: string[] = []
  const thrift = { host: '127.0.0.1', port: Number(new URL(rest).port) }
  const passed = await runConformance({ rest, thrift, only, timeoutMs: 10_000 }, (line) => lines.push(line))
  return { passed, last: lines.at(-1)!, lines: lines.slice(0, -1) }
}

async function tidegate(): Promise<string> {
  const logger = pino({ level: 'silent' })
  const ports = {
    rest: 0,
    thrift: 'off',
    rpc: 'off',
    master: 'off',
    zookeeper: 'off',
    web: 'off',
    timeline: 'off',
  } as const
  const store = await openServedStore({ store: { kind: 'memory' }, ports }, logger)
  const doors = await openDoors(
    { store, server: ownServer('off'), limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger },
    { host: '127.0.0.1', ports },
  )
  closing.push(async () => {
    await doors.get('rest')!.close()
    await store.close()
  })
  return `http://127.0.0.1:${doors.get('rest')!.port}`
}

/** A server that answers everything with 200 and no body, but for its version. */
async function oddServer(version: object): Promise<string> {
  const server: Server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(request.url === '/version' ? JSON.stringify(version) : '')
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('against Tidegate, cases of the ledger are counted apart and none fails', async () => {
  const { passed, last, lines } = await conformance(await tidegate(), BOTH)
  expect(passed).toBe(true)
  expect(last).toMatch(/^[1-9]\d* passed, 0 failed$/)
  expect(lines).toEqual([expect.stringMatching(/^2 differ on purpose: /)])
})

test('against another server, cases of the ledger fail and say what differs', async () => {
  const { passed, last, lines } = await conformance(await oddServer({ JVM: 'Ubuntu 17.0.1' }), LEDGER)
  expect({ passed, last }).toEqual({ passed: false, last: '0 passed, 2 failed' })
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^rest-spelled-version-.*\n {2}recorded: .*\n {2}answered: /)
})

test('against another server, cases that HBase answers in more than one way are counted apart', async () => {
  const { passed, last, lines } = await conformance(await oddServer({}), UNDECIDED)
  expect({ passed, last }).toEqual({ passed: true, last: '0 passed, 0 failed' })
  expect(lines).toEqual([expect.stringMatching(/^1 are undecided: /)])
})

test('against Tidegate, those are not excused', async () => {
  const { passed, last } = await conformance(await oddServer({ JVM: 'Node.js v20.1.0' }), UNDECIDED)
  expect({ passed, last }).toEqual({ passed: false, last: '0 passed, 1 failed' })
})

test('a server that nobody runs passes nothing, also not the cases of the ledger', async () => {
  const rest = await oddServer({})
  for (const close of closing) await close()
  closing = []
  expect(await conformance(rest, LEDGER)).toMatchObject({ passed: false, last: '0 passed, 2 failed' })
})
