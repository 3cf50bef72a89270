/** Changes of tables, regions and rights that one connection has the answer of: the next call on any other connection meets them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openScanner } from '../../../../src/gateway/reads/scanner.ts'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { isHBaseError } from '../../../../src/model/errors.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { type Get, get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { loadedFile } from '../../../harness/readers/loaded-file.ts'
import { openRpcStore } from '../../../harness/rpc-store.ts'
import { SimRandom } from '../../../harness/simulation/sim-random.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'

const TABLE = parseTableName('t')
const ROWS = ['a', 'h', 'p', 'x']
const CLIENTS = 7
const THREADS = 3
const STEPS = 60
const TIMEOUT_MS = 120_000

let server: Tidegate
let clients: Store[] = []
let folder: string

afterEach(() => {
  clients = []
})

async function serving(options: TidegateOptions, work: () => Promise<void>, users: string[]): Promise<void> {
  await inTemporaryFolder(async (made) => {
    folder = made
    const store = `native:${join(folder, 'data')}`
    server = await startTidegate({ threads: THREADS, store, rpc: 0, thrift: 'off', rest: 'off', ...options })
    try {
      for (const user of users)
        clients.push(await openRpcStore(server.ports.rpc!, { retriesMax: 2, pauseMs: 1 }, user))
      await work()
    } finally {
      for (const client of clients) await client.close()
      await server.stop()
    }
  })
}

async function put(client: Store, rows: readonly string[], family: string, value: string): Promise<void> {
  const batch = new MutationBatch()
  for (const row of rows) {
    batch.put(Buffer.from(row), Buffer.from(family), Buffer.from('q'), Buffer.from(value))
    batch.endMutation()
  }
  const failures = await client.rows.mutate(TABLE, batch, OWN_CALL)
  if (failures.length > 0) throw failures[0]!.error
}

/** The values of the cells that a get finds, or the code of its error. */
async function found(client: Store, row: string, options: Partial<Get> = {}): Promise<string> {
  try {
    const asked = [get(Buffer.from(row), options)]
    const { cells } = await client.rows.get(TABLE, asked, { bytes: 1 << 20 }, OWN_CALL)
    return cellsOf(cells)
      .map(({ family, value }) => `${family.toString()}=${value.toString()}`)
      .join()
  } catch (error) {
    if (isHBaseError(error)) return error.code
    throw error
  }
}

async function scanned(client: Store): Promise<string[]> {
  const scanner = await openScanner(client, TABLE, scan({}), OWN_CALL)
  const rows: string[] = []
  for (let isOver = false; !isOver; ) {
    const batch = await scanner.next({ rows: 2, bytes: 1 << 20, allowPartial: false }, OWN_CALL)
    for (const { row, family, value } of cellsOf(gathered(batch.results).cells))
      rows.push(`${row.toString()}:${family.toString()}=${value.toString()}`)
    isOver = batch.ended === 'scan'
  }
  await scanner.close()
  return rows
}

/** The table as all clients must find it. */
class Model {
  exists = true
  isEnabled = true
  /** Families, each with the value of all rows; undefined: no row has a cell of it. */
  families = new Map<string, string | undefined>([
    ['f', undefined],
    ['g', undefined],
  ])
  snapshot: Map<string, string | undefined> | undefined

  get wanted(): string {
    if (!this.exists) return 'TABLE_NOT_FOUND'
    if (!this.isEnabled) return 'TABLE_NOT_ENABLED'
    return this.cells.join()
  }

  get cells(): string[] {
    return [...this.families]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`))
  }
}

type Change = (client: Store, model: Model, step: number) => Promise<void>

/** Changes of an enabled table. */
const CHANGES: Readonly<Record<string, Change>> = {
  put: async (client, model, step) => {
    await put(client, ROWS, 'f', `v${step}`)
    model.families.set('f', `v${step}`)
  },
  'family added': async (client, model, step) => {
    const family = `h${step}`
    await client.catalog.modifyTable(
      { name: TABLE, alteration: { kind: 'addFamily', family: familyDescriptor(family) } },
      OWN_CALL,
    )
    model.families.set(family, undefined)
  },
  'rows of the newest family': async (client, model, step) => {
    const family = [...model.families.keys()].at(-1)!
    await put(client, ROWS, family, `w${step}`)
    model.families.set(family, `w${step}`)
  },
  'family removed': async (client, model) => {
    const family = [...model.families.keys()].at(-1)!
    if (model.families.size <= 2) return
    await client.catalog.modifyTable(
      { name: TABLE, alteration: { kind: 'deleteFamily', family: Buffer.from(family) } },
      OWN_CALL,
    )
    model.families.delete(family)
  },
  disabled: async (client, model) => {
    await client.catalog.disableTable(TABLE, OWN_CALL)
    model.isEnabled = false
  },
  split: async (client, _, step) => {
    const at = ROWS[1 + (step % 3)]!
    await client.upkeep.regions!.splitTable(TABLE, Buffer.from(at), OWN_CALL).catch((error: unknown) => {
      if (!isHBaseError(error)) throw error
    })
  },
  merge: async (client) => {
    const names = (await client.catalog.regions(TABLE, OWN_CALL)).map(({ name }) => name)
    if (names.length > 1) await client.upkeep.regions!.mergeRegions(names.slice(0, 2), true, OWN_CALL)
  },
  flush: (client) => client.upkeep.flushes!.flushTable(TABLE, OWN_CALL),
  snapshot: async (client, model) => {
    const snapshots = client.upkeep.snapshots!
    if (model.snapshot !== undefined) await snapshots.deleteSnapshot('s', OWN_CALL)
    await snapshots.createSnapshot('s', TABLE, 'FLUSH', OWN_CALL)
    model.snapshot = new Map(model.families)
  },
}

/** Changes of a disabled table. */
const REPAIRS: Readonly<Record<string, Change>> = {
  enabled: async (client, model) => {
    await client.catalog.enableTable(TABLE, OWN_CALL)
    model.isEnabled = true
  },
  dropped: async (client, model) => {
    await client.catalog.deleteTable(TABLE, OWN_CALL)
    model.exists = false
  },
  truncated: async (client, model) => {
    await client.catalog.truncateTable(TABLE, true, OWN_CALL)
    model.isEnabled = true
    for (const family of model.families.keys()) model.families.set(family, undefined)
  },
  restored: async (client, model) => {
    if (model.snapshot === undefined) return
    await client.upkeep.snapshots!.restoreSnapshot('s', OWN_CALL)
    model.families = new Map(model.snapshot)
  },
}

const CREATED: Change = async (client, model) => {
  model.families = new Map([
    ['f', undefined],
    ['g', undefined],
  ])
  const table = tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')])
  await client.catalog.createTable(table, [], OWN_CALL)
  model.exists = true
  model.isEnabled = true
}

describe.skipIf(!MOVES_CONNECTIONS)('the next call on any other connection', { timeout: TIMEOUT_MS }, () => {
  const users = Array.from({ length: CLIENTS }, () => 'tester')

  test.each([1, 2])('meets a change of tables, regions or rows that was answered (seed %i)', (seed) =>
    serving(
      {},
      async () => {
        const random = new SimRandom(seed)
        const model = new Model()
        await CREATED(clients[0]!, model, 0)
        const done: string[] = []
        for (let step = 1; step <= STEPS; step++) {
          const choices = !model.exists ? { created: CREATED } : model.isEnabled ? CHANGES : REPAIRS
          const names = Object.keys(choices)
          const name = random.of(names)
          const by = random.below(CLIENTS)
          done.push(`${by}: ${name}`)
          await (choices as Record<string, Change>)[name]!(clients[by]!, model, step)
          const last = done.slice(-6).join(', ')
          for (let other = 0; other < CLIENTS; other++) {
            const row = random.of(ROWS)
            expect(await found(clients[other]!, row), `${other} after ${last}`).toBe(model.wanted)
          }
          if (!model.exists || !model.isEnabled) continue
          const cells = ROWS.flatMap((row) => model.cells.map((cell) => `${row}:${cell}`))
          expect(await scanned(clients[random.below(CLIENTS)]!), `a scan after ${last}`).toEqual(cells)
        }
      },
      users,
    ),
  )

  test('meets files that were loaded, and a scan that was open does not', () =>
    serving(
      {},
      async () => {
        await CREATED(clients[0]!, new Model(), 0)
        await put(clients[1]!, ROWS, 'f', 'before')
        const [region] = await clients[2]!.catalog.regions(TABLE, OWN_CALL)
        const ref = { table: TABLE, encodedName: region!.encodedName }
        const open = await Promise.all(
          clients.map((client) => openScanner(client, TABLE, scan({}), OWN_CALL)),
        )
        const limits = { rows: 1, bytes: 1 << 20, allowPartial: false }
        for (const scanner of open) await scanner.next(limits, OWN_CALL)
        for (let round = 0; round < CLIENTS; round++) {
          const path = join(folder, `file${round}`)
          writeFileSync(path, await loadedFile('f', ROWS, `loaded${round}`))
          const files = [{ family: Buffer.from('f'), path: `file:${path}` }]
          await clients[round]!.upkeep.bulkLoads!.bulkLoad(ref, files, OWN_CALL)
          for (const client of clients) expect(await found(client, 'p')).toBe(`f=loaded${round}`)
        }
        for (const scanner of open) {
          const values: string[] = []
          for (let isOver = false; !isOver; ) {
            const { results, ended } = await scanner.next(limits, OWN_CALL)
            values.push(...cellsOf(gathered(results).cells).map(({ value }) => value.toString()))
            isOver = ended === 'scan'
          }
          expect(values).toEqual(['before', 'before', 'before'])
          await scanner.close()
        }
      },
      users,
    ))

  test('reads the copies of a region, as many as the table has by now', () =>
    serving(
      {},
      async () => {
        await CREATED(clients[0]!, new Model(), 0)
        await put(clients[1]!, ROWS, 'f', 'v')
        const families = [familyDescriptor('f'), familyDescriptor('g')]
        for (const copies of [3, 1, 2]) {
          const attributes = new Map([['REGION_REPLICATION', String(copies)]])
          await clients[copies]!.catalog.modifyTable({ name: TABLE, families, attributes }, OWN_CALL)
          for (const client of clients)
            for (let replica = 0; replica < copies; replica++)
              expect(await found(client, 'p', { replica })).toBe('f=v')
        }
      },
      users,
    ))

  test('meets a grant and its revocation', () =>
    serving({ authorization: true, superuser: 'admin', insecure: true }, async () => {
      const [first, second, ...others] = clients
      await CREATED(first!, new Model(), 0)
      await put(first!, ROWS, 'f', 'v')
      const scope = { kind: 'table', table: TABLE } as const
      for (let round = 0; round < 10; round++) {
        const admin = round % 2 === 0 ? first! : second!
        const permission = { user: 'reader', permission: { scope, actions: ['READ'] } } as const
        await admin.upkeep.permissions!.grant(permission, false, OWN_CALL)
        for (const reader of others) expect(await found(reader, 'p')).toBe('f=v')
        await admin.upkeep.permissions!.revoke(permission, OWN_CALL)
        for (const reader of others) expect(await found(reader, 'p')).toBe('ACCESS_DENIED')
      }
    }, ['admin', 'admin', ...Array.from({ length: CLIENTS - 2 }, () => 'reader')]))
})
