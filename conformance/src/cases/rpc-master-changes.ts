/** Changes that the master makes of tables and regions, and what they leave. */

import { RegionInfoOf, type RpcFields, type RpcRequest } from '../runner/case.ts'
import { type Listed, labelOf, named } from '../runner/case-list.ts'
import {
  createTable,
  describe,
  drop,
  familySchema,
  master,
  ofTable,
  tableName,
  tableSchema,
} from './master-requests.ts'
import {
  DeleteKind,
  encodedRegion,
  get,
  MutationType,
  mutate,
  mutation,
  region,
  scanAll,
} from './rpc-requests.ts'
import { bytes } from './thrift2-requests.ts'

export const STAYS = 'conf_rpc_master'
export const SPARE = 'conf_rpc_master_spare'
export const NONE = 'conf_rpc_none'

function add(name: string, family: RpcFields): RpcRequest {
  return ofTable('AddColumn', name, { columnFamilies: family })
}

function modify(name: string, family: RpcFields): RpcRequest {
  return ofTable('ModifyColumn', name, { columnFamilies: family })
}

function remove(name: string, family: string): RpcRequest {
  return ofTable('DeleteColumn', name, { columnName: bytes(family) })
}

/** A region that closes is flushed before, by the rules that it has. */
function closings(): (readonly [string, readonly RpcRequest[]])[] {
  return [
    [
      'versions before and after a table is disabled',
      [ofTable('DisableTable', SPARE), ofTable('EnableTable', SPARE)],
    ],
    ['versions before and after a table keeps more', [modify(SPARE, familySchema('f', { VERSIONS: '5' }))]],
    ['versions before and after a flush', [ofTable('FlushTable', SPARE)]],
  ]
}

function versionsOf(table: string): RpcRequest[] {
  const ranges = [
    { from: 1n, to: 2n },
    { from: 0n, to: 4n },
    { from: 0n, to: 9n },
  ]
  return ranges.map((timeRange) => get(table, 'r', { timeRange, maxVersions: 5 }))
}

/** Which versions are left of a table that is closed with more of them than it keeps. */
function versionsAfterClosings(): Listed[] {
  return closings().map(([label, close]) =>
    named(label, [
      createTable(SPARE, [familySchema('f', { VERSIONS: '3' })]),
      ...[1n, 2n, 3n, 4n, 5n].map((time) =>
        mutate(SPARE, mutation('r', MutationType.put, [['f:a', `v${time}`, time]])),
      ),
      mutate(SPARE, mutation('r', MutationType.delete, [['f:a', '', 5n, DeleteKind.version]])),
      ...versionsOf(SPARE),
      ...close,
      ...versionsOf(SPARE),
      ...drop(SPARE),
    ]),
  )
}

export function tableChanges(): Listed[] {
  const put = mutate(SPARE, mutation('r', MutationType.put, [['f:a', 'v', 5n]]))
  const made = createTable(SPARE, [familySchema('f'), familySchema('h')], ['m'])
  return [
    named('a table from its beginning to its end', [
      made,
      describe(SPARE),
      put,
      scanAll(SPARE),
      ...drop(SPARE),
      describe(SPARE),
    ]),
    ...[true, false].map((preserveSplits) =>
      named(labelOf({ truncate: preserveSplits }), [
        made,
        put,
        ofTable('DisableTable', SPARE),
        master('truncateTable', { tableName: tableName(SPARE), preserveSplits }),
        ofTable('GetTableState', SPARE),
        scanAll(SPARE),
        ...drop(SPARE),
      ]),
    ),
    ...versionsAfterClosings(),
    named('families', [
      made,
      add(SPARE, familySchema('n', { VERSIONS: '4' })),
      add(SPARE, familySchema('n')),
      modify(SPARE, familySchema('n', { VERSIONS: '6', TTL: '100' })),
      modify(SPARE, familySchema('none')),
      describe(SPARE),
      remove(SPARE, 'n'),
      remove(SPARE, 'n'),
      remove(SPARE, 'h'),
      remove(SPARE, 'f'),
      describe(SPARE),
      ...drop(SPARE),
    ]),
    named('families of a disabled table', [
      made,
      ofTable('DisableTable', SPARE),
      add(SPARE, familySchema('n')),
      remove(SPARE, 'h'),
      ofTable('EnableTable', SPARE),
      describe(SPARE),
      ...drop(SPARE),
    ]),
    named('families of no table', [
      add(NONE, familySchema('n')),
      modify(NONE, familySchema('n')),
      remove(NONE, 'n'),
    ]),
    named('a whole schema', [
      made,
      ofTable('ModifyTable', SPARE, {
        tableSchema: tableSchema(SPARE, [familySchema('f', { VERSIONS: '2' })], { OWN: 'new' }),
      }),
      describe(SPARE),
      ofTable('ModifyTable', SPARE, { tableSchema: tableSchema(SPARE, []) }),
      ofTable('ModifyTable', SPARE, { tableSchema: tableSchema(STAYS, [familySchema('f')]) }),
      ofTable('ModifyTable', NONE, { tableSchema: tableSchema(NONE, [familySchema('f')]) }),
      ...drop(SPARE),
    ]),
  ]
}

export function regionChanges(): Listed[] {
  const none = { type: 1, value: bytes('conf_rpc_none,,1.00000000000000000000000000000000.') }
  const made = createTable(SPARE, [familySchema('f')], ['g', 'm', 's'])
  const put = (row: string): RpcRequest => mutate(SPARE, mutation(row, MutationType.put, [['f:a', row, 5n]]))
  const regionInfo = (row: string): RpcFields => ({ regionInfo: new RegionInfoOf(SPARE, bytes(row)) })
  const merge = (...rows: readonly string[]): RpcRequest =>
    master('MergeTableRegions', { region: rows.map((row) => encodedRegion(SPARE, row)), forcible: true })
  return [
    ...['AssignRegion', 'UnassignRegion', 'OfflineRegion', 'MoveRegion'].map((method) =>
      named(`${method} of no region`, master(method, { region: none })),
    ),
    named('split', [
      made,
      put('n'),
      put('p'),
      ofTable('FlushTable', SPARE),
      master('SplitRegion', { ...regionInfo('n'), splitRow: bytes('o') }),
      scanAll(SPARE, { startRow: bytes('m') }),
      scanAll(SPARE, { startRow: bytes('o') }),
      master('SplitRegion', { ...regionInfo('a'), splitRow: bytes('z') }),
      master('SplitRegion', { ...regionInfo('a'), splitRow: bytes('') }),
      ...drop(SPARE),
    ]),
    named('merge', [
      made,
      put('a'),
      put('h'),
      merge('a', 'g'),
      scanAll(SPARE),
      merge('m'),
      merge('s', 's'),
      ...drop(SPARE),
    ]),
    named('truncate a region', [
      made,
      put('a'),
      put('n'),
      master('TruncateRegion', regionInfo('n')),
      scanAll(SPARE),
      scanAll(SPARE, { startRow: bytes('m') }),
      ...drop(SPARE),
    ]),
    named('unassign and assign', [
      made,
      put('a'),
      master('UnassignRegion', { region: region(SPARE, 'a') }),
      master('AssignRegion', { region: region(SPARE, 'a') }),
      scanAll(SPARE),
      ...drop(SPARE),
    ]),
    named(
      'a region that is compacted',
      master('getLastMajorCompactionTimestampForRegion', { region: region(STAYS) }),
    ),
  ]
}
