/** Thrift 2: cells put, one row at a time and several. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { requestWords } from '../runner/request-words.ts'
import { type Argument, combinations, type Fields, MAX } from './thrift-caller.ts'
import { call, cell, family, put, reading, table } from './thrift2-words.ts'

const T = 'conf_t2_puts'

interface Put {
  readonly cells: readonly Argument[]
  readonly fields?: Fields
}

const PUTS: readonly Put[] = [
  { cells: [cell('f', 'a', '1'), cell('f', 'b', '2', { timestamp: 7n }), cell('g', '', 'e')] },
  {
    cells: [cell('f', 'a', '0', { timestamp: 3n }), cell('f', 'z', 'max', { timestamp: MAX })],
    fields: { timestamp: 5n },
  },
  { cells: [cell('f', 'row5', 'x')], fields: { timestamp: 5n } },
  ...[0, 1, 2, 3, 4].map((durability) => ({ cells: [cell('f', 'd', 'x')], fields: { durability } })),
  { cells: [cell('f', 'typed', 'x', { type: 8, tags: 'ignored' })] },
  ...[0, 1, 4, 8, 10, 12, 14, 99].map((type) => ({
    cells: [cell('f', 'typed', 'x', { type, timestamp: 5n })],
  })),
  { cells: [cell('f', 'tags', 'x', { tags: '\x00\x01', timestamp: 5n })] },
  { cells: [cell('f', 'attributes', 'x')], fields: { attributes: { some: 'thing' } } },
  { cells: [cell('f', 'attributes', 'x')], fields: { attributes: {} } },
  { cells: [cell('f', 'ttl', 'x')], fields: { attributes: { _ttl: '\x00\x00\x00\x00\x7f\x00\x00\x00' } } },
  { cells: [] },
  { cells: [cell('nof', 'a', '1')] },
  { cells: [cell('f', 'a', '1'), cell('nof', 'a', '1')] },
  { cells: [cell('f:', 'a', '1')] },
  { cells: [cell('', 'a', '1')] },
  { cells: [cell('f', '', '')] },
  { cells: [cell('f', '\x00\xff', '\xff\x00')] },
  { cells: [cell('f', 'a', 'first', { timestamp: 5n }), cell('f', 'a', 'second', { timestamp: 5n })] },
  { cells: [cell('f', 'a', 'x')], fields: { timestamp: -3n } },
  { cells: [cell('f', 'long', 'v'.repeat(5000))] },
  { cells: [cell('f', 'label', 'x')], fields: { cellVisibility: { expression: 'a&b' } } },
  { cells: [cell('f', 'label', 'x')], fields: { cellVisibility: {} } },
]

function puts(): NamedCase[] {
  return PUTS.map(({ cells, fields }, index) => {
    const row = `p${index}`
    const label = requestWords(call('put', T, { columnValues: cells, ...fields })).replace('put ', '')
    return named(label, [call('put', T, put(row, cells, fields)), reading(T, row)])
  })
}

const TIMES = [undefined, 0n, 1n, 2n, 9007199254740993n, 1579132800000000000n, MAX - 1n, MAX]

function times(): NamedCase[] {
  return combinations(TIMES, TIMES).map(([ofRow, ofCell], index) => {
    const row = `t${index}`
    return named(labelOf({ row: ofRow, cell: ofCell }), [
      call('put', T, put(row, [cell('f', 'q', 'v', { timestamp: ofCell })], { timestamp: ofRow })),
      reading(T, row),
    ])
  })
}

const several: readonly (Request | readonly Request[])[] = [
  [
    call('putMultiple', T, [put('m1', [cell('f', 'a', '1')]), put('m2', [cell('g', 'a', '2')])]),
    call('getMultiple', T, [{ row: 'm1' }, { row: 'm2' }]),
  ],
  [
    call('putMultiple', T, [put('m3', [cell('f', 'a', '1')]), put('m4', [cell('nof', 'a', '1')])]),
    call('getMultiple', T, [{ row: 'm3' }, { row: 'm4' }]),
  ],
  call('putMultiple', T, []),
  [
    call('putMultiple', T, [put('m5', [cell('f', 'a', '1')]), put('m6', [])]),
    call('exists', T, { row: 'm5' }),
  ],
  [call('putMultiple', T, [put('m7', [cell('f', 'a', '1')]), put('', [])]), call('exists', T, { row: 'm7' })],
  [
    call('putMultiple', T, [
      put('m8', [cell('f', 'a', '1', { timestamp: 5n })]),
      put('m8', [cell('f', 'a', '2', { timestamp: 5n })]),
      put('m8', [cell('f', 'b', '3')], { timestamp: 6n, durability: 1 }),
    ]),
    reading(T, 'm8'),
  ],
  call('putMultiple', 'nope', [put('m1', [cell('f', 'a', '1')])]),
  call('putMultiple', 'nope', []),
  call('putMultiple', 'bad name', [put('m1', [cell('f', 'a', '1')])]),
  call('put', T, put('', [cell('f', 'a', '1')])),
  call('put', T, put('x'.repeat(32768), [cell('f', 'a', '1')])),
  ...['nope', 'bad name', '', 'nons:x', 'default:'].map((each) =>
    call('put', each, put('r1', [cell('f', 'a', '1')])),
  ),
  [call('put', `default:${T}`, put('m9', [cell('f', 'a', '1')])), reading(T, 'm9')],
  [call('put', T, put('\x00\xff', [cell('f', 'a', '1', { timestamp: 5n })])), reading(T, '\x00\xff')],
]

const cases: Case[] = [
  ...listed('thrift2-put', puts()),
  ...listed('thrift2-put-time', times()),
  ...listed('thrift2-puts', several),
]

export const thrift2Puts: Scenario = {
  name: 'thrift2-puts',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g')]))],
  cases,
}
