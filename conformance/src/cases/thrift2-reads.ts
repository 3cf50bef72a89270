/** Thrift 2: gets of rows, and checks that rows exist. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { combinations, type Fields, MAX, MAX_INT, MIN } from './thrift-caller.ts'
import { call, cell, column, family, filled, put, range, table } from './thrift2-words.ts'

const T = 'conf_t2_reads'

const COLUMNS: readonly (readonly Fields[] | undefined)[] = [
  undefined,
  [],
  [column('f')],
  [column('f', 'a')],
  [column('f', '')],
  [column('f', 'missing')],
  [column('g'), column('f', 'b')],
  [column('f'), column('f', 'a')],
  [column('f', 'a'), column('f')],
  [column('f', 'a', 2n)],
]

const RANGES: readonly (Fields | undefined)[] = [
  undefined,
  range(1n, 3n),
  range(2n, 3n),
  range(3n, 3n),
  range(0n, MAX),
  range(4n, MAX),
]

function gets(): Request[] {
  return combinations(COLUMNS, [undefined, 1, 2, 9], RANGES).map(([columns, maxVersions, timeRange]) =>
    call('get', T, { row: 'r', columns, maxVersions, timeRange }),
  )
}

const FIELDS: readonly Fields[] = [
  ...[0n, 1n, 2n, 3n, 4n, MAX - 1n, MAX, -5n, MIN].map((timestamp) => ({ timestamp })),
  ...[0n, 2n, MAX].map((timestamp) => ({ timestamp, maxVersions: 9, columns: [column('f', 'a')] })),
  { timestamp: 3n, timeRange: range(1n, 2n) },
  ...[0, -1, MAX_INT].map((maxVersions) => ({ maxVersions })),
  { timeRange: range(6n, 3n) },
  { timeRange: range(-6n, 3n) },
  { timeRange: range(MIN, MAX) },
  ...combinations([undefined, -1, 0, 1, 2, 5], [undefined, -1, 0, 1, 2]).map(([storeLimit, storeOffset]) => ({
    storeLimit,
    storeOffset,
    maxVersions: 2,
  })),
  { cacheBlocks: false },
  { cacheBlocks: true },
  { consistency: 1 },
  { consistency: 2 },
  { attributes: { any: 'thing' } },
  { attributes: {} },
  { authorizations: { labels: ['a', 'b'] } },
  { authorizations: { labels: [] } },
  { existence_only: false },
  { existence_only: true },
  { columns: [column('nof', 'a')] },
  { columns: [column('nof')] },
  { columns: [column('', 'a')] },
  { columns: [column('f:', 'a')] },
  { filterString: "QualifierFilter(=, 'binary:a')" },
  { filterString: 'KeyOnlyFilter()' },
  { filterString: '(' },
  { filterString: '' },
  { filterBytes: '\n\x00' },
  { filterBytes: '' },
  { targetReplicaId: 0 },
  { targetReplicaId: 1 },
]

function fields(): Request[] {
  return FIELDS.flatMap((each) => [
    call('get', T, { row: 'r', ...each }),
    call('exists', T, { row: 'r', ...each }),
  ])
}

const rows: readonly Request[] = [
  ...['none', 'x\x00\xff', 'bytes'].flatMap((row) => [call('get', T, { row }), call('exists', T, { row })]),
  call('get', T, { row: 'none', existence_only: true }),
  ...['nope', 'bad name', '', 'nons:x', `default:${T}`].flatMap((each) => [
    call('get', each, { row: 'r' }),
    call('exists', each, { row: 'r' }),
    call('getMultiple', each, [{ row: 'r' }]),
    call('getMultiple', each, []),
    call('existsAll', each, [{ row: 'r' }]),
    call('existsAll', each, []),
  ]),
  call('get', T, { row: '' }),
  call('exists', T, { row: '' }),
  call('existsAll', T, [{ row: 'r' }, { row: 'none' }, { row: 'bytes' }]),
  call('existsAll', T, [
    { row: 'r', columns: [column('f', 'missing')] },
    { row: 'r', timestamp: 2n },
  ]),
  call('existsAll', T, [{ row: 'r' }, { row: '' }]),
  call('getMultiple', T, [{ row: 'r', columns: [column('f', 'b')] }, { row: 'none' }, { row: 'bytes' }]),
  call('getMultiple', T, [{ row: 'r' }, { row: 'r', maxVersions: 2 }, { row: 'r', timestamp: 1n }]),
  call('getMultiple', T, [{ row: 'r', columns: [column('nof', 'b')] }, { row: 'none' }]),
  call('getMultiple', T, [{ row: 'r' }, { row: '' }]),
  call('existsAll', T, [{ row: 'r', columns: [column('nof', 'b')] }, { row: 'none' }]),
]

const cases: Case[] = [
  ...listed('thrift2-get', gets(), { leaveOut: ['get'] }),
  ...listed('thrift2-get-field', fields()),
  ...listed('thrift2-get-row', rows),
]

export const thrift2Reads: Scenario = {
  name: 'thrift2-reads',
  tables: [T],
  namespaces: [],
  setup: [
    call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g')])),
    ...filled(T, 'r'),
    call('put', T, put('bytes', [cell('f', '', ''), cell('f', '\x00\xff', '\xff\x00')], { timestamp: 5n })),
  ],
  cases,
}
