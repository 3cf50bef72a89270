/** Replication peers of a server that has none, beyond the answers that the conformance suite has recorded. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

const { method } = MasterService

let server: MasterClient

beforeEach(async () => {
  server = await startMasterClient()
})

afterEach(() => server.close())

test('peers are not modified while their switch is off', async () => {
  expect(await server.ask(method.replicationPeerModificationSwitch, { on: false })).toMatchObject({
    previousValue: true,
  })
  expect((await server.ask(method.isReplicationPeerModificationEnabled, {})).enabled).toBe(false)
  const refused = {
    javaClass: 'java.io.IOException',
    message: expect.stringContaining('modification disabled'),
  }
  const none = { peerId: 'none' }
  await expect(server.ask(method.enableReplicationPeer, none)).rejects.toMatchObject(refused)
  await expect(server.ask(method.disableReplicationPeer, none)).rejects.toMatchObject(refused)
  await expect(server.ask(method.removeReplicationPeer, none)).rejects.toMatchObject(refused)
  const peerState = { state: 1 as const }
  const added = { peerId: 'p', peerConfig: { clusterkey: 'other:2181:/hbase' }, peerState }
  await expect(server.ask(method.addReplicationPeer, added)).rejects.toMatchObject(refused)
  expect((await server.ask(method.replicationPeerModificationSwitch, { on: true })).previousValue).toBe(false)
  const { procId } = await server.ask(method.enableReplicationPeer, { peerId: 'none' })
  const { exception } = await server.ask(method.getProcedureResult, { procId })
  expect(exception?.genericException?.className).toMatch(/ReplicationPeerNotFoundException$/)
})

test('no change of peers goes on, and a peer that is not there is neither enabled nor disabled', async () => {
  expect((await server.ask(method.getReplicationPeerModificationProcedures, {})).procedure).toEqual([])
  await expect(server.ask(method.isReplicationPeerEnabled, { peerId: 'p' })).rejects.toMatchObject({
    javaClass: 'java.io.IOException',
    doNotRetry: false,
    message: expect.stringContaining('Replication Peer of p does not exist.'),
  })
})
