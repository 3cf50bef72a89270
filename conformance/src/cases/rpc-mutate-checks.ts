/** Mutations under conditions, and mutations whose cells stand behind the message: parts of the scenario `rpc-mutate`. */

import type { RpcCell, RpcFields, RpcRequest } from '../runner/case.ts'
import { type Listed, labelOf, named } from '../runner/case-list.ts'
import {
  binaryComparator,
  CompareType,
  DeleteKind,
  get,
  MutationType,
  mutate,
  mutation,
} from './rpc-requests.ts'
import { combinations, MAX } from './thrift-caller.ts'
import { bytes } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_mutate'
const VERSIONS = { maxVersions: 10 }
/** HBase: HConstants.LATEST_TIMESTAMP, which clients send for "now". */
const LATEST = MAX

const condition = (row: string, value: string): RpcFields => ({
  row: bytes(row),
  family: bytes('f'),
  qualifier: bytes('a'),
  compareType: CompareType.equal,
  comparator: binaryComparator(value),
})

const cell = (row: string, name: string, timestamp: bigint, type: number, value = ''): RpcCell => ({
  row: bytes(row),
  family: bytes(name.slice(0, 1)),
  qualifier: bytes(name.slice(2)),
  timestamp,
  type,
  value: bytes(value),
})

interface Checked {
  readonly word: string
  readonly condition: RpcFields
}

/** Conditions on f:a, which holds `old`, and on columns that are not there. */
function conditions(): Checked[] {
  const values = ['old', 'ola', 'olz', ''] as const
  const compared = combinations(Object.entries(CompareType), values, ['f:a', 'f:none'] as const).map(
    ([[operator, compareType], value, name]) => ({
      word: labelOf({ [operator]: value || 'empty', of: name }),
      condition: {
        family: bytes('f'),
        qualifier: bytes(name.slice(2)),
        compareType,
        comparator: binaryComparator(value),
      },
    }),
  )
  const equalOld = { compareType: CompareType.equal, comparator: binaryComparator('old') }
  return [
    ...compared,
    {
      word: 'within times',
      condition: { family: bytes('f'), qualifier: bytes('a'), ...equalOld, timeRange: { from: 5n, to: 6n } },
    },
    {
      word: 'beyond times',
      condition: { family: bytes('f'), qualifier: bytes('a'), ...equalOld, timeRange: { from: 6n, to: 9n } },
    },
    { word: 'family nosuch', condition: { family: bytes('x'), qualifier: bytes('a'), ...equalOld } },
    {
      word: 'by a filter that passes',
      condition: {
        filter: { name: 'org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter', serializedFilter: bytes('') },
      },
    },
    {
      word: 'by a filter that passes nothing',
      condition: {
        filter: { name: 'org.apache.hadoop.hbase.filter.PrefixFilter', serializedFilter: bytes('\x0a\x01~') },
      },
    },
    {
      word: 'of another row',
      condition: { row: bytes('c9'), family: bytes('f'), qualifier: bytes('a'), ...equalOld },
    },
  ]
}

export function checks(): Listed[] {
  return conditions().map(({ word, condition }) => {
    const row = `check ${word}`
    return named(`check ${word}`, [
      mutate(TABLE, mutation(row, MutationType.put, [['f:a', 'old', 5n]])),
      mutate(TABLE, mutation(row, MutationType.put, [['f:b', 'new', 9n]]), {
        condition: { row: bytes(row), ...condition },
      }),
      get(TABLE, row, VERSIONS),
    ])
  })
}

export function checkedOthers(): Listed[] {
  const one = '\x00\x00\x00\x00\x00\x00\x00\x01'
  return combinations(
    ['old', 'other'] as const,
    [
      ['delete', MutationType.delete, ['f:a', undefined, undefined, DeleteKind.column]],
      ['increment', MutationType.increment, ['g:n', one]],
      ['append', MutationType.append, ['f:a', '+']],
    ] as const,
  ).map(([value, [word, type, column]]) => {
    const row = `checked ${word} ${value}`
    return named(`checked ${word} ${value}`, [
      mutate(TABLE, mutation(row, MutationType.put, [['f:a', 'old', 5n]])),
      mutate(TABLE, mutation(row, type, [column]), { condition: condition(row, value) }),
      get(TABLE, row),
    ])
  })
}

/** The same changes with their cells behind the message, as Java's client sends them. */
export function blocks(): Listed[] {
  const ofCells = (
    row: string,
    mutateType: number,
    cells: readonly RpcCell[],
    count = cells.length,
  ): RpcRequest => ({
    ...mutate(TABLE, { row: bytes(row), mutateType, associatedCellCount: count }),
    cells,
  })
  return [
    named('block put', [
      ofCells('b1', MutationType.put, [cell('b1', 'f:a', 7n, 4, 'v'), cell('b1', 'g:a', 8n, 4, 'w')]),
      get(TABLE, 'b1'),
    ]),
    named('block put now', [
      ofCells('b2', MutationType.put, [cell('b2', 'f:a', LATEST, 4, 'v')]),
      get(TABLE, 'b2'),
    ]),
    ...[8, 10, 12, 14].map((type) => {
      const row = `bd${type}`
      return named(`block delete ${type}`, [
        ofCells(
          row,
          MutationType.put,
          [1n, 2n, 3n].map((at) => cell(row, 'f:a', at, 4, `${at}`)),
        ),
        ofCells(row, MutationType.delete, [cell(row, 'f:a', 2n, type)]),
        get(TABLE, row, VERSIONS),
      ])
    }),
    named(
      'block increment',
      ofCells('b3', MutationType.increment, [
        cell('b3', 'f:n', LATEST, 4, '\x00\x00\x00\x00\x00\x00\x00\x02'),
      ]),
    ),
    named('block append', ofCells('b4', MutationType.append, [cell('b4', 'f:a', LATEST, 4, 'x')])),
    named('block of too few cells', ofCells('b5', MutationType.put, [cell('b5', 'f:a', 7n, 4, 'v')], 2)),
    named('block of another row', ofCells('b6', MutationType.put, [cell('other', 'f:a', 7n, 4, 'v')])),
    named('block put of a delete', ofCells('b7', MutationType.put, [cell('b7', 'f:a', 7n, 8)])),
  ]
}
