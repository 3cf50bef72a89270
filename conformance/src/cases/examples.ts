/** Worked examples of real uses: hierarchies in row keys, time as a dimension of the query, cells of the far future. */

import { type Case, type Request, rest, type Scenario, thrift1 } from '../runner/case.ts'
import { labelOf, listed, named } from '../runner/case-list.ts'
import { bytes, createTable, DeleteType, get, put, remove, scan } from './thrift2-requests.ts'

const CAMPAIGNS = 'conf_PROD_COW_CAMPAIGN'
const TIMES = 'conf_times'
const FUTURE = 1579141440000000n
const MAX = 0x7fff_ffff_ffff_ffffn
const JSON_ACCEPTED = { accept: 'application/json' }

const IDS = [
  '1',
  '1,3',
  '1,3,6',
  '1,3,7',
  '1,4',
  '1,4,8',
  '10',
  '10,77',
  '100,1',
  '2',
  '2,5',
  '2,5,9',
  '1000117',
]

const VALUES: readonly (readonly [string, bigint])[] = [
  ['0.98', 2009n],
  ['1.02', 2010n],
  ['0.93', 2011n],
  ['0.87', 2012n],
  ['1.09', 2013n],
]

function hierarchy(): Case[] {
  const path = `/${encodeURIComponent(CAMPAIGNS)}`
  const paths = [
    '10,77/d:m',
    '10%2C77',
    '10%2C*',
    '10*',
    '1%2C3*',
    '1%2C3%2C6',
    '2,2%2C6',
    '1,10/d:m',
    '36578',
  ]
  const readable = ['application/json', 'text/xml'].flatMap((accept) =>
    paths.map((row) => rest('GET', `${path}/${row}`, { accept })),
  )
  const name = bytes(CAMPAIGNS)
  return [
    ...listed('examples-hierarchy-rest', readable),
    ...listed('examples-hierarchy-thrift2', [
      named('scan', scan(CAMPAIGNS)),
      named('children of 1', scan(CAMPAIGNS, { startRow: bytes('1,'), stopRow: bytes('1-') })),
      named('reversed limit 3', scan(CAMPAIGNS, { reversed: true, limit: 3 })),
      named('row 10,77', get(CAMPAIGNS, '10,77')),
    ]),
    ...listed(
      'examples-hierarchy-thrift1',
      ['10,', '10', '1,3', '2', 'x'].map((prefix) =>
        named(
          `prefix ${prefix}`,
          thrift1('scannerOpenWithPrefix', {
            tableName: name,
            startAndPrefix: bytes(prefix),
            columns: [bytes('d:m')],
            attributes: [],
          }),
        ),
      ),
    ),
  ]
}

function inTimeRange(min: bigint, max: bigint): Request[] {
  return [
    get(TIMES, 'e', { timeRange: { minStamp: min, maxStamp: max }, maxVersions: 100 }),
    rest('GET', `/${TIMES}/e/t:v,m:label/${min},${max}?v=100`, JSON_ACCEPTED),
    rest('GET', `/${TIMES}/e/t:v/${min},${max}?v=100`, { accept: 'text/xml' }),
  ]
}

function timeDimension(): Case[] {
  const bounds: readonly (readonly [bigint, bigint])[] = [
    [2012n, 2014n],
    [2012n, MAX],
    [2009n, 2010n],
    [2010n, 2010n],
    [0n, 2009n],
    [2014n, 52011n],
    [2014n, 52012n],
    [0n, MAX],
  ]
  return listed(
    'examples-time',
    bounds.map(([since, before]) => named(labelOf({ since, before }), inTimeRange(since, before))),
  )
}

/** Deletes that remove a cell of the far future, and deletes that do not: each on a row of its own, read afterwards. */
function farFuture(): Case[] {
  const removals: Readonly<Record<string, (row: string) => Request>> = {
    row: (row) => rest('DELETE', `/${TIMES}/${row}`),
    family: (row) => rest('DELETE', `/${TIMES}/${row}/t`),
    column: (row) => rest('DELETE', `/${TIMES}/${row}/t:v`),
    cell: (row) => rest('DELETE', `/${TIMES}/${row}/t:v/${FUTURE}`),
    'another version': (row) => rest('DELETE', `/${TIMES}/${row}/t:v/${FUTURE - 1n}`),
    'row by thrift1': (row) =>
      thrift1('deleteAllRow', { tableName: bytes(TIMES), row: bytes(row), attributes: [] }),
    'column by thrift1': (row) =>
      thrift1('deleteAll', {
        tableName: bytes(TIMES),
        row: bytes(row),
        column: bytes('t:v'),
        attributes: [],
      }),
    'newest version by thrift2': (row) => remove(TIMES, row, DeleteType.version, ['t:v']),
    'version by thrift2': (row) => remove(TIMES, row, DeleteType.version, ['t:v'], FUTURE),
    'column by thrift2': (row) => remove(TIMES, row, DeleteType.column, ['t:v'], FUTURE),
    'family by thrift2': (row) => remove(TIMES, row, DeleteType.family, ['t'], FUTURE),
    'put of now': (row) => put(TIMES, row, 't:v', 'now'),
    'put of the latest time': (row) => put(TIMES, row, 't:v', 'latest', MAX),
  }
  return listed(
    'examples-far-future',
    Object.entries(removals).map(([label, removal], index) => {
      const row = `future-${index + 1}`
      return named(label, [
        put(TIMES, row, 't:v', 'far', FUTURE),
        removal(row),
        get(TIMES, row),
        get(TIMES, row, { maxVersions: 9 }),
        rest('GET', `/${TIMES}/${row}`, JSON_ACCEPTED),
      ])
    }),
  )
}

export const examples: Scenario = {
  name: 'examples',
  tables: [CAMPAIGNS, TIMES],
  namespaces: [],
  setup: [
    createTable(TIMES, [
      { name: bytes('t'), maxVersions: 100 },
      { name: bytes('m'), maxVersions: 100 },
    ]),
    ...VALUES.map(([value, year]) => put(TIMES, 'e', 't:v', value, year)),
    put(TIMES, 'e', 'm:label', 'house', 52011n),
    createTable(CAMPAIGNS, [{ name: bytes('d'), maxVersions: 10 }]),
    ...IDS.map((id) => put(CAMPAIGNS, id, 'd:m', `{"id":"${id}"}`, 7n)),
  ],
  cases: [...hierarchy(), ...timeDimension(), ...farFuture()],
}
