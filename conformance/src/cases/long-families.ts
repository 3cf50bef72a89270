/**
 * Changes of columns whose family is longer than a KeyValue can state, by every door. The low byte of the longest one's length is the
 * length of a family that the table has: a server that cuts it off writes to another column.
 */

import { type Request, rest, type Scenario } from '../runner/case.ts'
import { labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { BINARY, b64, createTable, get, JSON_TYPE, rowJson, send, XML } from './rest-request.ts'
import * as rpc from './rpc-requests.ts'
import * as thrift1 from './thrift1-words.ts'
import * as thrift2 from './thrift2-words.ts'

const T = 'conf_long_families'
const LENGTHS = [127, 128, 255, 257]
const EIGHT = '\x00\x00\x00\x00\x00\x00\x00\x01'

type Changes = Readonly<Record<string, (row: string, family: string) => Request>>

const xmlRow = (row: string, column: string): string =>
  `<CellSet><Row key="${b64(row)}"><Cell column="${b64(column)}" timestamp="3">eA==</Cell></Row></CellSet>`

const overRest: Changes = {
  json: (row, family) => send('PUT', `/${T}/x`, JSON_TYPE, rowJson(row, [`${family}:q`, 'x', 3])),
  xml: (row, family) => send('PUT', `/${T}/x`, XML, xmlRow(row, `${family}:q`)),
  value: (row, family) => send('PUT', `/${T}/${row}/${family}:q/3`, BINARY, 'x'),
  'check and put': (row, family) =>
    send(
      'PUT',
      `/${T}/${row}?check=put`,
      JSON_TYPE,
      rowJson(row, [`${family}:q`, 'x', 3], [`${family}:q`, '']),
    ),
  'delete of a column': (row, family) => rest('DELETE', `/${T}/${row}/${family}:q`),
  'delete of a family': (row, family) => rest('DELETE', `/${T}/${row}/${family}`),
  get: (row, family) => get(`/${T}/${row}/${family}:q`),
}

/** Without increments: HBase's gateway repeats for minutes what its region servers refuse. */
const overThrift1: Changes = {
  put: (row, family) => thrift1.call('mutateRowTs', T, row, [thrift1.put(`${family}:q`, 'x')], 3n, {}),
  'delete of a column': (row, family) =>
    thrift1.call('mutateRowTs', T, row, [thrift1.gone(`${family}:q`)], 3n, {}),
  'delete of a family': (row, family) => thrift1.call('mutateRowTs', T, row, [thrift1.gone(family)], 3n, {}),
  rows: (row, family) =>
    thrift1.call('mutateRowsTs', T, [thrift1.batch(row, thrift1.put(`${family}:q`, 'x'))], 3n, {}),
  'all of a column': (row, family) => thrift1.call('deleteAllTs', T, row, `${family}:q`, 3n, {}),
  append: (row, family) =>
    thrift1.call('append', { table: T, row, columns: [`${family}:q`], values: [EIGHT] }),
  'check and put': (row, family) =>
    thrift1.call('checkAndPut', T, row, 'f:none', null, thrift1.put(`${family}:q`, 'x'), {}),
}

const overThrift2: Changes = {
  put: (row, family) =>
    thrift2.call('put', T, thrift2.put(row, [thrift2.cell(family, 'q', 'x')], { timestamp: 3n })),
  puts: (row, family) =>
    thrift2.call('putMultiple', T, [thrift2.put(row, [thrift2.cell(family, 'q', 'x')], { timestamp: 3n })]),
  'delete of a column': (row, family) =>
    thrift2.call('deleteSingle', T, { row, columns: [thrift2.column(family, 'q')], timestamp: 3n }),
  'delete of a family': (row, family) =>
    thrift2.call('deleteSingle', T, { row, columns: [thrift2.column(family)], timestamp: 3n }),
  increment: (row, family) =>
    thrift2.call('increment', T, { row, columns: [{ family, qualifier: 'q', amount: 1n }] }),
  append: (row, family) => thrift2.call('append', T, { row, columns: [thrift2.cell(family, 'q', EIGHT)] }),
  'check and put': (row, family) =>
    thrift2.call(
      'checkAndPut',
      T,
      row,
      'f',
      'none',
      null,
      thrift2.put(row, [thrift2.cell(family, 'q', 'x')]),
    ),
}

function overRpc(type: keyof typeof rpc.MutationType, kind?: number) {
  return (row: string, family: string): Request =>
    rpc.mutate(T, rpc.mutation(row, rpc.MutationType[type], [[`${family}:q`, EIGHT, 3n, kind]]))
}

const overNative: Changes = {
  put: overRpc('put'),
  delete: overRpc('delete', rpc.DeleteKind.column),
  increment: overRpc('increment'),
  append: overRpc('append'),
}

function changes(door: string, all: Changes): NamedCase[] {
  return Object.entries(all).flatMap(([change, request]) =>
    LENGTHS.map((bytes) => {
      const row = `${door}-${change.replaceAll(' ', '-')}-${bytes}`
      // All of the row: what a cut length would have written is there, too.
      return named(labelOf({ [change]: bytes }), [request(row, 'f'.repeat(bytes)), get(`/${T}/${row}`)])
    }),
  )
}

export const longFamilies: Scenario = {
  name: 'long-families',
  tables: [T],
  namespaces: [],
  setup: [createTable(T)],
  cases: [
    ...listed('long-families-rest', changes('rest', overRest)),
    ...listed('long-families-thrift1', changes('t1', overThrift1)),
    ...listed('long-families-thrift2', changes('t2', overThrift2)),
    ...listed('long-families-rpc', changes('rpc', overNative)),
  ],
}
