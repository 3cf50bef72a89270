/**
 * The suite beside tables, namespaces, snapshots, permissions, limits and labels of users that it did not make: no case fails for them, and
 * none of them is touched.
 */

import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runConformance } from '../../conformance/src/command.ts'
import { rpc } from '../../conformance/src/runner/case.ts'
import { keepOwnNames, ownNamesOf, ownNamesOnly } from '../../conformance/src/runner/own-names.ts'
import { RpcClient } from '../../conformance/src/runner/rpc-client.ts'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../src/library/start-tidegate.ts'
import type { PermissionScope } from '../../src/model/permission.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { NO_CHANGE } from '../gateway/policies/quotas/limited-store.ts'
import { openRpcStore } from '../harness/rpc-store.ts'
import { makeTemporaryFolder } from '../harness/tidegate-process.ts'

/** Scenarios with cases that list names; before and behind the suite's own in each order. */
const LISTING =
  /^(?:thrift[12]-table|thrift2-schema-argument-get|thrift2-namespace|rest-verb|rpc-master|rpc-quotas|system-told)/
const NAMESPACES = ['aaa_foreign', 'zzz_foreign']
const TABLES = ['aaa', 'conf_foreign', 'zzz', 'aaa_foreign:t', 'zzz_foreign:t']
const TIMEOUT_MS = 30_000

let folder: string
let server: Tidegate

beforeEach(() => {
  folder = makeTemporaryFolder()
})

afterEach(async () => {
  await server.stop()
  rmSync(folder, { recursive: true })
})

function ask(method: string, path: string, body?: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' }
  return fetch(`http://127.0.0.1:${server.ports.rest}${path}`, {
    method,
    headers,
    ...(body !== undefined && { body }),
  })
}

async function start(options: TidegateOptions = {}): Promise<void> {
  server = await startTidegate({ store: `native:${folder}`, rpc: 0, ...options })
}

async function makeForeign(): Promise<void> {
  for (const namespace of NAMESPACES) await ask('POST', `/namespaces/${namespace}`)
  for (const table of TABLES) {
    await ask('PUT', `/${table}/schema`, '{"ColumnSchema":[{"name":"f"}]}')
    await ask('PUT', `/${table}/row`, '{"Row":[{"key":"cg==","Cell":[{"column":"Zjpx","$":"dg=="}]}]}')
  }
  const snapshot = { name: 'zzz_snapshot', table: 'aaa' }
  const request = rpc('MasterService', 'Snapshot', { snapshot })
  const client = new RpcClient({ host: '127.0.0.1', port: server.ports.rpc! }, request, TIMEOUT_MS)
  expect((await client.call(request, { snapshot })).kind).toBe('result')
  client.close()
}

const SUPERUSER = 'root'

/** By a server that keeps permissions, limits and labels, in tables that a server which keeps none of them then has. */
async function makeForeignUsers(): Promise<void> {
  const store = await openRpcStore(server.ports.rpc!, {}, SUPERUSER)
  const { permissions, quotas, labels } = store.upkeep
  const [namespace, table] = [NAMESPACES[0]!, parseTableName(TABLES[0]!)]
  const scopes: PermissionScope[] = [
    { kind: 'global' },
    { kind: 'namespace', namespace },
    { kind: 'table', table },
  ]
  for (const scope of scopes) {
    const permission = { scope, actions: ['READ'] } as const
    await permissions!.grant({ user: 'bob', permission }, false, OWN_CALL)
  }
  const limit = { softLimit: 100n, share: undefined, timeUnit: 'MINUTES', scope: 'MACHINE' } as const
  const throttle = { type: 'REQUEST_NUMBER', limit } as const
  for (const subject of [{ user: 'bob' }, { table }, { namespace }])
    await quotas!.setQuota({ ...NO_CHANGE, ...subject, throttle }, OWN_CALL)
  await labels!.addLabels([Buffer.from('secret')], OWN_CALL)
  await labels!.setAuths(Buffer.from('bob'), [Buffer.from('secret')], OWN_CALL)
  await store.close()
}

function address(port: number | undefined): { host: string; port: number } {
  return { host: '127.0.0.1', port: port! }
}

test('cases that list names pass beside foreign ones, which stay as they were', async () => {
  await start()
  await makeForeign()
  await server.stop()
  const guarding = { authorization: true, visibilityLabels: true, superuser: SUPERUSER, insecure: true }
  await start({ ...guarding, define: ['hbase.quota.enabled=true'] })
  await makeForeignUsers()
  await server.stop()
  await start()
  const lines: string[] = []
  const { rest, thrift, rpc: rpcPort } = server.ports
  const flags = { rest: `http://127.0.0.1:${rest}`, thrift: address(thrift), rpc: address(rpcPort) }
  const passed = await runConformance({ ...flags, only: LISTING, timeoutMs: TIMEOUT_MS }, (line) =>
    lines.push(line),
  )
  expect(lines.filter((line) => !/^\d+ (?:passed|differ on purpose)/.test(line))).toEqual([])
  expect(passed).toBe(true)
  const { table } = (await (await ask('GET', '/')).json()) as { table: readonly { name: string }[] }
  expect(table.map(({ name }) => name)).toEqual(expect.arrayContaining(TABLES))
  for (const name of TABLES) expect((await ask('GET', `/${name}/r`)).status, name).toBe(200)
}, 120_000)

const SCENARIO = { name: 's', tables: ['conf_t', 'conf_n:t'], namespaces: ['conf_n'], setup: [], cases: [] }
const isOwn = ownNamesOf(SCENARIO)

function tableName(namespace: string, qualifier: string): object {
  return {
    $typeName: 'hbase.pb.TableName',
    namespace: Buffer.from(namespace),
    qualifier: Buffer.from(qualifier),
  }
}

function snapshot(table: string): object {
  return { $typeName: 'hbase.pb.SnapshotDescription', name: 's', table }
}

test('lists of native RPC keep the scenario’s tables, namespaces and snapshots', () => {
  const message = {
    tableNames: [
      tableName('default', 'conf_t'),
      tableName('default', 'zzz'),
      tableName('conf_n', 't'),
      tableName('zzz', 'conf_t'),
    ],
    tableSchema: [tableName('default', 'zzz'), tableName('hbase', 'meta')].map((name) => ({
      $typeName: 'hbase.pb.TableSchema',
      tableName: name,
    })),
    snapshots: [snapshot('zzz'), snapshot('conf_t')],
    namespaceName: ['conf_n', 'default', 'zzz'],
    namespaceDescriptor: ['zzz', 'hbase'].map((name) => ({
      $typeName: 'hbase.pb.NamespaceDescriptor',
      name: Buffer.from(name),
    })),
    other: [1, 'zzz'],
  }
  keepOwnNames(message as never, isOwn)
  expect(message.tableNames).toEqual([tableName('default', 'conf_t'), tableName('conf_n', 't')])
  expect(message.tableSchema).toMatchObject([{ tableName: tableName('hbase', 'meta') }])
  expect(message.snapshots).toEqual([snapshot('conf_t')])
  expect([message.namespaceName, message.namespaceDescriptor.length, message.other]).toEqual([
    ['conf_n', 'default'],
    1,
    [1, 'zzz'],
  ])
})

test.each(['TTableName', 'TTableDescriptor', 'TNamespaceDescriptor'])(
  'a list of Thrift’s %s, too',
  (name) => {
    const elements = ['conf_t', 'conf_n', 'zzz'].map((qualifier) => {
      const table = { ns: Buffer.from('default'), qualifier: Buffer.from(qualifier) }
      return {
        TTableName: table,
        TTableDescriptor: { tableName: table },
        TNamespaceDescriptor: { name: qualifier },
      }[name]
    })
    const type = { kind: 'list', element: { kind: 'struct', struct: { name, fields: [] } } } as never
    expect(ownNamesOnly({ method: 'any' }, type, elements, isOwn)).toEqual(elements.slice(0, 2))
  },
)
