/** Thrift 1: tables made, described, switched on and off, and dropped. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { MAX_INT, MIN_INT } from './thrift-caller.ts'
import { call, family } from './thrift1-words.ts'

const T = 'conf_t1_tables'
const SPARE = 'conf_t1_tables_spare'
const SPLIT = 'conf_t1_tables_split'

/** The server refuses these, so no table is made. */
const refused: readonly Request[] = [
  call('createTable', T, [family('f')]),
  call('createTable', SPARE, []),
  call('createTable', SPARE, [family('')]),
  call('createTable', 'bad name', [family('f')]),
  call('createTable', '', [family('f')]),
  call('createTable', null, [family('f')]),
  call('createTable', 'nons:x', [family('f')]),
  call('createTable', SPARE, [family('f', { compression: 'FOO' })]),
  call('createTable', SPARE, [family('f', { bloomFilterType: 'FOO' })]),
  call('createTable', SPARE, [family('f', { bloomFilterType: '' })]),
  call('createTable', SPARE, [family('f', { compression: '' })]),
  call('createTable', SPARE, [family('f', { maxVersions: 0 })]),
  call('createTable', SPARE, [family('f', { maxVersions: -1 })]),
  call('createTable', SPARE, [family('f', { maxVersions: MIN_INT })]),
  call('createTable', SPARE, [family('.f')]),
  call('createTable', SPARE, [family('f\x01g')]),
  call('createTable', SPARE, [family('f'), family('f:')]),
  call('createTable', '.dot', [family('f')]),
  call('createTable', '-dash', [family('f')]),
  call('createTable', 'a:b:c', [family('f')]),
  call('createTable', ':x', [family('f')]),
  call('createTable', 'x:', [family('f')]),
  call('createTable', 'sl/ash', [family('f')]),
  call('createTable', 'nul\x00', [family('f')]),
]

/** Each makes a family of its own in a table that is then described and dropped. */
const FAMILIES: readonly Readonly<Record<string, string | number | boolean>>[] = [
  {},
  { maxVersions: 1 },
  { maxVersions: 7 },
  { maxVersions: MAX_INT },
  { compression: 'NONE' },
  { compression: 'none' },
  { compression: 'GZ' },
  { compression: 'gz' },
  { inMemory: true },
  { inMemory: false },
  { bloomFilterType: 'NONE' },
  { bloomFilterType: 'ROW' },
  { bloomFilterType: 'ROWCOL' },
  { bloomFilterVectorSize: 5 },
  { bloomFilterNbHashes: 5 },
  { blockCacheEnabled: true },
  { blockCacheEnabled: false },
  { timeToLive: 0 },
  { timeToLive: -1 },
  { timeToLive: 1 },
  { timeToLive: 86400 },
  { timeToLive: MAX_INT },
  {
    maxVersions: 7,
    compression: 'gz',
    inMemory: true,
    bloomFilterType: 'ROWCOL',
    bloomFilterVectorSize: 1,
    bloomFilterNbHashes: 1,
    blockCacheEnabled: true,
    timeToLive: 86400,
  },
]

function families(): NamedCase[] {
  return FAMILIES.map((fields) =>
    named(
      Object.keys(fields).length > 2
        ? 'everything'
        : labelOf(fields).replace(/compression (?=[A-Z])/, 'compression upper case '),
      [
        call('createTable', SPARE, [family('f', fields)]),
        call('getColumnDescriptors', SPARE),
        call('disableTable', SPARE),
        call('deleteTable', SPARE),
      ],
    ),
  )
}

const FAMILY_NAMES = ['f', 'f:', 'colon:ignored', 'A', '0', 'f f', 'f-_.', '\xff\xfe', 'x'.repeat(200)]

function familyNames(): NamedCase[] {
  return FAMILY_NAMES.map((name) =>
    named(name, [
      call('createTable', SPARE, [family(name), family('other')]),
      call('getColumnDescriptors', SPARE),
      call('disableTable', SPARE),
      call('deleteTable', SPARE),
    ]),
  )
}

/** Requests about a table that exists, about one that does not, and about impossible names. */
function questions(): Request[] {
  const methods = ['getColumnDescriptors', 'getTableRegions', 'isTableEnabled', 'compact', 'majorCompact']
  const names = [T, SPLIT, 'nope', 'nons:x', 'bad name', '', `${T}, `]
  return methods.flatMap((method) => names.map((name) => call(method, name)))
}

const regions: readonly Listed[] = [
  ...['', 'm', 'a', 'lz', 'zzz', '\xff', '\x00'].map((row) =>
    call('getRegionInfo', `${SPLIT},${row},99999999999999`),
  ),
  call('getRegionInfo', `${T},zz,99999999999999`),
  named('table, comma and space', call('getRegionInfo', `${T}, `)),
  named('table and comma', call('getRegionInfo', `${T},`)),
  call('getRegionInfo', 'aaa'),
  call('getRegionInfo', 'aaa,,'),
]

const states: readonly Listed[] = [
  call('enableTable', T),
  ...['nope', 'bad name', '', 'nons:x'].flatMap((name) =>
    ['enableTable', 'disableTable', 'deleteTable'].map((method) => call(method, name)),
  ),
  call('deleteTable', T),
  named('disabled', [
    call('createTable', SPARE, [family('full')]),
    call('disableTable', SPARE),
    call('isTableEnabled', SPARE),
    call('disableTable', SPARE),
    call('getTableRegions', SPARE),
    call('getColumnDescriptors', SPARE),
  ]),
  named('names with a disabled table', call('getTableNamesWithIsTableEnabled')),
  named('reads of a disabled table', [
    call('getRow', SPARE, 'r', {}),
    call('getRows', SPARE, ['r'], {}),
    call('get', SPARE, 'r', 'full:a', {}),
  ]),
  named('write to a disabled table', call('mutateRow', SPARE, 'r', [{ column: 'full:a', value: '1' }], {})),
  named('scan of a disabled table', call('scannerOpen', SPARE, '', [], {})),
  named('enabled again', [
    call('enableTable', SPARE),
    call('isTableEnabled', SPARE),
    call('getRow', SPARE, 'r', {}),
  ]),
  named('names with an enabled table', call('getTableNamesWithIsTableEnabled')),
  named('names', call('getTableNames')),
  named('deleted', [call('disableTable', SPARE), call('deleteTable', SPARE), call('deleteTable', SPARE)]),
  named('isTableEnabled of a deleted table', call('isTableEnabled', SPARE)),
  named('names after delete', call('getTableNames')),
  named('made anew', [
    call('createTable', SPARE, [family('f')]),
    call('mutateRowTs', SPARE, 'r', [{ column: 'f:a', value: '1' }], 5n, {}),
    call('disableTable', SPARE),
    call('deleteTable', SPARE),
    call('createTable', SPARE, [family('f')]),
    call('getRow', SPARE, 'r', {}),
    call('disableTable', SPARE),
    call('deleteTable', SPARE),
  ]),
]

const cluster: readonly Request[] = [call('getThriftServerType'), call('getClusterId')]

const cases: Case[] = [
  ...listed('thrift1-create-refused', refused, { leaveOut: ['createTable'] }),
  ...listed('thrift1-create', families()),
  ...listed('thrift1-create-name', familyNames()),
  ...listed('thrift1-table', questions()),
  ...listed('thrift1-region', regions, { leaveOut: ['getRegionInfo'] }),
  ...listed('thrift1-table-state', states),
  ...listed('thrift1-cluster', cluster),
]

export const thrift1Tables: Scenario = {
  name: 'thrift1-tables',
  tables: [T, SPARE, SPLIT],
  namespaces: [],
  setup: [
    call('createTable', T, [family('f:', { maxVersions: 5 }), family('g')]),
    {
      door: 'thrift2',
      method: 'createTable',
      args: {
        desc: { tableName: { qualifier: Buffer.from(SPLIT) }, columns: [{ name: Buffer.from('f') }] },
        splitKeys: [Buffer.from('m'), Buffer.from('t')],
      },
    },
  ],
  cases,
}
