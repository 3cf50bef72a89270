/** A table that refuses puts from the future, by hbase.hregion.keyvalue.timestamp.slop.millisecs. */

import { type Scenario, type ThriftRequest, type ThriftValue, thrift2 } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { JSON_TYPE, rowJson, send } from './rest-request.ts'
import { bytes, DeleteType, get, put, remove } from './thrift2-requests.ts'

const TABLE = 'conf_slop'
const PAST = 1_000n
/** In the year 3000. */
const FUTURE = 32_503_680_000_000n

interface Value {
  readonly column: string
  readonly timestamp?: bigint
}

function fields(row: string, values: readonly Value[]): Readonly<Record<string, ThriftValue>> {
  const columnValues = values.map(({ column, timestamp }) => {
    const [family, qualifier] = column.split(':')
    return { family: bytes(family!), qualifier: bytes(qualifier!), value: bytes('value'), timestamp }
  })
  return { row: bytes(row), columnValues }
}

function putAll(row: string, ...values: Value[]): ThriftRequest {
  return thrift2('put', { table: bytes(TABLE), tput: fields(row, values) })
}

const counted = { family: bytes('f'), qualifier: bytes('n'), amount: 1n }

const cases: readonly Listed[] = [
  named('past', put(TABLE, 'a', 'f:q', 'v', PAST)),
  named('present', put(TABLE, 'a', 'f:p', 'v')),
  named('future', put(TABLE, 'a', 'f:q', 'v', FUTURE)),
  named('greatest time', put(TABLE, 'a', 'f:r', 'v', 0x7fff_ffff_ffff_ffffn)),
  named('greatest time but one', put(TABLE, 'a', 'f:r', 'v', 0x7fff_ffff_ffff_fffen)),
  named('odd names', put(TABLE, '\x00\xff/', 'f:\n:', 'v', FUTURE)),
  named(
    'past and future',
    putAll('b', { column: 'f:a', timestamp: PAST }, { column: 'f:b', timestamp: FUTURE }),
  ),
  named(
    'two of the future',
    putAll('b', { column: 'f:b', timestamp: FUTURE + 1n }, { column: 'f:a', timestamp: FUTURE }),
  ),
  named(
    'unknown family',
    putAll('b', { column: 'f:a', timestamp: FUTURE }, { column: 'x:a', timestamp: PAST }),
  ),
  named(
    'unknown family first',
    putAll('b', { column: 'x:a', timestamp: PAST }, { column: 'f:a', timestamp: FUTURE }),
  ),
  named(
    'several rows',
    thrift2('putMultiple', {
      table: bytes(TABLE),
      tputs: [
        fields('c', [{ column: 'f:q', timestamp: PAST }]),
        fields('d', [{ column: 'f:q', timestamp: FUTURE }]),
        fields('e', [{ column: 'f:q', timestamp: PAST }]),
      ],
    }),
  ),
  ...['a', 'b', 'c', 'd', 'e'].map((row) => named(`then ${row}`, get(TABLE, row, { maxVersions: 3 }))),
  named(
    'under a condition',
    thrift2('checkAndPut', {
      table: bytes(TABLE),
      row: bytes('f'),
      family: bytes('f'),
      qualifier: bytes('q'),
      tput: fields('f', [{ column: 'f:q', timestamp: FUTURE }]),
    }),
  ),
  named(
    'with others in a row',
    thrift2('mutateRow', {
      table: bytes(TABLE),
      trowMutations: {
        row: bytes('g'),
        mutations: [
          { put: fields('g', [{ column: 'f:p', timestamp: PAST }]) },
          { put: fields('g', [{ column: 'f:q', timestamp: FUTURE }]) },
        ],
      },
    }),
  ),
  ...['f', 'g'].map((row) => named(`then ${row}`, get(TABLE, row))),
  named('delete of the future', remove(TABLE, 'a', DeleteType.column, ['f:q'], FUTURE)),
  named('what it hides', get(TABLE, 'a', { columns: [{ family: bytes('f'), qualifier: bytes('q') }] })),
  named(
    'increment',
    thrift2('increment', { table: bytes(TABLE), tincrement: { row: bytes('h'), columns: [counted] } }),
  ),
  named(
    'over REST',
    send('PUT', `/${TABLE}/r`, JSON_TYPE, rowJson('r', ['f:a', 'v', 1], ['f:b', 'v', String(FUTURE)])),
  ),
]

const SCHEMA = {
  name: TABLE,
  'hbase.hregion.keyvalue.timestamp.slop.millisecs': '86400000',
  ColumnSchema: [{ name: 'f', VERSIONS: '3' }],
}

export const engineSlop: Scenario = {
  name: 'engine-slop',
  tables: [TABLE],
  namespaces: [],
  setup: [send('PUT', `/${TABLE}/schema`, JSON_TYPE, JSON.stringify(SCHEMA))],
  cases: listed('engine-slop', cases),
}
