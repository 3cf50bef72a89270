/**
 * Changes of rights that one connection has the answer of: the next read on any other connection obeys them, whichever thread answers it. Reads that are
 * under way meanwhile obey the rights from before the change or from after it.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { NativeReads } from '../../../../adapters/native/facets/native-reads.ts'
import { type RunningServer, startServer } from '../../../../src/cli/serve/start-server.ts'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { type CellBlock, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { SimRandom } from '../../../harness/simulation/sim-random.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { FREE_PORTS, inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { parsedSettings } from '../../parsed-settings.ts'
import {
  ATOMIC,
  beginAnew,
  CHANGES,
  CHOICES,
  createTable,
  FIRST_CELLS,
  labelled,
  Model,
  ROW,
  SCOPES,
  TABLE,
  USERS,
} from './rights-model.ts'

const THREADS = 3
const ADMIN = 'admin'
/** One connection after the other goes to the next thread. */
const CLIENTS_OF_USER = THREADS + 1
const STEPS = 90
/** TIDEGATE_TEST_RUNS=10 tries others. */
const SEEDS: readonly number[] = Array.from({ length: testRuns(1) }, (_, index) => index + 1)
const LIMITS = { rows: 10, bytes: 1 << 20, allowPartial: false }

interface Client {
  readonly user: string
  readonly store: Store
}

let server: RunningServer
let admins: Store[] = []
let clients: Client[] = []
let groupsFile: string

afterEach(() => {
  vi.restoreAllMocks()
})

async function serving(flags: readonly string[], work: () => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    groupsFile = join(folder, 'groups')
    writeFileSync(groupsFile, 'team:anna\n')
    const stores = ['--store', `native:${join(folder, 'data')}`, '--threads', String(THREADS)]
    const rights = ['--superuser', ADMIN, '--groups', groupsFile, '--insecure', '--log-level', 'silent']
    const settings = parsedSettings(...stores, ...FREE_PORTS, ...rights, ...flags)
    server = await startServer(settings, (name) => name, pino({ level: 'silent' }))
    const opened: Store[] = []
    const open = async (user: string): Promise<Store> => {
      const store = await openRpcStore(server.doors.get('rpc')!.port, { retriesMax: 2, pauseMs: 1 }, user)
      opened.push(store)
      return store
    }
    try {
      admins = [await open(ADMIN), await open(ADMIN)]
      clients = []
      for (let i = 0; i < CLIENTS_OF_USER; i++)
        for (const user of USERS) clients.push({ user, store: await open(user) })
      await work()
    } finally {
      for (const store of opened) await store.close()
      await server.stop()
    }
  })
}

function shown(cells: CellBlock): string {
  return cellsOf(cells)
    .map(({ value }) => value.toString())
    .sort()
    .join()
}

async function orCode(work: () => Promise<string>): Promise<string> {
  try {
    return await work()
  } catch (error) {
    if (isHBaseError(error)) return error.code
    throw error
  }
}

function gotten({ store }: Client): Promise<string> {
  return orCode(async () => {
    const { cells } = await store.rows.get(TABLE, [get(ROW)], { bytes: 1 << 20 }, OWN_CALL)
    return shown(cells)
  })
}

function scanned({ store }: Client): Promise<string> {
  return orCode(async () => {
    const scanner = await openScanner(store, TABLE, scan({}), OWN_CALL)
    const { results } = await scanner.next(LIMITS, OWN_CALL)
    const found = shown(gathered(results).cells)
    await scanner.close()
    return found
  })
}

function regroup(team: readonly string[]): Promise<void> {
  writeFileSync(groupsFile, `team:${team.join()}\n`)
  return server.reload()
}

async function prepared(): Promise<Model> {
  const model = new Model()
  await labelled(admins[0]!.upkeep.labels!.addLabels([Buffer.from('secret')], OWN_CALL))
  model.labels.set('secret', 2)
  beginAnew(model)
  await createTable(admins[0]!)
  return model
}

/** Reads of user tables by the main thread's engine, from now on. Other threads have code of their own. */
function readsOfMain(): () => number {
  let reads = 0
  for (const method of ['get', 'openScanner'] as const) {
    const before = NativeReads.prototype[method] as (...args: unknown[]) => Promise<never>
    vi.spyOn(NativeReads.prototype, method).mockImplementation(function (
      this: NativeReads,
      ...args: unknown[]
    ) {
      if (args[0] === TABLE || (args[0] as { table?: unknown }).table === TABLE) reads++
      return before.apply(this, args)
    })
  }
  return () => reads
}

const RIGHTS = ['--authorization', '--visibility-labels']

describe.skipIf(!MOVES_CONNECTIONS)('rights and threads', { timeout: 180_000 }, () => {
  test.each(SEEDS)('every read obeys the changes that were answered before it (seed %i)', (seed) =>
    serving(RIGHTS, async () => {
      const model = await prepared()
      const random = new SimRandom(seed)
      const done: string[] = []
      for (let step = 1; step <= STEPS; step++) {
        const name = random.of(CHOICES)
        const before = model.wanted
        const change = CHANGES[name]!({ admin: random.of(admins), model, random, step, regroup })
        if (change === undefined) continue
        done.push(name)
        const last = done.slice(-6).join(', ')
        const wanted = model.wanted
        const underWay = ATOMIC.includes(name) ? clients.map(gotten) : []
        await change()
        const found = await Promise.all(
          clients.map(async (client) => [await gotten(client), await scanned(client)]),
        )
        for (const [i, { user }] of clients.entries())
          expect(found[i], `${user} after ${last}`).toEqual([wanted[user], wanted[user]])
        for (const [i, { user }] of clients.entries())
          if (underWay[i] !== undefined)
            expect([before[user], wanted[user]], `${user} during ${last}`).toContain(await underWay[i])
      }
      expect(new Set(done).size).toBeGreaterThan(Object.keys(CHANGES).length - 3)
    }),
  )

  test.each([
    ['rights', ['--authorization']],
    ['labels', ['--visibility-labels']],
    ['both, slow log and traces', [...RIGHTS, '--slow-log-ms', '1', '--otlp-endpoint', 'http://127.0.0.1:9']],
  ])('with %s threads read themselves', async (_, flags) => {
    const reads = readsOfMain()
    await serving(flags, async () => {
      const admin = admins[0]!
      await createTable(admin, FIRST_CELLS.slice(0, 2))
      const permission = { user: '@team', permission: { scope: SCOPES['f:q']!, actions: ['READ'] } } as const
      const isGuarded = flags.includes('--authorization')
      if (isGuarded) await admin.upkeep.permissions!.grant(permission, false, OWN_CALL)
      const member = clients.filter(({ user }) => user === 'anna')
      for (const client of member) await gotten(client)
      const each: number[] = []
      for (const client of member) {
        const before = reads()
        for (let i = 0; i < 5; i++)
          expect([await gotten(client), await scanned(client)]).toEqual(
            isGuarded ? ['f:q', 'f:q'] : ['f:p,f:q', 'f:p,f:q'],
          )
        each.push(reads() - before)
      }
      // One connection of the user's is the main thread's own.
      expect(each.filter((count) => count === 0).length).toBeGreaterThanOrEqual(THREADS - 1)
      expect(each.filter((count) => count > 0).length).toBeLessThanOrEqual(2)
    })
  })

  test('a refusal is in the same words as that of the main thread', () =>
    serving(RIGHTS, async () => {
      await prepared()
      const families = [familyDescriptor('f')]
      const disabled = parseTableName('disabled')
      await admins[0]!.catalog.createTable(tableDescriptor(disabled, families), [], OWN_CALL)
      await admins[0]!.catalog.disableTable(disabled, OWN_CALL)
      await admins[0]!.upkeep.permissions!.grant(
        { user: 'bert', permission: { scope: { kind: 'table', table: disabled }, actions: ['READ'] } },
        false,
        OWN_CALL,
      )
      const tables = [
        't',
        'disabled',
        'missing',
        'hbase:acl',
        'hbase:labels',
        'hbase:meta',
        'hbase:namespace',
      ]
      for (const table of tables.map(parseTableName)) {
        for (const user of USERS) {
          const call: Call = { ...OWN_CALL, isOwn: false, principal: { user } }
          const asked = [get(ROW)]
          const wanted = await refusalOf(() => server.store.rows.get(table, asked, { bytes: 1000 }, call))
          for (const { store } of clients.filter((client) => client.user === user))
            expect(
              await refusalOf(() => store.rows.get(table, asked, { bytes: 1000 }, OWN_CALL)),
              `${user} and ${table}`,
            ).toBe(wanted)
        }
      }
    }))
})

async function refusalOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work()
    return 'none'
  } catch (error) {
    if (isHBaseError(error)) return `${error.code}: ${error.message}`
    throw error
  }
}
