/** Thrift 2: every field of a column family, alone. */

import type { Scenario } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { requestWords } from '../runner/request-words.ts'
import { type Fields, MAX_INT } from './thrift-caller.ts'
import { call, family, name, table } from './thrift2-words.ts'

const T = 'conf_t2_families'

const FLAGS = [
  'blockCacheEnabled',
  'cacheBloomsOnWrite',
  'cacheDataOnWrite',
  'cacheIndexesOnWrite',
  'compressTags',
  'evictBlocksOnClose',
  'inMemory',
]

const FIELDS: readonly Fields[] = [
  {},
  ...FLAGS.flatMap((flag) => [{ [flag]: true }, { [flag]: false }]),
  ...[1024, 8192, 65536, 1048576, 512, 0].map((blockSize) => ({ blockSize })),
  ...[0, 1, 2].map((bloomnFilterType) => ({ bloomnFilterType })),
  ...[1, 2].map((compressionType) => ({ compressionType })),
  ...[0, 2, 3, 4, 7].map((dataBlockEncoding) => ({ dataBlockEncoding })),
  ...[0, 1, 3].map((dfsReplication) => ({ dfsReplication })),
  ...[0, 1, 2].map((keepDeletedCells) => ({ keepDeletedCells })),
  ...[1, 2, 3, MAX_INT, 0, -1].map((maxVersions) => ({ maxVersions })),
  { minVersions: 1, maxVersions: 3 },
  { minVersions: 2, maxVersions: 3, timeToLive: 100 },
  { minVersions: 5, maxVersions: 3 },
  ...[0, 1, 2].map((scope) => ({ scope })),
  ...[1, 60, 86400, 2592000, MAX_INT, 0, -1].map((timeToLive) => ({ timeToLive })),
  { attributes: { OWN: 'kept' } },
  { attributes: { VERSIONS: '9' } },
  { attributes: { VERSIONS: '9' }, maxVersions: 4 },
  { attributes: { '\x00binary': '\xff' } },
  { attributes: {} },
  { configuration: { 'conf.own': 'kept' } },
  { configuration: {} },
]

/** The fields, without the family that all of them belong to. */
function labelled(fields: Fields): string {
  const words = requestWords(call('modifyColumnFamily', { qualifier: '' }, fields))
  return words.replace(/^modifyColumnFamily (?:empty qualifier ?)?/, '') || 'defaults'
}

function modified(): NamedCase[] {
  return FIELDS.map((fields) =>
    named(labelled(fields), [
      call('modifyColumnFamily', name(T), family('f', fields)),
      call('getTableDescriptor', name(T)),
    ]),
  )
}

export const thrift2Families: Scenario = {
  name: 'thrift2-families',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f')]))],
  cases: listed('thrift2-family', modified()),
}
