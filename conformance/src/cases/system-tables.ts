/** hbase:meta and hbase:namespace: listed, described, read and refused as ordinary tables are not. */

import { type Request, rest, type Scenario } from '../runner/case.ts'
import { listed, named } from '../runner/case-list.ts'
import { caller } from './thrift-caller.ts'

const T = 'conf_system'
const NAMESPACE = 'conf_system_ns'
const call1 = caller('thrift1')
const call2 = caller('thrift2')
const JSON_TYPE = { accept: 'application/json' }

const META = { ns: 'hbase', qualifier: 'meta' }
const NAMESPACES = { ns: 'hbase', qualifier: 'namespace' }
const STATES = [
  { family: 'table', qualifier: 'state' },
  { family: 'info', qualifier: 'state' },
  { family: 'info', qualifier: 'seqnumDuringOpen' },
]
/** The rows of hbase:meta of this scenario's table. */
const OWN_ROWS = { startRow: T, stopRow: `${T}-` }

const scan = (fields: Parameters<typeof call2>[1], rows = 100): Request =>
  call2('getScannerResults', 'hbase:meta', fields, rows)

const read: readonly Request[] = [
  call2('get', 'hbase:meta', { row: T }),
  call2('get', 'hbase:meta', { row: 'conf_system_nobody' }),
  call2('get', 'hbase:meta', { row: T, columns: [{ family: 'info' }] }),
  call2('get', 'hbase:meta', { row: T, columns: [{ family: 'none' }] }),
  call2('exists', 'hbase:meta', { row: T }),
  call2('getMultiple', 'hbase:meta', [{ row: T }, { row: 'conf_system_nobody' }, { row: T }]),
  scan({ ...OWN_ROWS, columns: STATES }),
  scan({ ...OWN_ROWS, columns: STATES }, 1),
  scan({ ...OWN_ROWS, columns: STATES.slice(1, 2) }),
  scan({ startRow: `${T}-`, stopRow: T, columns: STATES, reversed: true }),
  scan({ ...OWN_ROWS, columns: STATES, filterString: "QualifierFilter(=, 'binary:state')" }),
  scan({ ...OWN_ROWS, columns: STATES, filterString: `PrefixFilter('${T},b')` }),
  scan({ ...OWN_ROWS, columns: STATES, limit: 2 }),
  scan({ ...OWN_ROWS, columns: STATES, batchSize: 1 }),
  call1('getRow', 'hbase:meta', T, {}),
  call1('getRowWithColumns', 'hbase:meta', T, ['table:state'], {}),
  call1('get', 'hbase:meta', T, 'table:state', {}),
  call2('get', 'hbase:namespace', { row: 'default' }),
  call2('get', 'hbase:namespace', { row: NAMESPACE }),
  call2('get', 'hbase:namespace', { row: 'conf_system_nobody' }),
  call2('getScannerResults', 'hbase:namespace', { startRow: 'conf_system', stopRow: 'conf_systen' }, 10),
]

const shown: readonly Request[] = [
  ...[META, NAMESPACES].flatMap((table) => [
    call2('tableExists', table),
    call2('isTableEnabled', table),
    call2('isTableDisabled', table),
    call2('isTableAvailable', table),
    call2('getTableDescriptor', table),
  ]),
  call2('getTableDescriptors', [META, NAMESPACES]),
  call2('getTableNamesByNamespace', 'hbase'),
  call2('getTableDescriptorsByNamespace', 'hbase'),
  call2('getTableNamesByPattern', 'hbase:.*', true),
  call2('getTableNamesByPattern', 'hbase:.*', false),
  call2('getAllRegionLocations', 'hbase:meta'),
  call2('getRegionLocation', 'hbase:meta', 'x', false),
  call2('getAllRegionLocations', 'hbase:namespace'),
  call1('isTableEnabled', 'hbase:meta'),
  call1('getColumnDescriptors', 'hbase:meta'),
  call1('getColumnDescriptors', 'hbase:namespace'),
  call1('getTableRegions', 'hbase:namespace'),
  rest('GET', '/namespaces/hbase/tables', JSON_TYPE),
  rest('GET', '/hbase:meta/exists', JSON_TYPE),
  rest('GET', '/hbase:meta/schema', JSON_TYPE),
  rest('GET', '/hbase:meta/regions', JSON_TYPE),
  rest('GET', '/hbase:namespace/schema', JSON_TYPE),
  rest('GET', '/hbase:namespace/regions', JSON_TYPE),
]

/** Only what HBase refuses: what it lets a client do to these tables would end it. */
const refused: readonly Request[] = [
  call2('createTable', { tableName: META, columns: [{ name: 'f' }] }, []),
  call2('createTable', { tableName: NAMESPACES, columns: [{ name: 'f' }] }, []),
  call2('deleteTable', META),
  call2('deleteTable', NAMESPACES),
  call2('truncateTable', META, true),
  call2('truncateTable', NAMESPACES, true),
  call2('enableTable', META),
  call2('enableTable', NAMESPACES),
  call2('disableTable', META),
  call1('createTable', 'hbase:meta', [{ name: 'f:' }]),
  call1('disableTable', 'hbase:meta'),
  call1('deleteTable', 'hbase:meta'),
  rest('DELETE', '/hbase:meta/schema'),
]

const DOORS = ['thrift1', 'thrift2', 'rest'] as const

function isOf(door: Request['door']): (request: Request) => boolean {
  return (request) => request.door === door
}

const create = { tableName: { ns: 'default', qualifier: T }, columns: [{ name: 'f' }] }

export const systemTables: Scenario = {
  name: 'system-tables',
  tables: [T],
  namespaces: [NAMESPACE],
  setup: [
    call2('createNamespace', { name: NAMESPACE, configuration: { colour: 'red' } }),
    call2('createTable', create, ['b', 'c,d']),
  ],
  cases: [
    ...listed('system-read', read),
    ...DOORS.flatMap((door) => listed(`system-told-${door}`, shown.filter(isOf(door)))),
    ...DOORS.flatMap((door) => listed(`system-refused-${door}`, refused.filter(isOf(door)))),
    ...listed('system-disabled', [
      named('meta tells that a table is disabled', [
        call2('disableTable', { ns: 'default', qualifier: T }),
        scan({ ...OWN_ROWS, columns: STATES.slice(0, 2) }),
      ]),
    ]),
  ],
}
