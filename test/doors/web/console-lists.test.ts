/** Long lists of the console's pages are cut. */

import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { ConsoleRequest } from '../../../src/doors/web/console/console-request.ts'
import { namespaces } from '../../../src/doors/web/console/namespaces.ts'
import { snapshots } from '../../../src/doors/web/console/snapshots.ts'
import { users } from '../../../src/doors/web/console/users.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import type { SnapshotDescription } from '../../../src/store/snapshots.ts'

const TABLES = 520

async function requestWith(upkeep: object, accounts: object = {}): Promise<ConsoleRequest> {
  const memory = openMemoryStore({ clock: Date })
  for (let i = 0; i < TABLES; i++)
    await memory.catalog.createTable(
      tableDescriptor(parseTableName(`t${i}`), [familyDescriptor('f')]),
      [],
      OWN_CALL,
    )
  const store = withFacets(memory, { upkeep: { ...memory.upkeep, ...upkeep } })
  const facts = { life: { store }, console: { accounts: async () => accounts } }
  return { store, facts, call: OWN_CALL, query: new URLSearchParams() } as unknown as ConsoleRequest
}

async function listSnapshots(): Promise<SnapshotDescription[]> {
  return Array.from({ length: 600 }, (_, i) => ({
    name: `s${i}`,
    table: parseTableName('t0'),
    type: 'FLUSH' as const,
    createdAt: i,
    timeToLiveSeconds: 0n,
    owner: '',
    maxFileBytes: 0n,
  }))
}

test('long lists are cut, and have the number of all', async () => {
  let asked = 0
  const permissions = {
    areEnforced: async () => true,
    hasPermissions: async (_: unknown, all: unknown[]) => all.map(() => false),
    userPermissions: async () => {
      asked++
      return []
    },
  }
  const accounts = {
    users: Array.from({ length: 1500 }, (_, i) => `u${i}`),
    memberships: [],
    superusers: [],
    troubles: [],
  }
  const request = await requestWith({ snapshots: { listSnapshots }, permissions }, accounts)
  const listed = (await snapshots(request)) as { total: number; snapshots: { name: string }[] }
  expect([listed.total, listed.snapshots.length, listed.snapshots[0]!.name]).toEqual([600, 500, 's599'])
  const of = (await namespaces(request)) as { namespaces: { tablesTotal: number; tables: string[] }[] }
  expect([of.namespaces[0]!.tablesTotal, of.namespaces[0]!.tables.length]).toEqual([TABLES, 200])
  const known = (await users(request)) as {
    isCut: boolean
    accounts: { usersTotal: number; users: object[] }
  }
  expect([known.isCut, known.accounts.usersTotal, known.accounts.users.length]).toEqual([true, 1500, 1000])
  // Everything, the namespaces default and hbase, and 500 tables.
  expect(asked).toBeLessThanOrEqual(503)
})

test('the permissions of very many namespaces are not all asked for', async () => {
  let asked = 0
  const permissions = {
    areEnforced: async () => true,
    hasPermissions: async (_: unknown, all: unknown[]) => all.map(() => false),
    userPermissions: async () => {
      asked++
      return []
    },
  }
  const store = openMemoryStore({ clock: Date })
  const catalog = {
    listNamespaces: async () =>
      Array.from({ length: 2000 }, (_, i) => ({ name: `n${i}`, properties: new Map() })),
    listTables: async () => [],
    listSystemTables: async () => [],
  }
  const many = { catalog, upkeep: { permissions } }
  const facts = {
    life: { store },
    console: { accounts: async () => ({ memberships: [], superusers: [], troubles: [] }) },
  }
  const request = {
    store: many,
    facts,
    call: OWN_CALL,
    query: new URLSearchParams(),
  } as unknown as ConsoleRequest
  expect(await users(request)).toMatchObject({ isCut: true })
  // Everything, and 500 namespaces.
  expect(asked).toBe(501)
})
