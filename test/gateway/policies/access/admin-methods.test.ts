/** Methods that reach no store: HBase asks for ADMIN of everything before them, or says otherwise below. */

import type { DescMessage, DescMethodUnary, MessageInitShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { AdminService } from '../../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { HbckService } from '../../../../src/wire/rpc/gen/hbck_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { oneCall } from '../../../doors/rpc/one-call.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { type AuthorizedServer, callOf, startAuthorizedServer } from './authorized-server.ts'

const TABLE = parseTableName('t')
const SERVER_NAME = { hostName: 'h', port: 1, startCode: 1n }
const [ADMIN, READER, CREATOR, STRANGER] = ['admin', 'reader', 'creator', 'stranger']
const DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'

let server: AuthorizedServer
let region: Buffer
beforeAll(async () => {
  server = await startAuthorizedServer()
  const { catalog, upkeep } = server.store
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  region = (await catalog.regions(TABLE, OWN_CALL))[0]!.name
  const call = callOf(SUPERUSER)
  const grant = (
    user: string,
    permission: Parameters<NonNullable<typeof upkeep.permissions>['grant']>[0]['permission'],
  ) => upkeep.permissions!.grant({ user, permission }, false, call)
  await grant(ADMIN, { scope: { kind: 'global' }, actions: ['ADMIN'] })
  await grant(READER, { scope: { kind: 'global' }, actions: ['READ', 'WRITE', 'CREATE'] })
  const family = { kind: 'table', table: TABLE, family: Buffer.from('f') } as const
  await grant(CREATOR, { scope: family, actions: ['CREATE'] })
})
afterAll(() => server.close())

type Asked = readonly [method: DescMethodUnary, message: object]

const { method: admin } = AdminService
const { method: master } = MasterService
const { method: hbck } = HbckService
const PEER = { peerId: 'p', peerConfig: { clusterkey: 'k' } }
const SERVICE_CALL = {
  row: Buffer.alloc(0),
  serviceName: 's',
  methodName: 'm',
  request: Buffer.alloc(0),
}

const FOR_ADMINS: readonly Asked[] = [
  [admin.clearCompactionQueues, {}],
  [admin.clearRegionBlockCache, {}],
  [admin.clearSlowLogsResponses, {}],
  [admin.compactionSwitch, { enabled: true }],
  [admin.rollWALWriter, {}],
  [admin.updateConfiguration, {}],
  [master.addReplicationPeer, { ...PEER, peerState: { state: 1 } }],
  [master.balance, {}],
  [master.clearDeadServers, { serverName: [] }],
  [master.decommissionRegionServers, { serverName: [], offload: false }],
  [master.disableReplicationPeer, { peerId: 'p' }],
  [master.enableReplicationPeer, { peerId: 'p' }],
  [master.execMasterService, { region: { type: 1, value: Buffer.from('r') }, call: SERVICE_CALL }],
  [master.execProcedureWithRet, { procedure: { signature: 's' } }],
  [master.flushMasterStore, {}],
  [master.getReplicationPeerConfig, { peerId: 'p' }],
  [master.isRpcThrottleEnabled, {}],
  [master.listReplicationPeers, {}],
  [master.normalize, {}],
  [master.recommissionRegionServer, { serverName: SERVER_NAME }],
  [master.removeReplicationPeer, { peerId: 'p' }],
  [master.runCatalogScan, {}],
  [master.runCleanerChore, {}],
  [master.setBalancerRunning, { on: true }],
  [master.setNormalizerRunning, { on: true }],
  [master.switchExceedThrottleQuota, { exceedThrottleQuotaEnabled: false }],
  [master.switchRpcThrottle, { rpcThrottleEnabled: true }],
  [master.updateReplicationPeerConfig, PEER],
  [hbck.fixMeta, {}],
  [hbck.runHbckChore, {}],
  [hbck.setRegionStateInMeta, {}],
  [hbck.setTableStateInMeta, { tableName: tableNameMessage(TABLE), tableState: { state: 0 } }],
]

/** The class of the refusal, or `answered`. */
async function asked(user: string, method: DescMethodUnary, message: object): Promise<string> {
  try {
    await oneCall(server.port, method, message as MessageInitShape<DescMessage>, { user })
    return 'answered'
  } catch (error) {
    const { javaClass } = error as { readonly javaClass?: string }
    if (javaClass === undefined) throw error
    return javaClass
  }
}

describe.each(FOR_ADMINS.map(([method, message]) => ({ name: method.name, method, message })))(
  '$name',
  ({ method, message }) => {
    test.each([READER, CREATOR, STRANGER])('%s may not call it', async (user) => {
      expect(await asked(user, method, message)).toBe(DENIED)
    })

    test('who administers everything may', async () => {
      expect(await asked(ADMIN, method, message)).not.toBe(DENIED)
    })
  },
)

test('only users who may read everything see decommissioned servers', async () => {
  const { listDecommissionedRegionServers: list } = master
  expect(await asked(READER, list, {})).toBe('answered')
  for (const user of [CREATOR, STRANGER]) expect(await asked(user, list, {})).toBe(DENIED)
})

test('a bulk load is prepared for who may load something into the table, and tells others of no path', async () => {
  const specifier = { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: region }
  const { prepareBulkLoad, cleanupBulkLoad, bulkLoadHFile } = ClientService.method
  const prepare = { tableName: tableNameMessage(TABLE), region: specifier }
  const clean = { bulkToken: 'token', region: specifier }
  for (const user of [CREATOR, READER, SUPERUSER]) {
    expect(await asked(user, prepareBulkLoad, prepare)).toBe('answered')
    expect(await asked(user, cleanupBulkLoad, clean)).toBe('answered')
  }
  expect(await asked(STRANGER, prepareBulkLoad, prepare)).toBe(DENIED)
  expect(await asked(STRANGER, cleanupBulkLoad, clean)).toBe(DENIED)
  for (const path of ['/', '/none/of/these']) {
    const load = { region: specifier, familyPath: [{ family: Buffer.from('f'), path }] }
    expect(await asked(STRANGER, bulkLoadHFile, load)).toBe(DENIED)
  }
})
