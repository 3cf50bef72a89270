/** Filters as Thrift 2's filterBytes: every comparator with every operator, every field of every filter. */

import type { Case, Request, Scenario, ThriftValue } from '../runner/case.ts'
import { listed, named } from '../runner/case-list.ts'
import { protobufWords } from '../runner/protobuf-words.ts'
import { OWN_FIELDS } from './filter-fields.ts'
import {
  BIT_OPERATORS,
  bit,
  columnValue,
  comparable,
  comparator,
  compare,
  component,
  dependentColumn,
  regex,
  singleColumnValue,
  singleColumnValueExclude,
  substring,
} from './filter-protobuf.ts'
import { filterTable } from './filter-table.ts'
import { NO_RANGES, UNSOUND } from './filter-unsound.ts'
import { combinations } from './thrift-caller.ts'
import { bytes, CompareOp, createTable, get, put, scan } from './thrift2-requests.ts'

const TABLE = 'conf_filter_bytes'
const NUMBERS = 'conf_filter_numbers'

const OPERATORS = Object.values(CompareOp)
/** Filters that compare one column throw at NO_OP, and HBase repeats the request for minutes. */
const OPERATORS_OF_COLUMNS = OPERATORS.filter((operator) => operator !== CompareOp.NO_OP)

type OfComparison = (operator: number, of: Buffer) => Buffer

/** Filters, and the text of the table that their comparators are about. */
const COMPARING: readonly (readonly [text: string, filterOf: OfComparison, operators: readonly number[]])[] =
  [
    ['abc', (operator, of) => compare('RowFilter', operator, of), OPERATORS],
    ['a', (operator, of) => compare('FamilyFilter', operator, of), OPERATORS],
    ['12', (operator, of) => compare('QualifierFilter', operator, of), OPERATORS],
    ['two', (operator, of) => compare('ValueFilter', operator, of), OPERATORS],
    ['ONE', (operator, of) => singleColumnValue({ operator, of, latestOnly: false }), OPERATORS_OF_COLUMNS],
    [
      'uno',
      (operator, of) => singleColumnValueExclude({ operator, of, ifMissing: true }),
      OPERATORS_OF_COLUMNS,
    ],
    ['zwei', (operator, of) => columnValue({ operator, of, qualifier: '2' }), OPERATORS_OF_COLUMNS],
    ['two', (operator, of) => dependentColumn(operator, of, 'a', '2', false), OPERATORS],
  ]

const comparatorsFor = (text: string): readonly Buffer[] => [
  comparable('BinaryComparator', text),
  comparable('BinaryPrefixComparator', text.slice(0, 1)),
  ...(Object.keys(BIT_OPERATORS) as (keyof typeof BIT_OPERATORS)[]).map((operator) => bit(operator, text)),
  comparator('NullComparator'),
  regex(`^[${text}]`),
  substring(text.slice(1).toLowerCase()),
]

function comparisons(): Request[] {
  return COMPARING.flatMap(([text, filterOf, operators]) =>
    combinations(comparatorsFor(text), operators).map(([of, operator]) =>
      filteredBytes(TABLE, filterOf(operator, of)),
    ),
  )
}

const LONGS = [-(2n ** 63n), -1n, 0n, 5n, 2n ** 63n - 1n]
/** Scale and unscaled number of 1.50, 1.5, -7, 0, 12345678901234567890.1 */
const DECIMALS: readonly (readonly [scale: number, unscaled: string])[] = [
  [2, '\x00\x96'],
  [1, '\x0f'],
  [0, '\xf9'],
  [0, '\x00'],
  [1, '\x06\xb1\x4e\x9f\x7a\x45\xf8\xf1\x95'],
]

function long(value: bigint): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer
}

function decimal([scale, unscaled]: (typeof DECIMALS)[number]): Buffer {
  const head = Buffer.alloc(4)
  head.writeInt32BE(scale)
  return Buffer.concat([head, bytes(unscaled)])
}

/**
 * Rows of 8 bytes whose columns all have numbers: these comparators make HBase retry for ever if they meet anything else.
 */
function numbersTable(): Request[] {
  return [
    createTable(NUMBERS, [{ name: bytes('a') }]),
    ...LONGS.flatMap((value, index) => {
      const row = long(value).toString('latin1')
      const given = decimal(DECIMALS[index]!).toString('latin1')
      return [put(NUMBERS, row, 'a:1', row, 5n), put(NUMBERS, row, 'a:2', given, 5n)]
    }),
  ]
}

function only(qualifier: string): Record<string, ThriftValue> {
  return { columns: [{ family: bytes('a'), qualifier: bytes(qualifier) }] }
}

function numbers(): Request[] {
  const filters: readonly ((operator: number, of: Buffer, qualifier: string) => Buffer)[] = [
    (operator, of) => compare('ValueFilter', operator, of),
    (operator, of, qualifier) => singleColumnValue({ operator, of, qualifier }),
    (operator, of, qualifier) => columnValue({ operator, of, qualifier }),
    (operator, of, qualifier) => dependentColumn(operator, of, 'a', qualifier, false),
  ]
  const comparators: readonly (readonly [Buffer, string])[] = [
    [comparable('LongComparator', long(-1n)), '1'],
    [comparable('LongComparator', long(5n)), '1'],
    [comparable('BigDecimalComparator', decimal([2, '\x00\x96'])), '2'],
    [comparable('BigDecimalComparator', decimal([0, '\x00'])), '2'],
    [component('\x00\x05', 6), '1'],
    [component('\x00', 0), '1'],
  ]
  return [
    ...combinations(filters, comparators, OPERATORS_OF_COLUMNS).map(([filterOf, [of, qualifier], operator]) =>
      filteredBytes(NUMBERS, filterOf(operator, of, qualifier), only(qualifier)),
    ),
    ...combinations([comparable('LongComparator', long(0n)), component('\xff', 7)], OPERATORS).map(
      ([of, operator]) => filteredBytes(NUMBERS, compare('RowFilter', operator, of)),
    ),
  ]
}

function filteredBytes(
  table: string,
  filterBytes: Buffer,
  options: Readonly<Record<string, ThriftValue>> = {},
): Request {
  return scan(table, { ...options, filterBytes })
}

function unsoundLabel(filter: Buffer): string {
  if (filter === NO_RANGES) return 'no ranges'
  return filter.length === 0 ? 'nothing' : protobufWords(filter)
}

function cases(): Case[] {
  return [
    ...listed('filter-bytes-compare', comparisons()),
    ...listed('filter-bytes-number', numbers()),
    ...listed(
      'filter-bytes-fields',
      OWN_FIELDS.map((filter) =>
        named(protobufWords(filter), [
          filteredBytes(TABLE, filter),
          filteredBytes(TABLE, filter, { maxVersions: 3, reversed: true }),
        ]),
      ),
    ),
    ...listed(
      'filter-bytes-get',
      OWN_FIELDS.map((filterBytes) =>
        named(protobufWords(filterBytes), get(TABLE, 'ab', { filterBytes, maxVersions: 3 })),
      ),
    ),
    ...listed(
      'filter-bytes-unsound',
      UNSOUND.map((filter) =>
        named(unsoundLabel(filter), [
          filteredBytes(TABLE, filter),
          get(TABLE, 'ab', { filterBytes: filter }),
        ]),
      ),
    ),
  ]
}

export const filterBytes: Scenario = {
  name: 'filter-bytes',
  tables: [TABLE, NUMBERS],
  namespaces: [],
  setup: [...filterTable(TABLE), ...numbersTable()],
  cases: cases(),
}
