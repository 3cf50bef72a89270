/** Scanners of native RPC whose region goes: their clients get an error once, and open new scanners. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { oneCall } from './one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const { method } = ClientService
let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer({})
  const batch = new MutationBatch()
  for (const row of ['a0', 'a1', 'a2'])
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from('q'), Buffer.from('v'), 1n).endMutation()
  await server.store.rows.mutate(TABLE, batch, OWN_CALL)
})
afterEach(() => server.close())

const goings: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['is split', () => server.store.upkeep.regions!.splitTable(TABLE, Buffer.from('a1'), OWN_CALL)],
  ['is of a disabled table', () => server.store.catalog.disableTable(TABLE, OWN_CALL)],
]

test.each(goings)('a scanner whose region %s is not served once, and unknown then', async (_, go) => {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const scanned = { region: { type: 1 as const, value: region!.name }, scan: {}, numberOfRows: 1 }
  const { scannerId } = (await oneCall(server.door.port, method.scan, scanned)).message
  await go()
  const next = (): Promise<unknown> => oneCall(server.door.port, method.scan, { scannerId, numberOfRows: 1 })
  await expect(next()).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
  })
  await expect(next()).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.UnknownScannerException',
  })
})
