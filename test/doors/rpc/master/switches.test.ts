/** Switches, chores, servers, and the features that HBase has switched off. */

import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { HbckService } from '../../../../src/wire/rpc/gen/hbck_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { ReplicationState_State } from '../../../../src/wire/rpc/gen/replication_pb.ts'
import { rpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { TABLE } from '../rpc-server.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

const { method } = MasterService

let server: MasterClient

beforeAll(async () => {
  server = await startMasterClient()
})

afterAll(() => server.close())

test('switches keep their positions', async () => {
  expect(await server.ask(method.isBalancerEnabled, {})).toMatchObject({ enabled: true })
  expect(await server.ask(method.setBalancerRunning, { on: false })).toMatchObject({ prevBalanceValue: true })
  expect(await server.ask(method.isBalancerEnabled, {})).toMatchObject({ enabled: false })
  expect(await server.ask(method.balance, {})).toMatchObject({ balancerRan: false })
  const { clusterStatus } = await server.ask(method.getClusterStatus, {})
  expect(clusterStatus?.balancerOn).toBe(false)
  expect(await server.ask(method.setNormalizerRunning, { on: false })).toMatchObject({
    prevNormalizerValue: true,
  })
  expect(await server.ask(method.normalize, {})).toMatchObject({ normalizerRan: false })
  expect(await server.ask(method.enableCatalogJanitor, { enable: false })).toMatchObject({ prevValue: true })
  expect(await server.ask(method.isCatalogJanitorEnabled, {})).toMatchObject({ value: false })
  expect(await server.ask(method.setCleanerChoreRunning, { on: false })).toMatchObject({ prevValue: true })
  expect(await server.ask(method.isCleanerChoreEnabled, {})).toMatchObject({ value: false })
  expect(await server.ask(method.switchSnapshotCleanup, { enabled: false })).toMatchObject({
    prevSnapshotCleanup: true,
  })
  expect(await server.ask(method.isSnapshotCleanupEnabled, {})).toMatchObject({ enabled: false })
})

test('decommissioned servers are listed until they are taken back', async () => {
  const name = { hostName: 'h', port: 1, startCode: 2n }
  await server.ask(method.decommissionRegionServers, { serverName: [name], offload: false })
  const listed = await server.ask(method.listDecommissionedRegionServers, {})
  expect(listed.serverName).toMatchObject([name])
  await server.ask(method.recommissionRegionServer, { serverName: name })
  expect((await server.ask(method.listDecommissionedRegionServers, {})).serverName).toEqual([])
})

test.each<readonly [DescMethodUnary, MessageInitShape<DescMessage>, string]>([
  [method.setQuota, {}, 'java.lang.UnsupportedOperationException: quota support disabled'],
  [method.getUserPermissions, {}, 'AccessController is not loaded'],
  [method.getReplicationPeerConfig, { peerId: '1' }, '1'],
  [
    method.execMasterService,
    {
      region: { type: 1, value: Buffer.from('r') },
      call: { row: Buffer.alloc(0), serviceName: 'S', methodName: 'm', request: Buffer.alloc(0) },
    },
    'No registered Master Coprocessor Endpoint found for S. Has it been enabled?',
  ],
])('%s: HBase without the feature refuses it', async (asked, request, message) => {
  await expect(server.ask(asked, request)).rejects.toThrow(message)
})

test('a message without a required field, and one that names nothing, are refused', async () => {
  const { port } = server.door
  const master = await connect({ host: '127.0.0.1', port, service: 'MasterService', user: 'me' })
  try {
    const empty = { ...rpcMethod(method.createTable), encode: () => undefined }
    await expect(master.call(empty, {})).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException',
      message: expect.stringContaining('table_schema') as string,
    })
  } finally {
    master.close()
  }
  await expect(server.ask(method.isSnapshotDone, {})).rejects.toThrow('No snapshot name passed in request')
  await expect(server.ask(method.isProcedureDone, {})).rejects.toThrow('The procedure is not registered')
})

test('there are no locks, quotas and peers', async () => {
  expect((await server.ask(method.getLocks, {})).lock).toEqual([])
  expect((await server.ask(method.getQuotaStates, {})).tableSnapshots).toEqual([])
  expect((await server.ask(method.listReplicationPeers, {})).peerDesc).toEqual([])
})

test('a peer is refused with a reason', async () => {
  const peerConfig = { clusterkey: '127.0.0.1:2181:/hbase' }
  const peer = { peerId: '1', peerConfig, peerState: { state: ReplicationState_State.ENABLED } }
  await expect(server.ask(method.addReplicationPeer, peer)).rejects.toThrow(
    'Tidegate does not replicate: a peer would never receive what is written here',
  )
  expect((await server.ask(method.listReplicationPeers, {})).peerDesc).toEqual([])
})

test('a client that asks for decisions of the balancer gets none, in a message of its class', async () => {
  const prefix = 'org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos$'
  const request = { logClassName: `${prefix}BalancerDecisionsRequest`, logMessage: Buffer.alloc(0) }
  expect((await server.ask(method.getLogEntries, request)).logClassName).toBe(
    `${prefix}BalancerDecisionsResponse`,
  )
  await expect(
    server.ask(method.getLogEntries, { ...request, logClassName: 'java.lang.Object' }),
  ).rejects.toThrow('Invalid request params')
})

test('repairs find nothing to do', async () => {
  const { port } = server.door
  const hbck = await connect({ host: '127.0.0.1', port, service: 'HbckService', user: 'me' })
  try {
    const ask = async <I extends DescMessage, O extends DescMessage>(
      of: DescMethodUnary<I, O>,
      request: MessageInitShape<I>,
    ) => (await hbck.call(rpcMethod(of), request)).message
    expect(await ask(HbckService.method.runHbckChore, {})).toMatchObject({ ran: true })
    const [first] = await server.store.catalog.regions(TABLE, OWN_CALL)
    const region = [
      { type: 1 as const, value: first!.name },
      { type: 2 as const, value: Buffer.from('0'.repeat(32)) },
    ]
    expect(await ask(HbckService.method.unassigns, { region })).toMatchObject({ pid: [1n] })
    expect((await ask(HbckService.method.unassigns, { region })).pid).toEqual([0xffff_ffff_ffff_ffffn])
    const states = { tableName: tableNameMessage(TABLE), tableState: { state: 1 as const } }
    expect(await ask(HbckService.method.setTableStateInMeta, states)).toMatchObject({
      tableState: { state: 0 },
    })
    expect(await server.store.catalog.tableState(TABLE, OWN_CALL)).toBe('DISABLED')
  } finally {
    hbck.close()
  }
})
