/** Thrift 2: tables made, described, changed, switched on and off, and dropped; regions; the cluster. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named, withCase } from '../runner/case-list.ts'
import { requestWords } from '../runner/request-words.ts'
import type { Fields } from './thrift-caller.ts'
import { call, cell, family, name, put, table } from './thrift2-words.ts'

const T = 'conf_t2_tables'
const SPLIT = 'conf_t2_tables_split'
const SPARE = 'conf_t2_tables_spare'

const describing = call('getTableDescriptor', name(SPARE))
const drop = [call('disableTable', name(SPARE)), call('deleteTable', name(SPARE))]

const refused: readonly Request[] = [
  call('createTable', table(T, [family('f')]), []),
  ...['x y', '', '.dot', '-dash', 'sl/ash', 'nul\x00', 'ns:x'].map((text) =>
    call('createTable', table(text, [family('f')])),
  ),
  call('createTable', { tableName: name(SPARE, 'nons'), columns: [family('f')] }, null),
  call('createTable', table(SPARE, undefined), []),
  call('createTable', table(SPARE, []), []),
  call('createTable', table(SPARE, [family('f:')]), []),
  call('createTable', table(SPARE, [family('')]), []),
  call('createTable', table(SPARE, [family('.f')]), []),
  call('createTable', table(SPARE, [family('f')]), ['b', 'a', 'b']),
  call('createTable', table(SPARE, [family('f')]), ['b', '']),
  call('createTable', table(SPARE, [family('f')]), ['b', 'b']),
]

const EVERYTHING: Fields = {
  attributes: { OWN: 'kept', VERSIONS: '9' },
  configuration: { 'conf.own': 'kept' },
  blockSize: 8192,
  bloomnFilterType: 2,
  compressionType: 1,
  dataBlockEncoding: 4,
  dfsReplication: 1,
  keepDeletedCells: 2,
  maxVersions: 4,
  minVersions: 2,
  scope: 1,
  timeToLive: 3600,
  blockCacheEnabled: false,
  cacheBloomsOnWrite: true,
  cacheDataOnWrite: true,
  cacheIndexesOnWrite: true,
  compressTags: true,
  evictBlocksOnClose: true,
  inMemory: true,
}

const MADE: readonly (readonly [Fields, readonly string[] | null])[] = [
  [table(SPARE, [family('f')]), null],
  [table(SPARE, [family('f')]), []],
  [table(SPARE, [family('b'), family('a'), family('c')]), null],
  [table(SPARE, [family('f'), family('f', { maxVersions: 3 })]), null],
  [
    table(SPARE, [family('a', EVERYTHING), family('b')], { attributes: { mine: 'too' }, durability: 2 }),
    null,
  ],
  ...[0, 1, 2, 3, 4].map((durability) => [table(SPARE, [family('f')], { durability }), null] as const),
  [table(SPARE, [family('f')], { attributes: { READONLY: 'true' } }), null],
  [table(SPARE, [family('f')], { attributes: { '\x00key': '\xffvalue' } }), null],
  [{ tableName: name(SPARE, 'default'), columns: [family('f')] }, null],
  [table(SPARE, [family('f')]), ['m']],
  [table(SPARE, [family('f')]), ['t', 'm', 'a']],
  [table(SPARE, [family('f')]), ['\x00', '\x7f', '\x80', '\xff']],
  [table(SPARE, [family('f'.repeat(127))]), null],
  [table(SPARE, [family('\x01\xff')]), null],
]

function made(): NamedCase[] {
  return MADE.map(([desc, splitKeys]) =>
    named(requestWords(call('createTable', desc, splitKeys)).replace('createTable _spare', ''), [
      call('createTable', desc, splitKeys),
      describing,
      call('getAllRegionLocations', SPARE),
      ...drop,
    ]),
  )
}

const NAMES: Readonly<Record<string, Fields>> = {
  table: name(T),
  'table of default': name(T, 'default'),
  'split table': name(SPLIT),
  nope: name('nope'),
  'nope of an unknown namespace': name('nope', 'nons'),
  'bad name': name('bad name'),
  'empty name': name(''),
  'table of an empty namespace': name(T, ''),
  'namespace only': { ns: 'default' },
}

function questions(): Listed[] {
  const methods = [
    'getTableDescriptor',
    'tableExists',
    'isTableEnabled',
    'isTableDisabled',
    'isTableAvailable',
    'isTableAvailableWithSplit',
  ]
  return [
    ...methods.flatMap((method) =>
      Object.entries(NAMES).map(([label, each]) => named(`${method} ${label}`, call(method, each))),
    ),
    ...[['m', 't'], ['t', 'm'], ['m'], [], ['q'], ['m', 't', 'x'], ['']].map((keys) =>
      call('isTableAvailableWithSplit', name(SPLIT), keys),
    ),
    call('isTableAvailableWithSplit', name(T), []),
    call('getTableDescriptors', [name(T), name('nope')]),
    call('getTableDescriptors', [name(SPLIT), name(T), name(T)]),
    call('getTableDescriptors', [name('bad name')]),
  ]
}

const PATTERNS = [
  'conf_t2_tables.*',
  'conf_t2_tables',
  'conf_t2_tabl',
  'default:conf_t2_tables_(spare|split)',
  '\\Qconf_t2_tables_s\\E\\w+',
  'CONF_T2_TABLES',
  '(?i)CONF_T2_TABLES',
  'conf_t2_tables(_split)?',
  'nons:.*',
  'nothing like it',
  '(',
  '',
]

function patterns(): Listed[] {
  const byPattern = PATTERNS.flatMap((pattern) => [
    named(`names ${withCase(pattern)}`, call('getTableNamesByPattern', pattern, false)),
    named(`descriptors ${withCase(pattern)}`, call('getTableDescriptorsByPattern', pattern, false)),
  ])
  const byNamespace = ['nons', 'bad name'].flatMap((ns) => [
    named(`names of namespace ${ns}`, call('getTableNamesByNamespace', ns)),
    named(`descriptors of namespace ${ns}`, call('getTableDescriptorsByNamespace', ns)),
  ])
  return [
    ...byPattern,
    ...byNamespace,
    named('names with those of the system', call('getTableNamesByPattern', 'conf_t2_tables.*', true)),
    named('names of namespace hbase', call('getTableNamesByNamespace', 'hbase')),
  ]
}

function regions(): Request[] {
  const rows = ['', 'a', 'm', 'n', 'sz', 't', 'zz', '\xff', '\x00']
  return [
    ...rows.flatMap((row) => [true, false].map((reload) => call('getRegionLocation', SPLIT, row, reload))),
    ...['nope', 'nons:x', 'bad name', ''].flatMap((each) => [
      call('getRegionLocation', each, 'n', true),
      call('getAllRegionLocations', each),
    ]),
    call('getAllRegionLocations', SPLIT),
    call('getAllRegionLocations', T),
  ]
}

const changes: readonly Listed[] = [
  named('addColumnFamily', [
    call('createTable', table(SPARE, [family('a'), family('b')]), ['m']),
    call('addColumnFamily', name(SPARE), family('h', { timeToLive: 100 })),
    describing,
  ]),
  named('addColumnFamily again', call('addColumnFamily', name(SPARE), family('h'))),
  call('addColumnFamily', name('nope'), family('h')),
  call('addColumnFamily', name(SPARE), family('i:')),
  [call('modifyColumnFamily', name(SPARE), family('h', { maxVersions: 7 })), describing],
  call('modifyColumnFamily', name(SPARE), family('nof')),
  call('modifyColumnFamily', name('nope'), family('f')),
  named('deleteColumnFamily', [call('deleteColumnFamily', name(SPARE), 'h'), describing]),
  named('deleteColumnFamily again', call('deleteColumnFamily', name(SPARE), 'h')),
  call('deleteColumnFamily', name(SPARE), ''),
  call('deleteColumnFamily', name('nope'), 'f'),
  named('modifyTable', [
    call(
      'modifyTable',
      table(SPARE, [family('a', { maxVersions: 4 })], { attributes: { x: 'y' }, durability: 2 }),
    ),
    describing,
  ]),
  named('deleteColumnFamily of the only one', call('deleteColumnFamily', name(SPARE), 'a')),
  call('modifyTable', table('nope', [family('f')])),
  call('modifyTable', table(SPARE, [])),
  named('truncateTable of an enabled table', call('truncateTable', name(SPARE), true)),
  named('disableTable', [
    call('disableTable', name(SPARE)),
    call('isTableDisabled', name(SPARE)),
    call('isTableEnabled', name(SPARE)),
  ]),
  named('disableTable again', call('disableTable', name(SPARE))),
  named('isTableAvailable while disabled', call('isTableAvailable', name(SPARE))),
  named('addColumnFamily while disabled', [call('addColumnFamily', name(SPARE), family('z')), describing]),
  named('get while disabled', call('get', SPARE, { row: 'a' })),
  named('getMultiple while disabled', call('getMultiple', SPARE, [{ row: 'a' }])),
  named('exists while disabled', call('exists', SPARE, { row: 'a' })),
  named('existsAll while disabled', call('existsAll', SPARE, [{ row: 'a' }])),
  named('put while disabled', call('put', SPARE, put('a', [cell('a', 'a', '1')]))),
  named('deleteSingle while disabled', call('deleteSingle', SPARE, { row: 'a' })),
  named('openScanner while disabled', call('openScanner', SPARE, {})),
  named('truncateTable keeping regions', [
    call('truncateTable', name(SPARE), true),
    call('isTableEnabled', name(SPARE)),
    call('getAllRegionLocations', SPARE),
  ]),
  named('truncateTable', [
    call('put', SPARE, put('a', [cell('a', 'a', '1', { timestamp: 5n })])),
    call('disableTable', name(SPARE)),
    call('enableTable', name(SPARE)),
    call('get', SPARE, { row: 'a' }),
    call('disableTable', name(SPARE)),
    call('truncateTable', name(SPARE), false),
    call('get', SPARE, { row: 'a' }),
    call('getAllRegionLocations', SPARE),
  ]),
  named('enableTable of an enabled table', call('enableTable', name(SPARE))),
  named('deleteTable of an enabled table', call('deleteTable', name(SPARE))),
  named('deleteTable', [...drop, call('deleteTable', name(SPARE)), call('tableExists', name(SPARE))]),
  ...['nope', 'bad name', ''].flatMap((each) => [
    call('disableTable', name(each)),
    call('enableTable', name(each)),
    call('deleteTable', name(each)),
    call('truncateTable', name(each), false),
  ]),
  call('enableTable', name(T)),
]

const cluster: readonly Request[] = [
  call('getThriftServerType'),
  call('getClusterId'),
  call('getSlowLogResponses', [], {}),
  call('getSlowLogResponses', [], {
    regionName: 'r',
    clientAddress: 'c',
    tableName: T,
    userName: 'u',
    limit: 3,
    logType: 1,
    filterByOperator: 0,
  }),
  call('getSlowLogResponses', [], { logType: 2, filterByOperator: 1 }),
  call('clearSlowLogResponses', []),
]

const cases: Case[] = [
  ...listed('thrift2-create-refused', refused, { leaveOut: ['createTable'] }),
  ...listed('thrift2-create', made()),
  ...listed('thrift2-table', questions()),
  ...listed('thrift2-pattern', patterns()),
  ...listed('thrift2-region', regions()),
  ...listed('thrift2-table-change', changes),
  ...listed('thrift2-cluster', cluster),
]

export const thrift2Tables: Scenario = {
  name: 'thrift2-tables',
  tables: [T, SPLIT, SPARE],
  namespaces: [],
  setup: [
    call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g')])),
    call('createTable', table(SPLIT, [family('f', { maxVersions: 3 }), family('g')]), ['t', 'm']),
  ],
  cases,
}
