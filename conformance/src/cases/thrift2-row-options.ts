/** Thrift 2: mutations of one row that differ in their options, at once and under a condition. */

import type { Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import type { Argument, Fields } from './thrift-caller.ts'
import { CompareOp } from './thrift2-requests.ts'
import { call, cell, column, family, put, reading, table } from './thrift2-words.ts'

const T = 'conf_t2_row_options'
/** A second, as Java writes a long: of a put of 1970 it is over. */
const TTL = { attributes: { _ttl: '\x00\x00\x00\x00\x00\x00\x03\xe8' } }
const LONG_AGO = 5n
const FAR_AHEAD = 4_102_444_800_000n
const DURABILITIES = [0, 1, 2, 3, 4] as const

type Change = (row: string) => Argument

function putOf(qualifier: string, options: Fields = {}, timestamp = LONG_AGO): Change {
  return (row) => ({ put: put(row, [cell('f', qualifier, qualifier)], { timestamp, ...options }) })
}
function deleteOf(qualifier: string, options: Fields = {}): Change {
  return (row) => ({ deleteSingle: { row, columns: [column('f', qualifier)], timestamp: 9n, ...options } })
}

const HISTORIES: Readonly<Record<string, readonly Change[]>> = {
  'first expires': [putOf('a', TTL), putOf('b')],
  'second expires': [putOf('a'), putOf('b', TTL)],
  'both expire': [putOf('a', TTL), putOf('b', TTL)],
  'neither has expired': [putOf('a', TTL, FAR_AHEAD), putOf('b', {}, FAR_AHEAD)],
  'an older version that expires': [putOf('a', TTL, 4n), putOf('a', {}, 6n)],
  'a newer version that expires': [putOf('a', {}, 4n), putOf('a', TTL, 6n)],
  'a delete with a time to live': [deleteOf('old', TTL), putOf('a')],
  'attributes of nobody': [putOf('a', { attributes: { mine: 'x' } }), putOf('b')],
  ...Object.fromEntries(
    DURABILITIES.map((durability) => [
      `durability ${durability} and another`,
      [
        putOf('a', { durability }),
        putOf('b', { durability: (durability + 1) % 5 }),
        deleteOf('old', { durability }),
      ],
    ]),
  ),
}

const WAYS: Readonly<
  Record<string, (row: string, mutations: readonly Argument[]) => ReturnType<typeof call>>
> = {
  mutate: (row, mutations) => call('mutateRow', T, { row, mutations }),
  'if it holds': (row, mutations) =>
    call('checkAndMutate', T, row, 'f', 'old', CompareOp.EQUAL, 'old', { row, mutations }),
  'if it does not': (row, mutations) =>
    call('checkAndMutate', T, row, 'f', 'old', CompareOp.EQUAL, 'other', { row, mutations }),
}

function rows(): Listed[] {
  return Object.entries(WAYS).flatMap(([way, ask]) =>
    Object.entries(HISTORIES).map(([history, changes]) => {
      const row = `${way} ${history}`
      return named(row, [
        call('put', T, put(row, [cell('f', 'old', 'old')], { timestamp: 3n })),
        ask(
          row,
          changes.map((make) => make(row)),
        ),
        reading(T, row),
      ])
    }),
  )
}

export const thrift2RowOptions: Scenario = {
  name: 'thrift2-row-options',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 })]))],
  cases: listed('thrift2-row-options', rows()),
}
