/** Locations of hbase:meta, which clients learn from a registry. */

import { expect, test } from 'vitest'
import { connect } from '../../../adapters/hbase/rpc/rpc-connection.ts'
import type { Store } from '../../../src/store/store.ts'
import { ClientMetaService } from '../../../src/wire/rpc/gen/registry_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { copiedMeta } from '../copied-meta.ts'
import { startRpcServer } from './rpc-server.ts'

const LOCATIONS = rpcMethod(ClientMetaService.method.getMetaRegionLocations)

async function metaLocations(own?: Store): Promise<{ replica: number; host: string }[]> {
  const server = await startRpcServer(own === undefined ? {} : { own })
  try {
    const { port } = server.door
    const registry = await connect({ host: '127.0.0.1', port, service: 'ClientMetaService', user: 'u' })
    const { message } = await registry.call(LOCATIONS, {})
    registry.close()
    return message.metaLocations.map(({ regionInfo, serverName }) => ({
      replica: regionInfo!.replicaId,
      host: serverName!.hostName,
    }))
  } finally {
    await server.close()
  }
}

test('a store of our own has one location of hbase:meta', async () => {
  expect(await metaLocations()).toEqual([{ replica: 0, host: '127.0.0.1' }])
})

test('a cluster’s copies of hbase:meta are located at this server, as its other regions are', async () => {
  expect(await metaLocations(copiedMeta(() => [1, 2]))).toEqual(
    [0, 1, 2].map((replica) => ({ replica, host: '127.0.0.1' })),
  )
})

test('a cluster that does not answer leaves the location of the region itself', async () => {
  const silent = copiedMeta(() => {
    throw new Error('no cluster')
  })
  expect(await metaLocations(silent)).toEqual([{ replica: 0, host: '127.0.0.1' }])
})
