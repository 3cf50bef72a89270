/** MasterService: tables, families, namespaces and switches, with the refusals. */

import { type RpcFields, type RpcRequest, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { createTable, describe, drop, familySchema, master, ofTable, tableName } from './master-requests.ts'
import { NONE, regionChanges, SPARE, STAYS, tableChanges } from './rpc-master-changes.ts'
import { bytes } from './thrift2-requests.ts'

const NS = 'conf_rpc_ns'
const OFF = 'conf_rpc_master_off'

const setup = [
  createTable(STAYS, [familySchema('f', { VERSIONS: '3' }), familySchema('g')], ['m']),
  createTable(OFF),
  ofTable('DisableTable', OFF),
]

const EVERYWHERE = [STAYS, OFF, NONE, 'hbase:meta', 'nons:t'] as const

function asked(): Listed[] {
  const ofEach = ['GetTableState', 'GetSchemaAlterStatus'].flatMap((method) =>
    EVERYWHERE.map((name) => named(`${method} ${name}`, ofTable(method, name))),
  )
  const names: [string, RpcFields][] = [
    ['of a pattern', { regex: 'conf_rpc_master.*' }],
    ['of a pattern without rows', { regex: 'conf_rpc_no.*' }],
    ['of a pattern in a namespace', { regex: '.*', namespace: 'hbase' }],
    ['of the system', { regex: 'hbase:.*', includeSysTables: true }],
    ['of a bad pattern', { regex: '(' }],
    ['of a namespace that is not there', { namespace: 'nons' }],
  ]
  return [
    named('is running', master('IsMasterRunning')),
    named('maintenance', master('IsMasterInMaintenanceMode')),
    ...ofEach,
    ...names.map(([label, message]) => named(`names ${label}`, master('GetTableNames', message))),
    ...names.map(([label, message]) => named(`descriptors ${label}`, master('GetTableDescriptors', message))),
    named('descriptors of names', describe(STAYS, NONE, OFF)),
    named('descriptor of hbase:meta', describe('hbase:meta')),
    ...['ListTableDescriptorsByNamespace', 'ListTableNamesByNamespace', 'GetNamespaceDescriptor'].map(
      (method) => named(`${method} nons`, master(method, { namespaceName: 'nons' })),
    ),
    named('GetNamespaceDescriptor of nothing', master('GetNamespaceDescriptor', { namespaceName: '' })),
    ...['getLastMajorCompactionTimestamp', 'FlushTable'].flatMap((method) =>
      [STAYS, NONE].map((name) => named(`${method} ${name}`, ofTable(method, name))),
    ),
    named('FlushTable of a family', ofTable('FlushTable', STAYS, { columnFamily: [bytes('g')] })),
    named('FlushTable of no family', ofTable('FlushTable', STAYS, { columnFamily: [bytes('none')] })),
    named('FlushTable of a disabled table', ofTable('FlushTable', OFF)),
    named('a procedure that is not known', master('getProcedureResult', { procId: 987_654_321n })),
    named('abort of one', master('AbortProcedure', { procId: 987_654_321n })),
    named('security', master('getSecurityCapabilities')),
    named('decommissioned', master('ListDecommissionedRegionServers')),
    named('dead servers', master('ClearDeadServers')),
    named('quotas', master('GetQuotaStates')),
    named('throttle', master('IsRpcThrottleEnabled')),
    named('peers', master('ListReplicationPeers')),
    named('no peer', master('GetReplicationPeerConfig', { peerId: 'none' })),
    named('whether no peer is enabled', master('IsReplicationPeerEnabled', { peerId: 'none' })),
    named('whether a peer without a name is enabled', master('IsReplicationPeerEnabled', { peerId: '' })),
    named('whether peers may be modified', master('IsReplicationPeerModificationEnabled')),
    named('modification of peers on', master('ReplicationPeerModificationSwitch', { on: true })),
    named('modifications of peers', master('GetReplicationPeerModificationProcedures')),
    named('grants', master('GetUserPermissions', { type: 3 })),
    named('catalog scan', master('RunCatalogScan')),
    named('normalize', master('Normalize')),
    named('master store', master('FlushMasterStore')),
  ]
}

const FAMILIES: readonly (readonly [string, readonly RpcFields[]])[] = [
  ['no family', []],
  ['an empty name', [familySchema('')]],
  ['a colon', [familySchema('f:')]],
  ['a dot', [familySchema('.f')]],
  ['a slash', [familySchema('a/b')]],
  ['a name twice', [familySchema('f'), familySchema('f')]],
  ['VERSIONS 0', [familySchema('f', { VERSIONS: '0' })]],
  ['VERSIONS below MIN_VERSIONS', [familySchema('f', { VERSIONS: '1', MIN_VERSIONS: '2' })]],
  ['MIN_VERSIONS negative', [familySchema('f', { MIN_VERSIONS: '-1' })]],
  ['TTL 0', [familySchema('f', { TTL: '0' })]],
  ['TTL no number', [familySchema('f', { TTL: 'long' })]],
  ['BLOCKSIZE small', [familySchema('f', { BLOCKSIZE: '10' })]],
  ['BLOCKSIZE great', [familySchema('f', { BLOCKSIZE: '17000000' })]],
  ['COMPRESSION none of these', [familySchema('f', { COMPRESSION: 'NONESUCH' })]],
  ['BLOOMFILTER none of these', [familySchema('f', { BLOOMFILTER: 'NONESUCH' })]],
  ['scope negative', [familySchema('f', { REPLICATION_SCOPE: '-1' })]],
]

function refusedTables(): Listed[] {
  return [
    ...FAMILIES.map(([label, families]) =>
      named(`create with ${label}`, [createTable(SPARE, families), ...drop(SPARE)]),
    ),
    ...[STAYS, 'nons:t', 'x y', '', '.dot', 'hbase:meta'].map((name) =>
      named(`create ${name || 'nothing'}`, createTable(name)),
    ),
    ...[
      ['MAX_FILESIZE', '10'],
      ['MEMSTORE_FLUSHSIZE', '10'],
      ['SPLIT_POLICY', 'none.Such'],
      ['OWN', 'kept'],
    ].map(([name, value]) =>
      named(`create with ${name}`, [
        createTable(SPARE, undefined, [], { [name!]: value! }),
        describe(SPARE),
        ...drop(SPARE),
      ]),
    ),
    ...['EnableTable', 'DisableTable', 'DeleteTable'].flatMap((method) =>
      [STAYS, OFF, NONE, 'hbase:meta']
        .filter((name) => method !== 'EnableTable' || name !== OFF)
        .filter((name) => method === 'EnableTable' || name !== STAYS || method === 'DeleteTable')
        .filter((name) => method !== 'DeleteTable' || name !== OFF)
        .map((name) => named(`${method} ${name}`, ofTable(method, name))),
    ),
    ...[STAYS, NONE].map((name) =>
      named(`truncate ${name}`, master('truncateTable', { tableName: tableName(name) })),
    ),
  ]
}

function described(name: string, configuration: Readonly<Record<string, string>> = {}): RpcFields {
  return {
    namespaceDescriptor: {
      name: bytes(name),
      configuration: Object.entries(configuration).map(([key, value]) => ({ name: key, value })),
    },
  }
}

function namespaces(): Listed[] {
  const inside = `${NS}:t`
  const gone = master('DeleteNamespace', { namespaceName: NS })
  const description = master('GetNamespaceDescriptor', { namespaceName: NS })
  return [
    named('a namespace', [
      master('CreateNamespace', described(NS, { a: '1', b: '2' })),
      master('CreateNamespace', described(NS)),
      description,
      master('ModifyNamespace', described(NS, { b: '3' })),
      description,
      createTable(inside),
      master('ListTableNamesByNamespace', { namespaceName: NS }),
      master('ListTableDescriptorsByNamespace', { namespaceName: NS }),
      master('GetTableNames', { namespace: NS }),
      gone,
      ...drop(inside),
      gone,
      description,
      gone,
    ]),
    ...['', 'x y', 'a:b', 'hbase', 'default', '.dot'].map((name) =>
      named(labelOf({ namespace: name }), master('CreateNamespace', described(name))),
    ),
    ...['hbase', 'default', 'nons'].map((namespaceName) =>
      named(`delete namespace ${namespaceName}`, master('DeleteNamespace', { namespaceName })),
    ),
    named('change of no namespace', master('ModifyNamespace', described('nons', { a: '1' }))),
  ]
}

function both(set: string, field: string, is: string): Listed {
  return named(set, [
    master(set, { [field]: false }),
    master(is),
    master(set, { [field]: true }),
    master(is),
    master(set, { [field]: true }),
  ])
}

function splits(enabled: boolean, switchTypes: readonly number[]): RpcRequest {
  return master('SetSplitOrMergeEnabled', { enabled, switchTypes })
}

function switches(): Listed[] {
  return [
    both('SetBalancerRunning', 'on', 'IsBalancerEnabled'),
    both('SetNormalizerRunning', 'on', 'IsNormalizerEnabled'),
    both('EnableCatalogJanitor', 'enable', 'IsCatalogJanitorEnabled'),
    both('SetCleanerChoreRunning', 'on', 'IsCleanerChoreEnabled'),
    named('SwitchSnapshotCleanup', [
      master('SwitchSnapshotCleanup', { enabled: false }),
      master('IsSnapshotCleanupEnabled'),
      master('SwitchSnapshotCleanup', { enabled: true }),
    ]),
    named('SetSplitOrMergeEnabled', [
      splits(false, [0]),
      master('IsSplitOrMergeEnabled', { switchType: 0 }),
      master('IsSplitOrMergeEnabled', { switchType: 1 }),
      splits(true, [0, 1]),
      splits(true, []),
    ]),
  ]
}

export const rpcMaster: Scenario = {
  name: 'rpc-master',
  tables: [STAYS, SPARE, OFF, `${NS}:t`],
  namespaces: [NS],
  setup,
  cases: [
    ...listed('rpc-master-asks', asked()),
    ...listed('rpc-master-refuses', refusedTables()),
    ...listed('rpc-master-tables', tableChanges()),
    ...listed('rpc-master-namespaces', namespaces()),
    ...listed('rpc-master-switches', switches()),
    ...listed('rpc-master-regions', regionChanges()),
  ],
}
