import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterPeers } from '../../../../adapters/hbase/maintain/cluster-peers.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { PeerChange } from '../../../../src/store/replication-peers.ts'
import { ProcedureSchema, ProcedureState } from '../../../../src/wire/rpc/gen/procedure_pb.ts'
import {
  ReplicationPeerDescriptionSchema,
  ReplicationPeerSchema,
  ReplicationState_State,
} from '../../../../src/wire/rpc/gen/replication_pb.ts'
import { FakeServers } from './fake-servers.ts'

const PEER = create(ReplicationPeerSchema, { clusterkey: 'zk:2181:/other' })
const config = Buffer.from(toBinary(ReplicationPeerSchema, PEER))
const { ENABLED, DISABLED } = ReplicationState_State

const CHANGES: readonly (readonly [PeerChange, string, object])[] = [
  [
    { kind: 'ADD', config, isEnabled: true },
    'AddReplicationPeer',
    { peerConfig: PEER, peerState: { state: ENABLED } },
  ],
  [
    { kind: 'ADD', config, isEnabled: false },
    'AddReplicationPeer',
    { peerConfig: PEER, peerState: { state: DISABLED } },
  ],
  [{ kind: 'UPDATE_CONFIG', config }, 'UpdateReplicationPeerConfig', { peerConfig: PEER }],
  [{ kind: 'ENABLE' }, 'EnableReplicationPeer', {}],
  [{ kind: 'DISABLE' }, 'DisableReplicationPeer', {}],
  [{ kind: 'REMOVE' }, 'RemoveReplicationPeer', {}],
]

it.each(CHANGES)("has the cluster's master make the change %j", async (change, method, request) => {
  const fake = new FakeServers([])
  const peers = new ClusterPeers(new Master(fake.cluster, () => 0.5))
  fake.master.answers.push({ procId: 3n }, { state: 2 })
  await peers.changePeer('p', change, OWN_CALL)
  expect(fake.master.asked).toMatchObject([
    { method, request: { peerId: 'p', ...request } },
    { method: 'getProcedureResult', request: { procId: 3n } },
  ])
})

it('shows the changes in progress as the master does', async () => {
  const fake = new FakeServers([])
  const peers = new ClusterPeers(new Master(fake.cluster, () => 0.5))
  const state = ProcedureState.RUNNABLE
  const procedure = create(ProcedureSchema, {
    className: 'AddPeerProcedure',
    procId: 3n,
    submittedTime: 1n,
    lastUpdate: 2n,
    state,
  })
  fake.master.answers.push({ procedure: [procedure] })
  expect(await peers.peerChanges(OWN_CALL)).toEqual([Buffer.from(toBinary(ProcedureSchema, procedure))])
})

it("lists the peers as the cluster's master does", async () => {
  const fake = new FakeServers([])
  const listed = new ClusterPeers(new Master(fake.cluster, () => 0.5))
  const peers = ['1', 'other'].map((id) =>
    create(ReplicationPeerDescriptionSchema, {
      id,
      state: { state: 0 },
      config: { clusterkey: `zk:2181:/${id}` },
    }),
  )
  fake.master.answers.push({ peerDesc: peers })
  const found = await listed.listPeers(OWN_CALL)
  expect(found.map((peer) => fromBinary(ReplicationPeerDescriptionSchema, peer))).toEqual(peers)
})
