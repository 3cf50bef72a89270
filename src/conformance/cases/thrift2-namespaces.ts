/** Thrift 2: namespaces. HBase's master is wedged by changes of what is not there: only valid ones are asked. */

import { numbered, type Request, type Scenario } from '../runner/case.ts'
import { call, cell, family, name, put } from './thrift2-words.ts'

const NS = 'conf_t2_ns'
const OTHER = 'conf_t2_ns_other'
const TABLE = `${NS}:x`

const changes: readonly (Request | readonly Request[])[] = [
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
  call('getTableNamesByNamespace', NS),
  call('createTable', { tableName: name('x', NS), columns: [family('f')] }, null),
  call('createTable', { tableName: name('x', OTHER), columns: [family('f')] }, null),
  [call('put', TABLE, put('r', [cell('f', 'q', 'v', { timestamp: 5n })])), call('get', TABLE, { row: 'r' })],
  call('get', `${OTHER}:x`, { row: 'r' }),
  call('get', 'x', { row: 'r' }),
  call('getTableDescriptor', name('x', NS)),
  call('getTableDescriptor', name(TABLE)),
  call('tableExists', name('x', NS)),
  call('tableExists', name('x')),
  call('getTableNamesByNamespace', NS),
  call('getTableDescriptorsByNamespace', NS),
  call('getTableNamesByPattern', `${NS}:.`, false),
  call('getTableNamesByPattern', `${NS}.*`, false),
  call('getAllRegionLocations', TABLE),
  call('getRegionLocation', TABLE, 'r', false),
  [call('disableTable', name('x', OTHER)), call('deleteTable', name('x', OTHER))],
  [call('deleteNamespace', OTHER), call('getNamespaceDescriptor', OTHER)],
  [
    call('disableTable', name('x', NS)),
    call('deleteTable', name('x', NS)),
    call('deleteNamespace', NS),
    call('getNamespaceDescriptor', NS),
    call('listNamespaces'),
  ],
]

export const thrift2Namespaces: Scenario = {
  name: 'thrift2-namespaces',
  tables: [],
  namespaces: [],
  setup: [],
  cases: numbered('thrift2-namespace', changes),
}
