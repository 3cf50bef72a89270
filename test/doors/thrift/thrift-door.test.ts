import pino from 'pino'
import { expect, test } from 'vitest'
import type { ThriftService } from '../../../src/doors/thrift/contract/thrift-service.ts'
import { startThriftDoor } from '../../../src/doors/thrift/thrift-door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { loadSchema } from '../../../src/wire/thrift/idl-files.ts'
import { thriftPackage } from '../../harness/thrift-package.ts'
import { type StubClient, type ThriftStubs, thriftStubs } from '../../harness/thrift-stubs.ts'

function serviceOf(idl: 'thrift1' | 'thrift2', name: string): ThriftService {
  const methods = loadSchema(idl).services.get(name)!.methods.keys()
  const handlers = Object.fromEntries([...methods].map((method) => [method, () => `${name}.${method}`]))
  return { name, handlers: { ...handlers, isTableEnabled: () => name === 'Hbase' } }
}

test('both services on one port; closing the door closes them', async () => {
  let closed = 0
  const services = {
    thrift1: serviceOf('thrift1', 'Hbase'),
    thrift2: serviceOf('thrift2', 'THBaseService'),
    close: async () => {
      closed++
    },
  }
  const context = { limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger: pino({ level: 'silent' }) }
  const door = await startThriftDoor(context, { host: '127.0.0.1', port: 0 }, services)
  const call = async (
    stubs: ThriftStubs,
    ask: (client: StubClient) => Promise<unknown>,
  ): Promise<unknown> => {
    const connection = thriftPackage.createConnection('127.0.0.1', door.port, {
      transport: thriftPackage.TFramedTransport,
      protocol: thriftPackage.TCompactProtocol,
    })
    try {
      return await ask(thriftPackage.createClient(stubs, connection) as StubClient)
    } finally {
      connection.destroy()
    }
  }
  const old = thriftStubs(loadSchema('thrift1'), 'Hbase')
  const young = thriftStubs(loadSchema('thrift2'), 'THBaseService')
  const table = Buffer.from('t')
  expect(await call(old, (client) => client['isTableEnabled']!(table))).toBe(true)
  expect(await call(young, (client) => client['isTableEnabled']!({ qualifier: table }))).toBe(false)
  await door.close()
  expect(closed).toBe(1)
})
