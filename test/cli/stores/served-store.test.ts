import { hostname } from 'node:os'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type PortSetting } from '../../../src/cli/settings/door-ports.ts'
import { openServedStore } from '../../../src/cli/stores/served-store.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'

const TABLE = parseTableName('t')

async function serverOfRegions(rpc: PortSetting): Promise<ServerName> {
  const ports = {
    rest: 0,
    thrift: 0,
    rpc,
    master: 'off',
    zookeeper: 'off',
    web: 'off',
    timeline: 'off',
  } as const
  const store = await openServedStore({ store: { kind: 'memory' }, ports }, pino({ level: 'silent' }))
  const { catalog } = store
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [Buffer.from('m')], OWN_CALL)
  const [first, second] = await catalog.regions(TABLE, OWN_CALL)
  expect(second!.server).toEqual(first!.server)
  await store.close()
  return first!.server
}

test.each([
  [12345, 12345],
  [0, 16020],
  ['off', 16020],
] as const)('with native RPC at %s clients are told the port %d', async (rpc, port) => {
  const before = Date.now()
  const server = await serverOfRegions(rpc)
  expect(server).toMatchObject({ host: hostname(), port })
  expect(server.startCode).toBeGreaterThanOrEqual(before)
  expect(server.startCode).toBeLessThanOrEqual(Date.now())
})

test.each([
  [true, 'READ_ONLY'],
  [false, undefined],
])('read-only: %s', async (readOnly, code) => {
  const ports = {
    rest: 0,
    thrift: 0,
    rpc: 0,
    master: 'off',
    zookeeper: 'off',
    web: 'off',
    timeline: 'off',
  } as const
  const store = await openServedStore(
    { store: { kind: 'memory' }, ports, readOnly },
    pino({ level: 'silent' }),
  )
  const creating = store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const told = await creating.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect((told as { code?: string } | undefined)?.code).toBe(code)
  await store.close()
})
