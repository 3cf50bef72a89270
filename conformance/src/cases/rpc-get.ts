/** ClientService.Get: every field of the message, with a codec for cell blocks and without one. */

import { RegionOf, type RpcFields, type RpcRequest, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { columns, encodedRegion, get, region } from './rpc-requests.ts'
import { combinations, MAX } from './thrift-caller.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_get'
const ROW = 'r1'

const setup = [
  createTable(
    TABLE,
    [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }, { name: bytes('empty') }],
    ['m'],
  ),
  ...['f:a', 'f:b', 'f:', 'g:a'].flatMap((name) =>
    [1n, 2n, 3n].map((timestamp) => put(TABLE, ROW, name, `${name}@${timestamp}`, timestamp)),
  ),
  put(TABLE, 'z\x00\xff', 'f:a', 'beyond the split', 5n),
  put(TABLE, 'max', 'f:a', 'far', MAX - 1n),
]

/** `Get` of the protocol, stated whole. */
function raw(message: RpcFields, withoutCodec = false): RpcRequest {
  return rpc('ClientService', 'Get', message, { withoutCodec })
}

const range = (from: bigint | undefined, to: bigint | undefined): RpcFields => ({ from, to })

function selections(): Listed[] {
  const chosen = [
    [],
    columns('f'),
    columns('f:a'),
    columns('f:a', 'f:b'),
    columns('f:b', 'f:a', 'f:a'),
    columns('f:'),
    columns('f', 'g'),
    columns('g:none'),
    columns('empty'),
    columns('nosuch'),
  ]
  const words = ['all', 'f', 'f-a', 'two', 'unordered', 'no-name', 'both', 'none', 'empty', 'nosuch']
  return combinations(
    chosen.map((column, i) => [column, words[i]!] as const),
    [undefined, 0, 1, 2, 3, 100],
    [undefined, true],
  ).map(([[column, word], maxVersions, existenceOnly]) =>
    named(
      labelOf({ columns: word, versions: maxVersions, exists: existenceOnly }),
      get(TABLE, ROW, { column, maxVersions, existenceOnly }),
    ),
  )
}

function times(): Listed[] {
  const stamps = [undefined, 0n, 1n, 2n, 3n, MAX] as const
  return combinations(stamps, stamps, [1, 3]).map(([from, to, maxVersions]) =>
    named(
      labelOf({ from, to, versions: maxVersions }),
      get(TABLE, ROW, { timeRange: range(from, to), maxVersions }),
    ),
  )
}

function pages(): Listed[] {
  return combinations([undefined, 0, 1, 2, 5], [undefined, 0, 1, 2, 5], [1, 3]).map(
    ([storeLimit, storeOffset, maxVersions]) =>
      named(
        labelOf({ limit: storeLimit, offset: storeOffset, versions: maxVersions }),
        get(TABLE, ROW, { storeLimit, storeOffset, maxVersions }),
      ),
  )
}

function familyTimes(): Listed[] {
  const choices = [
    ['f early', [{ columnFamily: bytes('f'), timeRange: range(0n, 2n) }]],
    ['f late', [{ columnFamily: bytes('f'), timeRange: range(3n, MAX) }]],
    ['f none', [{ columnFamily: bytes('f'), timeRange: range(7n, 9n) }]],
    ['g early', [{ columnFamily: bytes('g'), timeRange: range(0n, 2n) }]],
    ['nosuch', [{ columnFamily: bytes('x'), timeRange: range(0n, 2n) }]],
  ] as const
  return combinations(choices, [undefined, range(2n, 3n)]).map(([[word, cfTimeRange], timeRange]) =>
    named(
      labelOf({ family: word, all: timeRange === undefined ? undefined : 'two' }),
      get(TABLE, ROW, { cfTimeRange, timeRange, maxVersions: 3 }),
    ),
  )
}

function regions(): Listed[] {
  const one = { row: bytes(ROW) }
  return [
    named('encoded region', raw({ region: encodedRegion(TABLE, ROW), get: one })),
    named('region of another row', raw({ region: region(TABLE, 'z'), get: one })),
    named('row beyond the region', raw({ region: region(TABLE, 'a'), get: { row: bytes('z\x00\xff') } })),
    named('region of no table', raw({ region: region('conf_rpc_none'), get: one })),
    named('encoded region of no table', raw({ region: encodedRegion('conf_rpc_none'), get: one })),
    named('region name that is none', raw({ region: { type: 1, value: bytes('x') }, get: one })),
    named('region name empty', raw({ region: { type: 1, value: bytes('') }, get: one })),
    named(
      'full name as encoded',
      raw({ region: { type: 2, value: new RegionOf(TABLE, bytes(ROW)) }, get: one }),
    ),
    named(
      'encoded as full name',
      raw({ region: { type: 1, value: new RegionOf(TABLE, bytes(ROW), { isEncoded: true }) }, get: one }),
    ),
    named('meta region', raw({ region: region('hbase:meta'), get: { row: bytes('no such row') } })),
  ]
}

function rows(): Listed[] {
  return [
    named('row after the split', get(TABLE, 'z\x00\xff')),
    named('row of the far future', get(TABLE, 'max')),
    named('row that is not there', get(TABLE, 'none')),
    named('row empty', raw({ region: region(TABLE), get: { row: bytes('') } })),
    named('row too long', get(TABLE, 'l'.repeat(32_768))),
    named('row of most bytes', get(TABLE, 'l'.repeat(32_767))),
    named('closest row before', get(TABLE, 'r2', { closestRowBefore: true })),
    named(
      'closest row before of meta',
      raw({
        region: region('hbase:meta'),
        get: { row: bytes('x'), closestRowBefore: true, column: columns('info') },
      }),
    ),
  ]
}

function flags(): Listed[] {
  return [
    named('cache blocks false', get(TABLE, ROW, { cacheBlocks: false })),
    named('consistency timeline', get(TABLE, ROW, { consistency: 1 })),
    named('load families on demand', get(TABLE, ROW, { loadColumnFamiliesOnDemand: true })),
    named('attribute', get(TABLE, ROW, { attribute: [{ name: 'a', value: bytes('b') }] })),
    named(
      'authorizations of nonsense',
      get(TABLE, ROW, { attribute: [{ name: '_authorizations', value: bytes('b') }] }),
    ),
    named('raw attribute', get(TABLE, ROW, { attribute: [{ name: '_raw_', value: bytes('\xff') }] })),
    named('versions most', get(TABLE, ROW, { maxVersions: 0x7fff_ffff })),
    named('versions beyond int', get(TABLE, ROW, { maxVersions: 0xffff_ffff })),
    named('limit beyond int', get(TABLE, ROW, { storeLimit: 0xffff_ffff })),
    named('filter without a name', get(TABLE, ROW, { filter: { name: '' } })),
    named(
      'filter unknown',
      get(TABLE, ROW, { filter: { name: 'org.example.NoFilter', serializedFilter: bytes('') } }),
    ),
    named(
      'filter broken',
      get(TABLE, ROW, {
        filter: { name: 'org.apache.hadoop.hbase.filter.PrefixFilter', serializedFilter: bytes('\xff\xff') },
      }),
    ),
    named(
      'filter prefix',
      get(TABLE, ROW, {
        filter: { name: 'org.apache.hadoop.hbase.filter.PrefixFilter', serializedFilter: bytes('\x0a\x01r') },
      }),
    ),
    named(
      'filter key only',
      get(TABLE, ROW, {
        filter: { name: 'org.apache.hadoop.hbase.filter.KeyOnlyFilter', serializedFilter: bytes('\x08\x01') },
      }),
    ),
    named(
      'filter first key only',
      get(TABLE, ROW, {
        filter: { name: 'org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter', serializedFilter: bytes('') },
      }),
    ),
  ]
}

/** Answers to asynchbase and other clients without a codec. */
function plain(): Listed[] {
  return [
    named('plain row', raw({ region: region(TABLE, ROW), get: { row: bytes(ROW), maxVersions: 3 } }, true)),
    named(
      'plain exists',
      raw({ region: region(TABLE, ROW), get: { row: bytes(ROW), existenceOnly: true } }, true),
    ),
    named('plain nothing', raw({ region: region(TABLE, 'n'), get: { row: bytes('none') } }, true)),
    named(
      'plain error',
      raw({ region: region(TABLE, ROW), get: { row: bytes(ROW), column: columns('x') } }, true),
    ),
  ]
}

export const rpcGet: Scenario = {
  name: 'rpc-get',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-get-selections', selections()),
    ...listed('rpc-get-times', times()),
    ...listed('rpc-get-pages', pages()),
    ...listed('rpc-get-family-times', familyTimes()),
    ...listed('rpc-get-regions', regions()),
    ...listed('rpc-get-rows', rows()),
    ...listed('rpc-get-flags', flags()),
    ...listed('rpc-get-plain', plain()),
  ],
}
