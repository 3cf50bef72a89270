/**
 * Mutations of one row that differ in their options: each has its own time to live, durability, attributes and wish for a
 * result, in atomic actions of Multi, with conditions and without.
 */

import type { RpcFields, Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import {
  binaryComparator,
  type ColumnChange,
  CompareType,
  DeleteKind,
  get,
  MutationType,
  multi,
  mutate,
  mutation,
  regionAction,
} from './rpc-requests.ts'
import { bytes, createTable } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_row_options'
const VERSIONS = { maxVersions: 10 }
const ONE = '\x00\x00\x00\x00\x00\x00\x00\x01'
/** Of these times everything with a time to live has expired, and nothing. */
const LONG_AGO = 5n
const FAR_AHEAD = 4_102_444_800_000n
const DURABILITIES = { default: 0, 'skip wal': 1, 'async wal': 2, 'sync wal': 3, 'fsync wal': 4 } as const

const setup = [createTable(TABLE, [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }])]

function attribute(name: string, value: string): RpcFields {
  return { attribute: [{ name, value: bytes(value) }] }
}
const TTL = attribute('_ttl', '\x00\x00\x00\x00\x00\x00\x03\xe8')
const LONGER_TTL = attribute('_ttl', '\x00\x00\x00\x00\x00\x00\x03\xe8\xff')
const BROKEN_TTL = attribute('_ttl', '\x01')
const WITHOUT_RESULT = attribute('_rr_', '\x00')
const WITH_RESULT = attribute('_rr_', '\xff')

type Change = (row: string) => RpcFields

function change(type: number, column: ColumnChange, options: RpcFields = {}): Change {
  return (row) => mutation(row, type, [column], options)
}
function put(name: string, options: RpcFields = {}, at = LONG_AGO): Change {
  return change(MutationType.put, [name, name, at], options)
}
function remove(name: string, options: RpcFields = {}): Change {
  return change(MutationType.delete, [name, undefined, 9n, DeleteKind.column], options)
}
function increment(name: string, options: RpcFields = {}): Change {
  return change(MutationType.increment, [name, ONE], options)
}
function append(name: string, options: RpcFields = {}): Change {
  return change(MutationType.append, [name, '+'], options)
}

/** Changes whose options differ. The row has f:n of 8 bytes and f:old. */
const HISTORIES: Readonly<Record<string, readonly Change[]>> = {
  'first expires': [put('f:a', TTL), put('f:b')],
  'second expires': [put('f:a'), put('f:b', TTL)],
  'both expire': [put('f:a', TTL), put('g:b', TTL)],
  'neither has expired': [put('f:a', TTL, FAR_AHEAD), put('f:b', {}, FAR_AHEAD)],
  'one column twice, the later one expires': [put('f:a'), put('f:a', TTL)],
  'one column twice, the first one expires': [put('f:a', TTL), put('f:a')],
  'an older version that expires': [put('f:a', TTL, 4n), put('f:a', {}, 6n)],
  'a newer version that expires': [put('f:a', {}, 4n), put('f:a', TTL, 6n)],
  'a delete with a time to live': [remove('f:old', TTL), put('f:a')],
  'a time to live with bytes behind it': [put('f:a', LONGER_TTL), put('f:b')],
  'an increment that lives on': [increment('f:n', TTL), put('f:a')],
  'a put that expires and an increment': [put('f:a', TTL), increment('f:n')],
  'results of the first': [increment('f:n'), increment('g:n', WITHOUT_RESULT)],
  'results of the second': [increment('f:n', WITHOUT_RESULT), increment('g:n')],
  'results of none': [increment('f:n', WITHOUT_RESULT), append('f:old', WITHOUT_RESULT)],
  'results of both': [increment('f:n', WITH_RESULT), append('f:old', WITH_RESULT)],
  'results of an append beside a put': [put('f:a'), append('f:old')],
  'no results of an append beside a put': [put('f:a', WITH_RESULT), append('f:old', WITHOUT_RESULT)],
  'attributes of nobody': [put('f:a', attribute('mine', 'x')), put('f:b', attribute('yours', 'y'))],
  'a cluster id of its own': [put('f:a', attribute('_c.id_', '0123456789abcdef')), put('f:b')],
  ...Object.fromEntries(
    Object.entries(DURABILITIES).map(([word, durability]) => [
      `durability ${word} and another`,
      [put('f:a', { durability }), put('f:b', { durability: (durability + 1) % 5 }), remove('f:old')],
    ]),
  ),
}

type Way = (actions: readonly RpcFields[], row: string) => ReturnType<typeof multi>

function checked(row: string, value: string): RpcFields {
  return {
    condition: {
      row: bytes(row),
      family: bytes('f'),
      qualifier: bytes('old'),
      compareType: CompareType.equal,
      comparator: binaryComparator(value),
    },
  }
}

const WAYS: Readonly<Record<string, Way>> = {
  atomic: (actions) => multi([regionAction(TABLE, actions, { atomic: true })]),
  apart: (actions) => multi([regionAction(TABLE, actions)]),
  'if it holds': (actions, row) =>
    multi([regionAction(TABLE, actions, { atomic: true, ...checked(row, 'old') })]),
  'if it does not': (actions, row) =>
    multi([regionAction(TABLE, actions, { atomic: true, ...checked(row, 'other') })]),
  'if it holds by the request': (actions, row) =>
    multi([regionAction(TABLE, actions, { atomic: true })], checked(row, 'old')),
}

function rows(): Listed[] {
  return Object.entries(WAYS).flatMap(([way, ask]) =>
    Object.entries(HISTORIES).map(([history, changes]) => {
      const row = `${way} ${history}`
      return named(`${way} ${history}`, [
        mutate(TABLE, mutation(row, MutationType.put, [['f:old', 'old', 3n]])),
        mutate(TABLE, mutation(row, MutationType.put, [['f:n', ONE, 3n]])),
        ask(
          changes.map((make) => ({ mutation: make(row) })),
          row,
        ),
        get(TABLE, row, VERSIONS),
      ])
    }),
  )
}

/** The same options on single changes, under conditions. */
function singles(): Listed[] {
  const changes: readonly (readonly [string, Change])[] = [
    ['put that expires', put('f:a', TTL)],
    ['put that lives', put('f:a', TTL, FAR_AHEAD)],
    ['increment', increment('f:n')],
    ['increment without a result', increment('f:n', WITHOUT_RESULT)],
    ['append without a result', append('f:old', WITHOUT_RESULT)],
    ['delete with durability', remove('f:old', { durability: DURABILITIES['skip wal'] })],
  ]
  return changes.flatMap(([word, make]) =>
    ['old', 'other', undefined].map((value) => {
      const label = `${word} ${value === undefined ? 'at once' : `if ${value}`}`
      const row = `single ${label}`
      return named(label, [
        mutate(TABLE, mutation(row, MutationType.put, [['f:old', 'old', 3n]])),
        mutate(TABLE, mutation(row, MutationType.put, [['f:n', ONE, 3n]])),
        mutate(TABLE, make(row), value === undefined ? {} : checked(row, value)),
        get(TABLE, row, VERSIONS),
      ])
    }),
  )
}

/** A time to live of too few bytes: nothing is written, of what stands beside it either. */
function broken(): Listed[] {
  const changes = [put('f:a', BROKEN_TTL), put('f:b')]
  const ways = [
    ...Object.entries(WAYS).filter(([way]) => way !== 'if it does not'),
    [
      'alone',
      (actions: readonly RpcFields[]) => mutate(TABLE, actions[0]!['mutation'] as RpcFields),
    ] as const,
  ]
  return ways.map(([way, ask]) => {
    const row = `broken ${way}`
    return named(way, [
      mutate(TABLE, mutation(row, MutationType.put, [['f:old', 'old', 3n]])),
      ask(
        changes.map((make) => ({ mutation: make(row) })),
        row,
      ),
      get(TABLE, row, VERSIONS),
    ])
  })
}

/** Several rows of one region, each atomic by itself in one call. */
function several(): Listed[] {
  const of = (row: string, ...changes: readonly Change[]): RpcFields =>
    regionAction(
      TABLE,
      changes.map((make) => ({ mutation: make(row) })),
      { atomic: true },
    )
  return [
    named('a row that expires and one that does not', [
      multi([of('s1', put('f:a', TTL), put('f:b')), of('s2', put('f:a'), put('f:b', TTL))]),
      get(TABLE, 's1', VERSIONS),
      get(TABLE, 's2', VERSIONS),
    ]),
    named('a row with results and one without', [
      multi([of('s3', increment('f:n')), of('s4', increment('f:n', WITHOUT_RESULT))]),
      get(TABLE, 's3'),
      get(TABLE, 's4'),
    ]),
    named('a bad row beside a good one', [
      multi([of('s5', put('f:a', TTL), put('x:b')), of('s6', put('f:a'), put('f:b', TTL))]),
      get(TABLE, 's5'),
      get(TABLE, 's6'),
    ]),
  ]
}

export const rpcRowOptions: Scenario = {
  name: 'rpc-row-options',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-row-options', rows()),
    ...listed('rpc-row-options-single', singles()),
    ...listed('rpc-row-options-broken', broken()),
    ...listed('rpc-row-options-several', several()),
  ],
}
