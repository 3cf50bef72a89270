/** Quotas of an HBase whose hbase.quota.enabled is false, the default, and the limits of namespaces, which it looks at all the same. */

import { type RpcFields, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { createTable, drop, master, tableName } from './master-requests.ts'
import { bytes } from './thrift2-requests.ts'

const NS = 'conf_rpc_quota_ns'
const TABLE = `${NS}:t`
const SECOND = `${NS}:u`
const THROTTLE = { type: 1, timedQuota: { timeUnit: 4, softLimit: 10n } }

const CHANGES: readonly (readonly [string, RpcFields])[] = [
  ['nothing', {}],
  ['a table', { tableName: tableName(TABLE), throttle: THROTTLE }],
  ['a namespace', { namespace: NS, throttle: THROTTLE }],
  ['a user', { userName: 'u', throttle: THROTTLE }],
  ['a region server', { regionServer: 'all', throttle: THROTTLE }],
  ['space', { namespace: NS, spaceLimit: { quota: { softLimit: 5n, violationPolicy: 3 } } }],
  ['too little', { userName: 'u', throttle: { type: 1, timedQuota: { timeUnit: 4, softLimit: 0n } } }],
  ['a removal', { userName: 'u', removeAll: true }],
]

function disabled(): Listed[] {
  return [
    ...CHANGES.map(([label, message]) => named(`set ${label}`, master('SetQuota', message))),
    named('sizes', master('GetSpaceQuotaRegionSizes')),
    named('states', master('GetQuotaStates')),
    named('snapshots of a server', rpc('AdminService', 'GetSpaceQuotaSnapshots', {})),
    named('throttle', [
      master('SwitchRpcThrottle', { rpcThrottleEnabled: true }),
      master('IsRpcThrottleEnabled'),
      master('SwitchRpcThrottle', { rpcThrottleEnabled: false }),
    ]),
    named('exceeding', [
      master('SwitchExceedThrottleQuota', { exceedThrottleQuotaEnabled: true }),
      master('SwitchExceedThrottleQuota', { exceedThrottleQuotaEnabled: true }),
    ]),
  ]
}

function limits(of: Readonly<Record<string, string>>): RpcFields {
  const configuration = Object.entries(of).map(([name, value]) => ({
    name: `hbase.namespace.quota.${name}`,
    value,
  }))
  return { namespaceDescriptor: { name: bytes(NS), configuration } }
}

const ODD: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['tables 0', { maxtables: '0' }],
  ['tables -1', { maxtables: '-1' }],
  ['tables x', { maxtables: 'x' }],
  ['regions 0', { maxregions: '0' }],
  ['regions 1.5', { maxregions: '1.5' }],
  ['regions too many', { maxregions: '9223372036854775808' }],
  ['both odd', { maxtables: 'x', maxregions: 'y' }],
  ['both 0', { maxtables: '0', maxregions: '0' }],
]

function namespaces(): Listed[] {
  const gone = master('DeleteNamespace', { namespaceName: NS })
  return [
    ...ODD.map(([label, of]) => named(`create with ${label}`, [master('CreateNamespace', limits(of)), gone])),
    named('modified', [
      master('CreateNamespace', limits({ maxtables: '+1', maxregions: '' })),
      ...ODD.map(([, of]) => master('ModifyNamespace', limits(of))),
      master('GetNamespaceDescriptor', { namespaceName: NS }),
      gone,
    ]),
    named('passed', [
      master('CreateNamespace', limits({ maxtables: '1', maxregions: '1' })),
      createTable(TABLE, undefined, ['m']),
      createTable(SECOND),
      ...drop(TABLE),
      ...drop(SECOND),
      gone,
    ]),
  ]
}

export const rpcQuotas: Scenario = {
  name: 'rpc-quotas',
  tables: [TABLE, SECOND],
  namespaces: [NS],
  setup: [],
  cases: [...listed('rpc-quotas-off', disabled()), ...listed('rpc-quotas-namespaces', namespaces())],
}
