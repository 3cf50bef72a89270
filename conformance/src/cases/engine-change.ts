/** Atomic changes of a row: increments, appends, conditions; and 64-bit extremes through every door. */

import {
  type Case,
  type Request,
  rest,
  type Scenario,
  type ThriftValue,
  thrift1,
  thrift2,
} from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { bytes, CompareOp, column, createTable, get, put, remove } from './thrift2-requests.ts'

const TABLE = 'conf_change'
const MAX = 0x7fff_ffff_ffff_ffffn
const MIN = -0x8000_0000_0000_0000n

function increment(row: string, amounts: readonly (readonly [string, bigint])[], options = {}): Request {
  const columns = amounts.map(([name, amount]) => ({ ...column(name), amount }))
  return thrift2('increment', { table: bytes(TABLE), tincrement: { row: bytes(row), columns, ...options } })
}

function append(row: string, values: readonly (readonly [string, string])[], options = {}): Request {
  const columns = values.map(([name, value]) => ({ ...column(name), value: bytes(value) }))
  return thrift2('append', { table: bytes(TABLE), tappend: { row: bytes(row), columns, ...options } })
}

function increments(): NamedCase[] {
  const extremes = [0n, 1n, -1n, 255n, 2n ** 53n + 1n, MAX, MIN]
  const sums = extremes.flatMap((a, i) =>
    extremes.map((b, j) => {
      const row = `sum-${i}-${j}`
      return named(`${a} and ${b}`, [increment(row, [['f:c', a]]), increment(row, [['f:c', b]])])
    }),
  )
  return [
    ...sums,
    named('two columns', [
      increment('two', [
        ['f:a', 1n],
        ['f:b', 2n],
      ]),
      increment('two', [
        ['f:b', 5n],
        ['f:a', -3n],
      ]),
    ]),
    named('text', [
      put(TABLE, 'text', 'f:c', 'not a number'),
      increment('text', [['f:c', 1n]]),
      get(TABLE, 'text'),
    ]),
    named('two bytes', [put(TABLE, 'short', 'f:c', '\x00\x01'), increment('short', [['f:c', 1n]])]),
    named('empty value', [put(TABLE, 'empty', 'f:c', ''), increment('empty', [['f:c', 1n]])]),
    named('cell of the future', [
      put(TABLE, 'future', 'f:c', '\x00\x00\x00\x00\x00\x00\x00\x05', 5_000_000_000_000n),
      increment('future', [['f:c', 1n]]),
      get(TABLE, 'future', { maxVersions: 9 }),
    ]),
    named('unknown family', increment('family', [['nosuch:c', 1n]])),
    named('no columns', increment('none', [])),
    named('empty row', increment('', [['f:c', 1n]])),
    named('after a delete in the future', [
      increment('gone', [['f:c', 4n]]),
      remove(TABLE, 'gone', 1, ['f:c'], 5_000_000_000_000n),
      increment('gone', [['f:c', 1n]]),
    ]),
    named('without results', [
      increment('quiet', [['f:c', 1n]], { returnResults: false }),
      increment('quiet', [['f:c', 1n]]),
    ]),
    named('thrift1 atomicIncrement', [
      thrift1('atomicIncrement', {
        tableName: bytes(TABLE),
        row: bytes('t1'),
        column: bytes('f:c'),
        value: 5n,
      }),
    ]),
    named('thrift1 increment', [
      thrift1('increment', {
        increment: { table: bytes(TABLE), row: bytes('t1b'), column: bytes('f:c'), ammount: 7n },
      }),
      get(TABLE, 't1b', { columns: [column('f:c')] }),
    ]),
  ]
}

function appends(): NamedCase[] {
  return [
    named('twice', [append('a1', [['f:q', 'one']]), append('a1', [['f:q', 'two']]), get(TABLE, 'a1')]),
    named('two columns', [
      append('a2', [
        ['f:q', 'x'],
        ['f:p', 'y'],
      ]),
      append('a2', [['f:p', 'z']]),
    ]),
    named('empty value', [append('a3', [['f:q', '']]), append('a3', [['f:q', 'after']])]),
    named('unknown family', append('a4', [['nosuch:q', 'x']])),
    named('no columns', append('a5', [])),
    named('empty row', append('', [['f:q', 'x']])),
    named('without results', append('a6', [['f:q', 'x']], { returnResults: false })),
    named('cell of the future', [
      put(TABLE, 'a7', 'f:q', 'far', 5_000_000_000_000n),
      append('a7', [['f:q', '+']]),
      get(TABLE, 'a7', { maxVersions: 9 }),
    ]),
  ]
}

function checkAndMutate(
  row: string,
  compareOp: number,
  value: Buffer | undefined,
  mutations: ThriftValue,
): Request {
  return thrift2('checkAndMutate', {
    table: bytes(TABLE),
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes('q'),
    compareOp,
    value,
    rowMutations: { row: bytes(row), mutations: mutations as readonly ThriftValue[] },
  })
}

function conditions(): NamedCase[] {
  const values = ['', 'a', 'b', 'bb', 'c']
  return COMPARE_OPS.flatMap(([operator, compareOp]) =>
    [undefined, ...values].flatMap((held, i) =>
      values.map((asked, j) => {
        const row = `check-${compareOp}-${i}-${j}`
        const done = {
          put: { row: bytes(row), columnValues: [{ ...column('f:done'), value: bytes('1'), timestamp: 1n }] },
        }
        return named(`${operator} ${asked || 'empty'} held ${held ?? 'nothing'}`, [
          ...(held === undefined ? [] : [put(TABLE, row, 'f:q', held, 1n)]),
          checkAndMutate(row, compareOp, bytes(asked), [done]),
          get(TABLE, row),
        ])
      }),
    ),
  )
}

function donePut(row: string): ThriftValue {
  return { row: bytes(row), columnValues: [{ ...column('f:done'), value: bytes('1'), timestamp: 1n }] }
}

function checkedPutsAndDeletes(): NamedCase[] {
  const given = (row: string, value: Buffer | undefined): ThriftValue => ({
    table: bytes(TABLE),
    row: bytes(row),
    family: bytes('f'),
    qualifier: bytes('q'),
    value,
  })
  const run = (method: string, row: string, value: Buffer | undefined, change: object): Request =>
    thrift2(method, { ...(given(row, value) as object), ...change })
  return [
    named('put if nothing is held and nothing is', [
      run('checkAndPut', 'cp1', undefined, { tput: donePut('cp1') }),
      get(TABLE, 'cp1'),
    ]),
    named('put if nothing is held', [
      put(TABLE, 'cp2', 'f:q', 'x', 1n),
      run('checkAndPut', 'cp2', undefined, { tput: donePut('cp2') }),
      get(TABLE, 'cp2'),
    ]),
    named('put if held', [
      put(TABLE, 'cp3', 'f:q', 'x', 1n),
      run('checkAndPut', 'cp3', bytes('x'), { tput: donePut('cp3') }),
      get(TABLE, 'cp3'),
    ]),
    named('put if another is held', [
      put(TABLE, 'cp4', 'f:q', 'x', 1n),
      run('checkAndPut', 'cp4', bytes('y'), { tput: donePut('cp4') }),
      get(TABLE, 'cp4'),
    ]),
    named('put to another row', run('checkAndPut', 'cp5', undefined, { tput: donePut('another') })),
    named('delete if held', [
      put(TABLE, 'cd1', 'f:q', 'x', 1n),
      run('checkAndDelete', 'cd1', bytes('x'), { tdelete: { row: bytes('cd1') } }),
      get(TABLE, 'cd1'),
    ]),
    named('delete if another is held', [
      put(TABLE, 'cd2', 'f:q', 'x', 1n),
      run('checkAndDelete', 'cd2', bytes('no'), { tdelete: { row: bytes('cd2') } }),
      get(TABLE, 'cd2'),
    ]),
    named(
      'delete if nothing is held',
      run('checkAndDelete', 'cd3', undefined, { tdelete: { row: bytes('cd3') } }),
    ),
  ]
}

/** Without NO_OP: the real server retries it for ever. */
const COMPARE_OPS = Object.entries(CompareOp).filter(([, operator]) => operator !== CompareOp.NO_OP)

const TIMES = [0n, 1n, 2n ** 31n, 2n ** 32n, 2n ** 53n + 1n, 1579132800000000000n, MAX - 1n]

function timestamps(): Case[] {
  const accept = { accept: 'application/json' }
  const doors = TIMES.map((timestamp) => {
    const row = `time-${timestamp}`
    return named(`${timestamp}`, [
      put(TABLE, row, 'f:q', 'v', timestamp),
      get(TABLE, row),
      get(TABLE, row, { timestamp }),
      thrift1('getRow', { tableName: bytes(TABLE), row: bytes(row) }),
      rest('GET', `/${TABLE}/${row}`, accept),
      rest('GET', `/${TABLE}/${row}`, { accept: 'text/xml' }),
      rest('GET', `/${TABLE}/${row}/f:q/${timestamp},${MAX}`, accept),
    ])
  })
  const written = TIMES.map((timestamp) => {
    const row = `rest-time-${timestamp}`
    const cell = `{"column":"Zjpx","timestamp":${timestamp},"$":"dg=="}`
    const body = `{"Row":[{"key":"${Buffer.from(row).toString('base64')}","Cell":[${cell}]}]}`
    return named(`${timestamp}`, [
      rest('PUT', `/${TABLE}/${row}`, { 'content-type': 'application/json' }, body),
      get(TABLE, row),
      rest('DELETE', `/${TABLE}/${row}/f:q/${timestamp}`),
      get(TABLE, row),
    ])
  })
  return [...listed('engine-time', doors), ...listed('engine-time-rest', written)]
}

export const engineChange: Scenario = {
  name: 'engine-change',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE, [{ name: bytes('f'), maxVersions: 5 }])],
  cases: [
    ...listed('engine-increment', increments()),
    ...listed('engine-append', appends()),
    ...listed('engine-check', conditions()),
    ...listed('engine-checked', checkedPutsAndDeletes()),
    ...timestamps(),
  ],
}
