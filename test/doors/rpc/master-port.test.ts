/** The port of the master: it answers and refuses the calls that HBase's master answers and refuses. */

import type { DescMethodUnary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Door } from '../../../src/gateway/door.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

let server: RpcServer
let master: Door
let region: { readonly type: 1; readonly value: Buffer }

beforeAll(async () => {
  server = await startRpcServer()
  master = await server.openMaster()
  const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
  region = { type: 1, value: first!.name }
})

afterAll(async () => {
  await master.close()
  await server.close()
})

const ofRegistry: readonly DescMethodUnary[] = Object.values(ClientMetaService.method)
test.each(ofRegistry.map((method) => [method.name, method] as const))(
  'the registry answers %s as the door does, and names the door’s port',
  async (_, method) => {
    const answer = (await oneCall(master.port, method, {})).message
    expect(answer).toEqual((await oneCall(server.door.port, method, {})).message)
  },
)

test('the master answers, and both ports know its procedures', async () => {
  const { method } = MasterService
  expect((await oneCall(master.port, method.isMasterRunning, {})).message.isMasterRunning).toBe(true)
  const name = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
  const { procId } = (await oneCall(master.port, method.disableTable, { tableName: name })).message
  await expect
    .poll(async () => (await oneCall(server.door.port, method.getProcedureResult, { procId })).message.state)
    .toBe(2)
  await oneCall(master.port, method.enableTable, { tableName: name })
  await expect.poll(() => server.store.catalog.tableState(TABLE, OWN_CALL)).toBe('ENABLED')
})

const { method } = ClientService
const row = Buffer.from('a')
const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
const put = { row, mutateType: 2 as const, columnValue: [] }
test.each([
  ['Get', (port: number) => oneCall(port, method.get, { region, get: { row } })],
  ['Scan', (port: number) => oneCall(port, method.scan, { region, scan: {}, numberOfRows: 1 })],
  ['Mutate', (port: number) => oneCall(port, method.mutate, { region, mutation: put })],
  [
    'ExecService',
    (port: number) =>
      oneCall(port, method.execService, {
        region,
        call: { row, serviceName: 'AggregateService', methodName: 'GetMax', request: Buffer.alloc(0) },
      }),
  ],
  ['PrepareBulkLoad', (port: number) => oneCall(port, method.prepareBulkLoad, { region, tableName })],
  ['CleanupBulkLoad', (port: number) => oneCall(port, method.cleanupBulkLoad, { region, bulkToken: 't' })],
  ['BulkLoadHFile', (port: number) => oneCall(port, method.bulkLoadHFile, { region, familyPath: [] })],
])('%s of a region finds that it is not online here', async (_, call) => {
  await expect(call(master.port)).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
    message: expect.stringMatching(/^t,,\d+\.[0-9a-f]{32}\. is not online on /) as string,
  })
})

test('Multi has the same answer for its region', async () => {
  const action = { index: 0, get: { row } }
  const { message } = await oneCall(master.port, method.multi, {
    regionAction: [{ region, action: [action] }],
  })
  expect(message.regionActionResult[0]!.exception!.name).toBe(
    'org.apache.hadoop.hbase.NotServingRegionException',
  )
})

test('a bulk load asks the door for a region that there is, too', async () => {
  const gone = { type: 1 as const, value: Buffer.from(`t,,1.${'0'.repeat(32)}.`) }
  const { prepareBulkLoad } = method
  const known = await oneCall(server.door.port, prepareBulkLoad, { region, tableName })
  expect(known.message.bulkToken).toMatch(/^t__/)
  for (const named of [{ region: gone }, {}])
    await expect(oneCall(server.door.port, prepareBulkLoad, { ...named, tableName })).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
    })
})

test('a scanner of the door is unknown here', async () => {
  const opened = await oneCall(server.door.port, method.scan, { region, scan: {}, numberOfRows: 0 })
  const { scannerId } = opened.message
  await expect(oneCall(master.port, method.scan, { scannerId, numberOfRows: 1 })).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.UnknownScannerException',
  })
  await oneCall(server.door.port, method.scan, { scannerId, numberOfRows: 1 })
})

test('an administrator gets the server, no online region, and the description of a region', async () => {
  const { method: ofAdmin } = AdminService
  expect((await oneCall(master.port, ofAdmin.getOnlineRegion, {})).message.regionInfo).toEqual([])
  const { serverInfo } = (await oneCall(master.port, ofAdmin.getServerInfo, {})).message
  expect(serverInfo!.serverName!.port).toBe(server.door.port)
  const { regionInfo } = (await oneCall(master.port, ofAdmin.getRegionInfo, { region })).message
  expect(Buffer.from(regionInfo!.tableName!.qualifier).toString()).toBe('t')
  await expect(oneCall(master.port, ofAdmin.flushRegion, { region })).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
  })
})
