/** The state of copies of regions after their table has changed. */

import { RegionInfoOf, type RpcFields, type RpcRequest, rpc } from '../runner/case.ts'
import { type Listed, named } from '../runner/case-list.ts'
import { message } from './filter-protobuf.ts'
import { createTable, describe, drop, familySchema, master, ofTable, tableSchema } from './master-requests.ts'
import { columns, encodedRegion, MutationType, mutate, mutation, region, replica } from './rpc-requests.ts'
import { call as scanCall } from './rpc-scan-calls.ts'
import { bytes } from './thrift2-requests.ts'

export const TABLE = 'conf_rpc_replicas'
export const SPARE = 'conf_rpc_replicas_spare'
const TWO = { REGION_REPLICATION: '2' }
export const F: readonly RpcFields[] = [familySchema('f')]
const KEYS_ONLY = 'org.apache.hadoop.hbase.filter.KeyOnlyFilter'

const schemaOf = (name: string, replication: string): RpcFields => ({
  tableSchema: tableSchema(name, F, { REGION_REPLICATION: replication }),
})
export const alter = (name: string, replication: string): RpcRequest =>
  ofTable('ModifyTable', name, schemaOf(name, replication))

export const readOf = (at: RpcFields, row: string, options: RpcFields = {}): RpcFields => ({
  region: at,
  get: { row: bytes(row), ...options },
})

/** Scan.ReadType.PREAD. */
const PREAD = 2

/**
 * Rows of hbase:meta of one table. With another read type HBase may end its answer early: by how many cells of earlier tables
 * hbase:meta still has.
 */
export function metaScan(name: string, options: RpcFields): RpcRequest {
  return scanCall({
    region: region('hbase:meta'),
    scan: { startRow: bytes(name), stopRow: bytes(`${name}-`), readType: PREAD, ...options },
    numberOfRows: 100,
    closeScanner: true,
  })
}

function metaColumns(name: string): RpcRequest {
  return metaScan(name, {
    column: columns('info'),
    filter: { name: KEYS_ONLY, serializedFilter: message([1, false]) },
  })
}

function meta(name: string): RpcRequest {
  return metaScan(name, { column: columns('table:state', 'info:state', 'info:state_0001') })
}

export function replicaChanges(): Listed[] {
  const made = createTable(SPARE, F, ['m'], TWO)
  const put = (row: string): RpcRequest => mutate(SPARE, mutation(row, MutationType.put, [['f:a', row, 5n]]))
  const info = (row: string): RpcFields => ({ regionInfo: new RegionInfoOf(SPARE, bytes(row)) })
  return [
    named('meta', [metaColumns(TABLE), meta(TABLE)]),
    named('from its beginning to its end', [
      made,
      describe(SPARE),
      meta(SPARE),
      ofTable('GetSchemaAlterStatus', SPARE),
      ofTable('DisableTable', SPARE),
      meta(SPARE),
      rpc('ClientService', 'Get', readOf(replica(SPARE), 'a')),
      ofTable('EnableTable', SPARE),
      meta(SPARE),
      ...drop(SPARE),
      meta(SPARE),
    ]),
    named('altered', [
      createTable(SPARE, F),
      meta(SPARE),
      alter(SPARE, '2'),
      meta(SPARE),
      rpc('ClientService', 'Get', readOf(replica(SPARE), 'a')),
      alter(SPARE, '1'),
      meta(SPARE),
      rpc('ClientService', 'Get', readOf(replica(SPARE), 'a')),
      ...drop(SPARE),
    ]),
    named('split', [
      made,
      ...['a', 'b', 'c', 'd'].map(put),
      ofTable('FlushTable', SPARE),
      master('SplitRegion', { ...info('a'), splitRow: bytes('c') }),
      rpc('ClientService', 'Get', readOf(replica(SPARE, 'c'), 'c')),
      ...drop(SPARE),
    ]),
    named('split of a replica', [
      made,
      put('a'),
      put('b'),
      master('SplitRegion', {
        regionInfo: new RegionInfoOf(SPARE, bytes('a'), 1),
        splitRow: bytes('b'),
      }),
      meta(SPARE),
      ...drop(SPARE),
    ]),
    named('merged', [
      made,
      master('MergeTableRegions', {
        region: [encodedRegion(SPARE, 'a'), encodedRegion(SPARE, 'n')],
        forcible: true,
      }),
      meta(SPARE),
      rpc('ClientService', 'Get', readOf(replica(SPARE, 'n'), 'n')),
      ...drop(SPARE),
    ]),
    named('truncated', [
      made,
      ofTable('DisableTable', SPARE),
      ofTable('truncateTable', SPARE, { preserveSplits: true }),
      meta(SPARE),
      ...drop(SPARE),
    ]),
  ]
}
