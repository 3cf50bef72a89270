/** Copies of regions that are closed, opened and moved by themselves, and regions whose copies stay open. */

import {
  RegionInfoOf,
  RegionOf,
  type RpcFields,
  type RpcRequest,
  rpc,
  type Scenario,
} from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { createTable, drop, master, ofTable, tableSchema } from './master-requests.ts'
import { F, metaScan, readOf } from './rpc-replica-changes.ts'
import {
  columns,
  encodedRegion,
  MutationType,
  multi,
  mutate,
  mutation,
  region,
  regionAction,
  replica,
} from './rpc-requests.ts'
import { MODERN, call as scanCall } from './rpc-scan-calls.ts'
import { caller } from './thrift-caller.ts'
import { bytes } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_moves'
const REGION_NAME = 1
const ENCODED_REGION_NAME = 2
const SIZES: Readonly<Record<string, string>> = { REGION_REPLICATION: '2' }

const made = createTable(TABLE, F, ['m'], SIZES)
const put = (row: string): RpcRequest => mutate(TABLE, mutation(row, MutationType.put, [['f:a', row, 5n]]))
/** The rows are in files before the copies open, which have nothing else. */
const filled = [
  made,
  put('a'),
  put('n'),
  ofTable('FlushTable', TABLE),
  ofTable('DisableTable', TABLE),
  ofTable('EnableTable', TABLE),
]
const gone = drop(TABLE)

function encoded(type = ENCODED_REGION_NAME, row = '', number = 1): RpcFields {
  return { type, value: new RegionOf(TABLE, bytes(row), { isEncoded: true, replica: number }) }
}

const copy = replica(TABLE)
const closed = master('UnassignRegion', { region: copy })
const opened = master('AssignRegion', { region: copy })

const getOf = (at: RpcFields, row = 'a'): RpcRequest => rpc('ClientService', 'Get', readOf(at, row))
const admin = (method: string, asked: RpcFields): RpcRequest => rpc('AdminService', method, asked)
const scanOf = (at: RpcFields): RpcRequest =>
  scanCall({ region: at, scan: {}, numberOfRows: 10, closeScanner: true, ...MODERN })

const meta = metaScan(TABLE, {
  column: columns('table:state', 'info:state', 'info:state_0001', 'info:state_0002'),
})

const alter = (replication: string): RpcRequest =>
  ofTable('ModifyTable', TABLE, {
    tableSchema: tableSchema(TABLE, F, { REGION_REPLICATION: replication, OWN: replication }),
  })

/** A case of a table of its own. */
function ofTwo(name: string, requests: readonly RpcRequest[]): Listed {
  return named(name, [...filled, ...requests, ...gone])
}

function names(): Listed[] {
  const ats = [
    ['its name', copy],
    ['its encoded name', encoded()],
    ['its encoded name as a name', encoded(REGION_NAME)],
    ['the name of a third', replica(TABLE, '', 2)],
    ['the encoded name of a third', encoded(ENCODED_REGION_NAME, '', 2)],
  ] as const
  return ats.flatMap(([word, at]) => [
    ofTwo(`closed and opened by ${word}`, [
      master('UnassignRegion', { region: at }),
      meta,
      master('AssignRegion', { region: at }),
      meta,
    ]),
    ofTwo(`moved by ${word}`, [master('MoveRegion', { region: at }), getOf(copy)]),
  ])
}

function closing(): Listed[] {
  return [
    ofTwo('reads', [
      closed,
      getOf(copy),
      getOf(encoded()),
      getOf(replica(TABLE, 'n'), 'n'),
      getOf(region(TABLE)),
      multi([{ ...regionAction(TABLE, [{ get: { row: bytes('a') } }]), region: copy }]),
      scanOf(copy),
      opened,
      getOf(copy),
      scanOf(copy),
    ]),
    ofTwo('writes', [
      closed,
      rpc('ClientService', 'Mutate', {
        region: copy,
        mutation: mutation('a', MutationType.put, [['f:a', 'v', 5n]]),
      }),
      put('a'),
    ]),
    ofTwo('upkeep', [
      closed,
      admin('GetRegionInfo', { region: copy }),
      admin('GetRegionInfo', { region: region(TABLE) }),
      admin('FlushRegion', { region: copy }),
      admin('CompactRegion', { region: copy, major: true }),
      admin('GetStoreFile', { region: copy }),
      ofTable('GetSchemaAlterStatus', TABLE),
      ofTable('FlushTable', TABLE),
    ]),
    ofTwo('twice', [closed, closed, master('MoveRegion', { region: encoded() }), opened]),
    ofTwo('opened while it is open', [opened]),
  ]
}

/** The state of a closed copy after its table or its region has changed. */
function changes(): Listed[] {
  return [
    ofTwo('disabled and enabled', [
      closed,
      ofTable('DisableTable', TABLE),
      meta,
      closed,
      opened,
      ofTable('EnableTable', TABLE),
      meta,
      getOf(copy),
    ]),
    ofTwo('altered', [closed, alter('2'), meta, getOf(copy), opened, getOf(copy)]),
    ofTwo('a third asked for', [closed, alter('3'), meta, getOf(copy)]),
    ofTwo('none asked for, and one again', [closed, alter('1'), meta, getOf(copy), alter('2'), meta]),
    ofTwo('merged', [
      closed,
      master('MergeTableRegions', {
        region: [encodedRegion(TABLE), encodedRegion(TABLE, 'n')],
        forcible: true,
      }),
      meta,
      getOf(replica(TABLE, 'n'), 'n'),
    ]),
    ofTwo('split', [
      closed,
      master('SplitRegion', { regionInfo: new RegionInfoOf(TABLE, bytes('a')), splitRow: bytes('b') }),
      getOf(replica(TABLE, 'n'), 'n'),
    ]),
    ofTwo('the region itself', [
      master('UnassignRegion', { region: region(TABLE) }),
      meta,
      getOf(region(TABLE)),
      getOf(copy),
      scanOf(copy),
      admin('GetRegionInfo', { region: copy }),
      admin('GetRegionInfo', { region: region(TABLE) }),
      master('AssignRegion', { region: region(TABLE) }),
      meta,
      getOf(region(TABLE)),
    ]),
  ]
}

/** A region server finds a copy by its encoded name as well. */
function byEncodedName(): Listed[] {
  const at = encoded()
  return [
    ofTwo('client', [
      getOf(at),
      getOf(encoded(ENCODED_REGION_NAME, '', 2)),
      rpc('ClientService', 'Mutate', {
        region: at,
        mutation: mutation('a', MutationType.put, [['f:a', 'v', 5n]]),
      }),
      multi([{ ...regionAction(TABLE, [{ get: { row: bytes('a') } }]), region: at }]),
      scanOf(at),
    ]),
    ofTwo('upkeep', [
      admin('GetRegionInfo', { region: at }),
      admin('GetRegionInfo', { region: encoded(ENCODED_REGION_NAME, '', 2) }),
      admin('FlushRegion', { region: at }),
      admin('CompactRegion', { region: at }),
      admin('GetStoreFile', { region: at }),
      admin('ClearRegionBlockCache', { region: [at] }),
    ]),
  ]
}

function doors(): Listed[] {
  const thrift2 = caller('thrift2')
  return [
    named('timeline of the regions', [
      ...filled,
      thrift2('getScannerResults', TABLE, { consistency: 2 }, 10),
      thrift2('getScannerResults', TABLE, { consistency: 2, targetReplicaId: 1 }, 10),
      thrift2('get', TABLE, { row: 'a', consistency: 2, targetReplicaId: 1 }),
      ...gone,
    ]),
  ]
}

export const rpcReplicaMoves: Scenario = {
  name: 'rpc-replica-moves',
  tables: [TABLE],
  namespaces: [],
  setup: [],
  cases: [
    ...listed('rpc-replica-moves-names', names()),
    ...listed('rpc-replica-moves-closed', [...closing(), ...changes()]),
    ...listed('rpc-replica-moves-encoded', byEncodedName()),
    ...listed('rpc-replica-moves-door', doors()),
  ],
}
