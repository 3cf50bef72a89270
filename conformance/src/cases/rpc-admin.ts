/** AdminService of a region server, and the registries that clients begin with. */

import { type RpcFields, type RpcRequest, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { createTable, familySchema } from './master-requests.ts'
import { encodedRegion, MutationType, mutate, mutation, region } from './rpc-requests.ts'
import { combinations } from './thrift-caller.ts'
import { bytes } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_admin'
const FILES = 'conf_rpc_admin_files'
const NONE = { type: 1, value: bytes('conf_rpc_none,,1.00000000000000000000000000000000.') }

const setup = [
  createTable(TABLE, [familySchema('f'), familySchema('g')], ['m']),
  createTable(FILES, [familySchema('f'), familySchema('g')]),
]

function admin(method: string, message: RpcFields = {}): RpcRequest {
  return rpc('AdminService', method, message)
}

function regionsAsked(): Listed[] {
  const which: readonly (readonly [string, RpcFields])[] = [
    ['first', region(TABLE)],
    ['second', region(TABLE, 'm')],
    ['encoded', encodedRegion(TABLE, 'm')],
    ['meta', region('hbase:meta')],
    ['none', NONE],
  ]
  return [
    ...combinations(which, [undefined, true], [undefined, true]).map(
      ([[label, at], compactionState, bestSplitRow]) =>
        named(labelOf({ region: label, compactions: compactionState, 'split row': bestSplitRow }), [
          admin('GetRegionInfo', { region: at, compactionState, bestSplitRow }),
        ]),
    ),
    ...which.map(([label, at]) =>
      named(
        `files of ${label}`,
        admin('GetStoreFile', { region: at, family: label === 'none' ? [] : [bytes('none')] }),
      ),
    ),
    // An answer names the regions that it did not find, an encoded name among them by its own.
    ...which
      .filter(([label]) => label !== 'encoded')
      .map(([label, at]) =>
        named(`block cache of ${label}`, admin('ClearRegionBlockCache', { region: [at] })),
      ),
  ]
}

/** The first region's files; before them, of a table that has none. */
function storeFiles(): Listed[] {
  const asked: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['unsaid', undefined],
    ['none', []],
    ['one', ['f']],
    ['the other', ['g']],
    ['both', ['f', 'g']],
    ['both in turn', ['g', 'f']],
    ['one twice', ['f', 'f']],
    ['one and one that is not there', ['f', 'none']],
    ['an empty name', ['']],
  ]
  const questions = (when: string, table: string): Listed[] =>
    asked.map(([word, families]) =>
      named(
        `${when} families ${word}`,
        admin('GetStoreFile', { region: region(table), family: families?.map(bytes) }),
      ),
    )
  const put = mutate(FILES, mutation('r', MutationType.put, [['f:a', 'v', 5n]]))
  const other = mutate(FILES, mutation('r', MutationType.put, [['g:a', 'v', 5n]]))
  const flush = admin('FlushRegion', { region: region(FILES) })
  return [
    ...questions('before a flush', FILES),
    named('a flush of one family', [put, flush, admin('GetStoreFile', { region: region(FILES) })]),
    ...questions('after a flush of one', FILES),
    named('a flush of both families', [put, other, flush, admin('GetStoreFile', { region: region(FILES) })]),
    ...questions('after a flush of both', FILES),
    named('files by the encoded name', admin('GetStoreFile', { region: encodedRegion(FILES) })),
  ]
}

function upkeep(): Listed[] {
  const put = mutate(TABLE, mutation('r', MutationType.put, [['f:a', 'v', 5n]]))
  const at = region(TABLE, 'r')
  return [
    named('flush of nothing', admin('FlushRegion', { region: region(TABLE) })),
    named('flush', [put, admin('FlushRegion', { region: at })]),
    named('flush of a family', [put, admin('FlushRegion', { region: at, family: bytes('f') })]),
    named('flush of no family', [put, admin('FlushRegion', { region: at, family: bytes('none') })]),
    named('flush of what is younger', admin('FlushRegion', { region: at, ifOlderThanTs: 5n })),
    named('flush of no region', admin('FlushRegion', { region: NONE })),
    ...[undefined, true].map((major) =>
      named(labelOf({ compact: major }), admin('CompactRegion', { region: at, major })),
    ),
    named('compact a family', admin('CompactRegion', { region: at, major: true, family: bytes('f') })),
    named('compact no family', admin('CompactRegion', { region: at, family: bytes('none') })),
    named('compact no region', admin('CompactRegion', { region: NONE })),
    named('compactions off and on', [
      admin('CompactionSwitch', { enabled: false }),
      admin('CompactionSwitch', { enabled: true }),
      admin('CompactionSwitch', { enabled: true }),
    ]),
  ]
}

function server(): Listed[] {
  return [
    ...['RollWALWriter', 'UpdateConfiguration', 'GetSpaceQuotaSnapshots', 'GetCachedFilesList'].map(
      (method) => named(method, admin(method)),
    ),
    named('GetSlowLogResponses', admin('GetSlowLogResponses', {})),
    named('GetLargeLogResponses', admin('GetLargeLogResponses', {})),
    named('ClearSlowLogsResponses', admin('ClearSlowLogsResponses', {})),
    named('ClearCompactionQueues', admin('ClearCompactionQueues', { queueName: ['long'] })),
    named(
      'GetLogEntries of nothing',
      admin('GetLogEntries', { logClassName: 'none', logMessage: bytes('') }),
    ),
    ...['GetClusterId', 'GetActiveMaster', 'GetMasters', 'GetMetaRegionLocations', 'GetBootstrapNodes'].map(
      (method) => named(method, rpc('ClientMetaService', method, {})),
    ),
  ]
}

export const rpcAdmin: Scenario = {
  name: 'rpc-admin',
  tables: [TABLE, FILES],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-admin-regions', regionsAsked()),
    ...listed('rpc-admin-files', storeFiles()),
    ...listed('rpc-admin-upkeep', upkeep()),
    ...listed('rpc-admin-server', server()),
  ],
}
