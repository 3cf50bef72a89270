/** Clients of older releases, whom HBase answers otherwise: VersionInfoUtil.hasMinimumVersion. */

import {
  RegionInfoOf,
  type RpcFields,
  type RpcRelease,
  type RpcRequest,
  type Scenario,
} from '../runner/case.ts'
import { digested, type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { familySchema, master, ofTable, tableName, tableSchema } from './master-requests.ts'
import { get, region } from './rpc-requests.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_releases'
const OFF = 'conf_rpc_releases_off'
const NONE = 'conf_rpc_none'
const ROW = 'r'
/** Protobuf's uint32 is Java's int. */
const NEGATIVE = 0xffff_ffff

/** Texts of connection headers, those of released clients first. */
const TEXTS: readonly string[] = [
  '0.98.24-hadoop2',
  '1.0.3',
  '1.1.13',
  '1.2.12',
  '1.2.99',
  '1.3.0',
  '1.4.14',
  '2.0.0',
  '3.0.0-beta-1',
  '1.3-SNAPSHOT',
  '1.3',
  '1',
  '2',
  '1-3',
  '1.+3',
  '01.03',
  '1..3',
  '-1.3',
  '',
  '.',
  '.3',
  'unknown',
  '1.x',
  '2.x',
  'v2.6.1',
  ' 1.3',
  '1.3 ',
  '1.2147483648',
  '2147483648.0',
  '12.0',
]

/** The numbers are believed before the text; one alone counts for nothing. */
const NUMBERED: readonly Exclude<RpcRelease, 'none'>[] = [
  { version: '1.2.0', major: 1, minor: 3 },
  { version: '1.3.0', major: 1, minor: 2 },
  { version: '1.3.0', major: 0, minor: 99 },
  { version: 'unknown', major: 2, minor: 0 },
  { version: '1.2.0', major: 2 },
  { version: '1.3.0', minor: 2 },
  { version: '2.6.1', major: NEGATIVE, minor: 6 },
  { version: '2.6.1', major: 1, minor: NEGATIVE },
]

function gets(): Listed[] {
  return [...TEXTS.map((version) => ({ version })), ...NUMBERED].map((release) => {
    const { version, major, minor } = release as Exclude<RpcRelease, 'none'>
    const content = JSON.stringify({ version, major, minor })
    return digested(labelOf({ release: version, major, minor }), content, by(get(TABLE, ROW), release))
  })
}

function by(request: RpcRequest, release: RpcRelease): RpcRequest {
  return { ...request, release }
}

const RELEASES: readonly (readonly [string, RpcRelease])[] = [
  ['none', 'none'],
  ['1_0', { version: '1.0.3' }],
  ['1_1', { version: '1.1.13' }],
  ['1_4', { version: '1.4.14' }],
  ['2_0', { version: '2.0.6' }],
]

function ofEach(label: string, ...requests: readonly RpcRequest[]): Listed[] {
  return RELEASES.map(([word, release]) =>
    named(
      `${label} by ${word}`,
      requests.map((request) => by(request, release)),
    ),
  )
}

function info(table: string): RpcFields {
  return { regionInfo: new RegionInfoOf(table, bytes(ROW)) }
}

/** Whether the client hears of a refusal at once, or with the procedure's result. */
function changes(): Listed[] {
  const peer = { peerId: 'none' }
  return [
    ...ofEach('enable what is enabled', ofTable('EnableTable', TABLE)),
    ...ofEach('enable no table', ofTable('EnableTable', NONE)),
    ...ofEach('disable what is disabled', ofTable('DisableTable', OFF)),
    ...ofEach('delete no table', ofTable('DeleteTable', NONE)),
    ...ofEach(
      'create what is there',
      master('CreateTable', { tableSchema: tableSchema(TABLE, [familySchema('f')]) }),
    ),
    ...ofEach('truncate what is enabled', master('truncateTable', { tableName: tableName(TABLE) })),
    ...ofEach('truncate no table', master('truncateTable', { tableName: tableName(NONE) })),
    ...ofEach('truncate a region of what is disabled', master('TruncateRegion', info(OFF))),
    ...ofEach('truncate a region of no table', master('TruncateRegion', info(NONE))),
    ...['EnableReplicationPeer', 'DisableReplicationPeer', 'RemoveReplicationPeer'].flatMap((method) =>
      ofEach(`${method} of none`, master(method, peer)),
    ),
  ]
}

function multis(): Listed[] {
  const action = [{ index: 0, get: { row: bytes(ROW) } }]
  const regionAction = [{ region: region(TABLE, ROW), action }]
  return ofEach('a get of a multi', {
    ...get(TABLE, ROW),
    method: 'Multi',
    message: { regionAction },
  })
}

export const rpcReleases: Scenario = {
  name: 'rpc-releases',
  tables: [TABLE, OFF],
  namespaces: [],
  setup: [
    createTable(TABLE, [{ name: bytes('f') }]),
    createTable(OFF, [{ name: bytes('f') }]),
    put(TABLE, ROW, 'f:a', 'v', 5n),
    ofTable('DisableTable', OFF),
  ],
  cases: [
    ...listed('rpc-releases-get', [named('none', by(get(TABLE, ROW), 'none')), ...gets()]),
    ...listed('rpc-releases-change', changes()),
    ...listed('rpc-releases', multis()),
  ],
}
