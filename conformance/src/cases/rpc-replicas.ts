/**
 * Tables whose regions have a second copy for reads. The rows are in files before the copies open: where nothing is replicated, as
 * by default, HBase's copies have what was in files then.
 */

import { type Request, type RpcFields, type RpcRequest, rest, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { createTable, ofTable } from './master-requests.ts'
import { alter, F, readOf, replicaChanges, SPARE, TABLE } from './rpc-replica-changes.ts'
import {
  binaryComparator,
  type ColumnChange,
  CompareType,
  columns,
  get,
  MutationType,
  multi,
  mutate,
  mutation,
  region,
  regionAction,
  replica,
} from './rpc-requests.ts'
import { close, MODERN, next, call as scanCall } from './rpc-scan-calls.ts'
import { caller } from './thrift-caller.ts'
import { bytes } from './thrift2-requests.ts'

const CHANGE: readonly ColumnChange[] = [['f:a', 'v', 5n]]

const setup = [
  createTable(TABLE, F, ['m']),
  ...['a', 'b', 'c', 'n'].map((row) => mutate(TABLE, mutation(row, MutationType.put, [['f:a', row, 5n]]))),
  ofTable('FlushTable', TABLE),
  ofTable('DisableTable', TABLE),
  alter(TABLE, '2'),
  ofTable('EnableTable', TABLE),
]

function getOf(at: RpcFields, row: string, options: RpcFields = {}, withoutCodec = false): RpcRequest {
  return rpc('ClientService', 'Get', readOf(at, row, options), { withoutCodec })
}

function getAction(row: string, options: RpcFields = {}): RpcFields {
  return { get: { row: bytes(row), ...options } }
}

function admin(method: string, asked: RpcFields): RpcRequest {
  return rpc('AdminService', method, asked)
}

function reads(): Listed[] {
  const first = replica(TABLE)
  const gets = [getAction('a'), getAction('aa'), getAction('b', { existenceOnly: true })]
  const ofReplica = { ...regionAction(TABLE, gets), region: first }
  const ofFirst = regionAction(TABLE, gets)
  return [
    named('get', getOf(first, 'a')),
    named('get without a codec', getOf(first, 'a', {}, true)),
    named('get of the first', getOf(region(TABLE), 'a')),
    named('get of no row', getOf(first, 'aa')),
    named('get of no row without a codec', getOf(first, 'aa', {}, true)),
    named('existence', getOf(first, 'a', { existenceOnly: true })),
    named('existence of no row', getOf(first, 'aa', { existenceOnly: true })),
    named('get of a row of another region', getOf(first, 'n')),
    named('get of the second region', getOf(replica(TABLE, 'n'), 'n')),
    named('get of a third replica', getOf(replica(TABLE, '', 2), 'a')),
    named('get of no family', getOf(first, 'a', { column: columns('aa') })),
    named('timeline', getOf(first, 'a', { consistency: 1 })),
    named('multi', multi([ofReplica])),
    named('multi of both', multi([ofFirst, ofReplica])),
    named(
      'multi without a codec',
      rpc('ClientService', 'Multi', { regionAction: [ofReplica] }, { withoutCodec: true }),
    ),
    named('scan', scanCall({ region: first, scan: {}, numberOfRows: 10, closeScanner: true, ...MODERN })),
    named(
      'scan without a codec',
      scanCall({ region: first, scan: {}, numberOfRows: 10, closeScanner: true, ...MODERN }, true),
    ),
    named('scan of several calls', [
      scanCall({ region: first, scan: {}, numberOfRows: 0, ...MODERN }),
      next(2, MODERN),
      next(2, MODERN),
      close,
    ]),
    named(
      'scan reversed',
      scanCall({
        region: first,
        scan: { reversed: true, startRow: bytes('b') },
        numberOfRows: 10,
        closeScanner: true,
        ...MODERN,
      }),
    ),
    named('scan of a third replica', scanCall({ region: replica(TABLE, '', 2), scan: {}, numberOfRows: 10 })),
  ]
}

function writes(): Listed[] {
  const first = replica(TABLE)
  const kinds = Object.entries(MutationType)
  const condition = {
    row: bytes('a'),
    family: bytes('f'),
    qualifier: bytes('a'),
    compareType: CompareType.equal,
    comparator: binaryComparator('a'),
  }
  const changed = (kind: number): RpcFields =>
    mutation('a', kind, kind === MutationType.delete ? [['f:a', undefined, 5n, 0]] : CHANGE)
  const actions = [{ mutation: changed(MutationType.put) }, { mutation: changed(MutationType.delete) }]
  const put = changed(MutationType.put)
  return [
    ...kinds.map(([word, kind]) =>
      named(word, rpc('ClientService', 'Mutate', { region: first, mutation: changed(kind) })),
    ),
    named('check', rpc('ClientService', 'Mutate', { region: first, mutation: put, condition })),
    named('multi', multi([{ ...regionAction(TABLE, actions), region: first }])),
    named(
      'multi with a get',
      multi([{ ...regionAction(TABLE, [{ get: { row: bytes('a') } }, ...actions]), region: first }]),
    ),
    named(
      'multi of increments',
      multi([{ ...regionAction(TABLE, [{ mutation: changed(MutationType.increment) }]), region: first }]),
    ),
    named('atomic', multi([{ ...regionAction(TABLE, actions, { atomic: true }), region: first }])),
    named(
      'atomic under a condition',
      multi([{ ...regionAction(TABLE, actions, { atomic: true, condition }), region: first }]),
    ),
    named(
      'no family',
      rpc('ClientService', 'Mutate', {
        region: first,
        mutation: mutation('a', MutationType.put, [['none:a', 'v', 5n]]),
      }),
    ),
    named(
      'a row of another region',
      rpc('ClientService', 'Mutate', { region: first, mutation: mutation('n', MutationType.put, CHANGE) }),
    ),
    named(
      'of a third replica',
      rpc('ClientService', 'Mutate', { region: replica(TABLE, '', 2), mutation: put }),
    ),
    named('nothing is changed', get(TABLE, 'a')),
  ]
}

function upkeep(): Listed[] {
  const ats = [
    ['by its name', replica(TABLE)],
    ['of the second region', replica(TABLE, 'n')],
    ['of a third replica', replica(TABLE, '', 2)],
  ] as const
  return [
    ...ats.flatMap(([word, at]) => [
      named(`info ${word}`, admin('GetRegionInfo', { region: at })),
      named(`compaction state ${word}`, admin('GetRegionInfo', { region: at, compactionState: true })),
    ]),
    ...ats
      .slice(0, 3)
      .flatMap(([word, at]) => [
        named(`flush ${word}`, admin('FlushRegion', { region: at })),
        named(`files ${word}`, admin('GetStoreFile', { region: at })),
      ]),
    named('flush of no family', admin('FlushRegion', { region: replica(TABLE), family: bytes('aa') })),
    named('compact', admin('CompactRegion', { region: replica(TABLE), major: true })),
    named('compact no family', admin('CompactRegion', { region: replica(TABLE), family: bytes('aa') })),
    named('block cache', admin('ClearRegionBlockCache', { region: [replica(TABLE)] })),
    named('alter status', ofTable('GetSchemaAlterStatus', TABLE)),
  ]
}

const DOORS: readonly Request[] = [
  rest('GET', `/${TABLE}/regions`, { accept: 'application/json' }),
  rest('GET', `/${TABLE}/regions`, { accept: 'text/xml' }),
  caller('thrift1')('getTableRegions', TABLE),
  caller('thrift1')('getRegionInfo', `${TABLE},a,99999999999999`),
  caller('thrift2')('getAllRegionLocations', TABLE),
  caller('thrift2')('getRegionLocation', TABLE, 'n', true),
  caller('thrift2')('get', TABLE, { row: 'a', targetReplicaId: 1 }),
  caller('thrift2')('get', TABLE, { row: 'a', consistency: 2 }),
  caller('thrift2')('getScannerResults', TABLE, { targetReplicaId: 1 }, 10),
  caller('thrift2')('getScannerResults', TABLE, { consistency: 2 }, 10),
]

export const rpcReplicas: Scenario = {
  name: 'rpc-replicas',
  tables: [TABLE, SPARE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-replicas-read', reads()),
    ...listed('rpc-replicas-write', writes()),
    ...listed('rpc-replicas-upkeep', upkeep()),
    ...listed('rpc-replicas-change', replicaChanges()),
    ...listed('rpc-replicas-door', DOORS),
  ],
}
