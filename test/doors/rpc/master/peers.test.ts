/** Replication peers: of a cluster, and of a server without any, beyond the recorded answers of the conformance suite. */

import { create, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { PeerChange } from '../../../../src/store/replication-peers.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { ProcedureSchema, ProcedureState } from '../../../../src/wire/rpc/gen/procedure_pb.ts'
import {
  ReplicationPeerSchema,
  ReplicationState_State,
  ReplicationStateSchema,
} from '../../../../src/wire/rpc/gen/replication_pb.ts'
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

test('peers of a cluster are added, changed and removed by it, in procedures that end with its refusals', async () => {
  const memory = openMemoryStore({ clock: Date })
  const asked: [string, PeerChange][] = []
  const procedure = create(ProcedureSchema, {
    className: 'AddPeerProcedure',
    procId: 3n,
    submittedTime: 1n,
    lastUpdate: 2n,
    state: ProcedureState.RUNNABLE,
  })
  const peers = {
    changePeer: async (peerId: string, change: PeerChange) => {
      asked.push([peerId, change])
      if (change.kind === 'REMOVE') throw new HBaseError('DO_NOT_RETRY', 'it has no such peer')
    },
    peerChanges: async () => [Buffer.from(toBinary(ProcedureSchema, procedure))],
    listPeers: async () => [],
  }
  const own = withFacets(memory, { upkeep: { ...memory.upkeep, peers } })
  const cluster = await startMasterClient(own)
  try {
    const failureOf = async ({ procId }: { procId: bigint }): Promise<string | undefined> => {
      const { exception } = await cluster.ask(method.getProcedureResult, { procId })
      return exception?.genericException?.message
    }
    const peerConfig = create(ReplicationPeerSchema, { clusterkey: 'zk:2181:/other' })
    const config = Buffer.from(toBinary(ReplicationPeerSchema, peerConfig))
    const peerState = create(ReplicationStateSchema, { state: ReplicationState_State.DISABLED })
    const added = { peerId: 'p', peerConfig, peerState }
    expect(await failureOf(await cluster.ask(method.addReplicationPeer, added))).toBeUndefined()
    await cluster.ask(method.updateReplicationPeerConfig, { peerId: 'p', peerConfig })
    await cluster.ask(method.enableReplicationPeer, { peerId: 'p' })
    await cluster.ask(method.disableReplicationPeer, { peerId: 'p' })
    const removed = await cluster.ask(method.removeReplicationPeer, { peerId: 'q' })
    expect(await failureOf(removed)).toContain('no such peer')
    expect(asked).toEqual([
      ['p', { kind: 'ADD', config, isEnabled: false }],
      ['p', { kind: 'UPDATE_CONFIG', config }],
      ['p', { kind: 'ENABLE' }],
      ['p', { kind: 'DISABLE' }],
      ['q', { kind: 'REMOVE' }],
    ])
    expect((await cluster.ask(method.getReplicationPeerModificationProcedures, {})).procedure).toEqual([
      procedure,
    ])
  } finally {
    await cluster.close()
  }
})
