/** Thrift 2: namespaces. A change of a missing namespace wedges HBase's master: only valid changes are made. */

import type { Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { call, cell, family, name, put } from './thrift2-words.ts'

const NS = 'conf_t2_ns'
const OTHER = 'conf_t2_ns_other'
const TABLE = `${NS}:x`

const changes: readonly Listed[] = [
  call('getNamespaceDescriptor', 'default'),
  call('getNamespaceDescriptor', 'hbase'),
  call('getNamespaceDescriptor', 'nons'),
  call('getNamespaceDescriptor', ''),
  [call('createNamespace', { name: NS, configuration: { a: 'b' } }), call('getNamespaceDescriptor', NS)],
  call('createNamespace', { name: NS }),
  [call('createNamespace', { name: OTHER }), call('getNamespaceDescriptor', OTHER)],
  call('listNamespaces'),
  call('listNamespaceDescriptors'),
  [
    call('modifyNamespace', { name: NS, configuration: { c: 'd', 'e.f': 'g' } }),
    call('getNamespaceDescriptor', NS),
  ],
  [call('modifyNamespace', { name: NS, configuration: {} }), call('getNamespaceDescriptor', NS)],
  named('names of no tables', call('getTableNamesByNamespace', NS)),
  call('createTable', { tableName: name('x', NS), columns: [family('f')] }, null),
  call('createTable', { tableName: name('x', OTHER), columns: [family('f')] }, null),
  named('put', [
    call('put', TABLE, put('r', [cell('f', 'q', 'v', { timestamp: 5n })])),
    call('get', TABLE, { row: 'r' }),
  ]),
  named('get of the other namespace', call('get', `${OTHER}:x`, { row: 'r' })),
  named('get of no namespace', call('get', 'x', { row: 'r' })),
  call('getTableDescriptor', name('x', NS)),
  named('getTableDescriptor by its full name', call('getTableDescriptor', name(TABLE))),
  call('tableExists', name('x', NS)),
  named('tableExists without namespace', call('tableExists', name('x'))),
  named('names of a table', call('getTableNamesByNamespace', NS)),
  call('getTableDescriptorsByNamespace', NS),
  call('getTableNamesByPattern', `${NS}:.`, false),
  call('getTableNamesByPattern', `${NS}.*`, false),
  call('getAllRegionLocations', TABLE),
  call('getRegionLocation', TABLE, 'r', false),
  named('delete table', [call('disableTable', name('x', OTHER)), call('deleteTable', name('x', OTHER))]),
  named('delete', [call('deleteNamespace', OTHER), call('getNamespaceDescriptor', OTHER)]),
  named('delete table and namespace', [
    call('disableTable', name('x', NS)),
    call('deleteTable', name('x', NS)),
    call('deleteNamespace', NS),
    call('getNamespaceDescriptor', NS),
    call('listNamespaces'),
  ]),
]

export const thrift2Namespaces: Scenario = {
  name: 'thrift2-namespaces',
  tables: [],
  namespaces: [],
  setup: [],
  cases: listed('thrift2-namespace', changes),
}
