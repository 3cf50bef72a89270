/** Thrift 2: every argument of the calls on tables and namespaces, and every field of them, at its edges. */

import type { Request, Scenario, ThriftRequest } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { atEdges } from './thrift-argument-edges.ts'
import type { Fields } from './thrift-caller.ts'
import { call, family, name, table } from './thrift2-words.ts'

const T = 'conf_t2_schema'
const MADE = 'conf_t2_schema_made'
const NS = 'conf_t2_schema_ns'

/** HBase's gateway repeats for minutes what its master refuses, or the master cannot go on with what it took. */
const UNANSWERED = /^(?:create|modify|delete)Namespace .*name empty$/
/** Their refusal depends on the libraries of HBase's machine. */
const OF_A_LIBRARY = /compressionType [03456]$/
/** Answers that list all tables of the server. */
const OF_THE_SERVER =
  /^getTableDescriptors tables empty$|Pattern regex mi|^getTableDescriptorsByNamespace name empty$/

/** Fields of a family, which modifyColumnFamily has all. */
const OF_A_FAMILY =
  /^(?:createTable desc columns of|modifyTable desc columns of|addColumnFamily column) (?!name|mistyped|missing|empty|maxVersions)/

/** The table as each case finds it. HBase's master adds an attribute to a new table that a modification takes away. */
const AS_AT_FIRST = call('modifyTable', table(T, [family('f'), family('g')]))

/** The odd call, and what follows it. */
function edgesOf(request: ThriftRequest, ...after: readonly Request[]): NamedCase[] {
  return atEdges(request).flatMap(({ label, value }) =>
    [UNANSWERED, OF_THE_SERVER, OF_A_LIBRARY, OF_A_FAMILY].some((left) => left.test(label))
      ? []
      : [named(label, [value, ...after])],
  )
}

const FAMILY: Fields = {
  name: 'f',
  blockSize: 4096,
  bloomnFilterType: 1,
  compressionType: 2,
  dfsReplication: 1,
  dataBlockEncoding: 4,
  keepDeletedCells: 1,
  maxVersions: 3,
  minVersions: 1,
  scope: 0,
  timeToLive: 99,
  blockCacheEnabled: true,
  inMemory: true,
}

function creating(): NamedCase[] {
  const after = [
    call('getTableDescriptor', name(MADE)),
    call('disableTable', name(MADE)),
    call('deleteTable', name(MADE)),
  ]
  const one = call('createTable', table(MADE, [family('f', { maxVersions: 3 })], { durability: 1 }), ['m'])
  return [
    ...edgesOf(one, ...after),
    named('createTable of one family twice', [
      call('createTable', table(MADE, [family('f'), family('g'), family('f', { maxVersions: 9 })])),
      ...after,
    ]),
    named(
      'createTable of hbase meta',
      call('createTable', { ...table('meta', [family('f')]), tableName: name('meta', 'hbase') }),
    ),
    named(
      'createTable of hbase namespace',
      call('createTable', { ...table('namespace', [family('f')]), tableName: name('namespace', 'hbase') }),
    ),
  ]
}

function altering(): NamedCase[] {
  const look = call('getTableDescriptor', name(T))
  const back = AS_AT_FIRST
  const of = (request: ThriftRequest): NamedCase[] => edgesOf(request, look, back)
  return [
    ...of(call('modifyColumnFamily', name(T), FAMILY)),
    named('scope 3', [call('modifyColumnFamily', name(T), family('f', { scope: 3 })), look, back]),
    ...of(call('addColumnFamily', name(T), family('h', { maxVersions: 3 }))),
    ...of(call('modifyTable', table(T, [family('f', { maxVersions: 3 })], { durability: 1 }))),
    named('modifyTable of one family twice', [
      call('modifyTable', table(T, [family('f', { maxVersions: 3 }), family('f', { maxVersions: 4 })])),
      look,
      back,
    ]),
    named('modifyTable of a missing table', call('modifyTable', table('conf_t2_schema_none', [family('f')]))),
    named('modifyTable of a family that is not there', [
      call('modifyTable', table(T, [family('f'), family('g'), family('h')])),
      look,
      back,
    ]),
    ...of(call('deleteColumnFamily', name(T), 'none')),
  ]
}

function asking(): NamedCase[] {
  return [
    call('getTableDescriptor', name(T)),
    call('getTableDescriptors', [name(T)]),
    call('tableExists', name(T)),
    call('isTableEnabled', name(T)),
    call('isTableDisabled', name(T)),
    call('isTableAvailable', name(T)),
    call('isTableAvailableWithSplit', name(T), ['m']),
    call('getTableDescriptorsByPattern', 'conf_t2_schema_no', false),
    call('getTableNamesByPattern', 'conf_t2_schema_no', false),
    call('getTableDescriptorsByNamespace', NS),
    call('getTableNamesByNamespace', NS),
    call('getNamespaceDescriptor', NS),
    call('enableTable', name('conf_t2_schema_none')),
    call('disableTable', name('conf_t2_schema_none')),
    call('deleteTable', name('conf_t2_schema_none')),
    call('truncateTable', name('conf_t2_schema_none'), true),
    call('modifyNamespace', { name: NS, configuration: { some: 'thing' } }),
  ].flatMap((request) => edgesOf(request))
}

export const thrift2SchemaArguments: Scenario = {
  name: 'thrift2-schema-arguments',
  tables: [T, MADE],
  namespaces: [NS],
  setup: [
    call('createTable', table(T, [family('f'), family('g')]), ['m']),
    AS_AT_FIRST,
    call('createNamespace', { name: NS }),
  ],
  cases: listed('thrift2-schema-argument', [...asking(), ...altering(), ...creating()]),
}
