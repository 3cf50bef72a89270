/** The tables that filters look through, and scans of them in a few words. */

import { LAST_SCANNER, type Request, type ThriftValue } from '../runner/case.ts'
import type { Fields } from './thrift-caller.ts'
import { call } from './thrift1-words.ts'
import { bytes, createTable, DeleteType, put, remove, scan } from './thrift2-requests.ts'

type CellText = readonly [row: string, column: string, value: string, timestamp: number]

/** Text and bytes, long and short, upper and lower case, numbers in 8 bytes; columns that are there in some rows only. */
const CELLS: readonly CellText[] = [
  ['\x00\x01\x02', 'a:1', '\x00\x00\x00\x00\x00\x00\x00\x05', 10],
  ['\x00\x01\x02', 'a:\x00\xff', '\xff', 10],
  ['ab', 'a:1', 'one', 10],
  ['ab', 'a:1', 'ONE', 20],
  ['ab', 'a:1', 'uno', 30],
  ['ab', 'a:2', 'two', 20],
  ['ab', 'b:1', '', 20],
  ['abc', 'a:1', 'One.', 10],
  ['abc', 'a:12', 'twelve', 20],
  ['abc', 'b:2', 'two', 30],
  ['b', 'a:', 'bare', 10],
  ['b', 'a:2', 'zwei', 10],
  ['b', 'a:2', 'two', 20],
  ['c', 'a:1', 'gone', 10],
  ['c', 'a:3', 'three', 20],
  ['c', 'b:1', '\x00\x00\x00\x00\x00\x00\x00\x07', 20],
  ['\xff\xfe', 'a:2', '\xc3\xa9t\xe9', 10],
  ['\xff\xfe', 'b:\xc3\xa9', 'one\ntwo', 20],
]

const WIDE_COLUMNS = ['a:1', 'a:11', 'a:12', 'a:2', 'a:21', 'a:3', 'b:1', 'b:2', 'b:21']

/** Two families that keep three versions. */
export function filterTable(table: string): Request[] {
  return [
    createTwoFamilies(table),
    ...CELLS.map(([row, column, value, timestamp]) => put(table, row, column, value, BigInt(timestamp))),
    remove(table, 'c', DeleteType.column, ['a:1'], 15n),
  ]
}

/** Rows r0 to r9 over four regions, each with a:n (its number) and a:1; and in the middle a row of many columns and versions, some deleted. */
export function regionsTable(table: string): Request[] {
  const rows = Array.from({ length: 10 }, (_, row) => [
    put(table, `r${row}`, 'a:1', row % 2 === 0 ? 'even' : 'odd', BigInt(row + 1)),
    put(table, `r${row}`, 'a:n', String(row), BigInt(row + 1)),
  ])
  const wide = WIDE_COLUMNS.flatMap((column) =>
    [1n, 2n, 3n].map((timestamp) => put(table, 'r5wide', column, `${column}@${timestamp}`, timestamp)),
  )
  return [
    createTwoFamilies(table, ['r2', 'r4', 'r7']),
    ...rows.flat(),
    ...wide,
    remove(table, 'r5wide', DeleteType.version, ['a:12'], 2n),
    remove(table, 'r5wide', DeleteType.column, ['a:21'], 3n),
  ]
}

function createTwoFamilies(table: string, splitKeys?: readonly string[]): Request {
  const families = ['a', 'b'].map((name) => ({ name: bytes(name), maxVersions: 3 }))
  return createTable(table, families, splitKeys)
}

/** A scan with a filter string through Thrift 2: a whole scan in one call. */
export function filtered(
  table: string,
  filterString: string,
  options: Readonly<Record<string, ThriftValue>> = {},
): Request {
  return scan(table, { ...options, filterString: bytes(filterString) })
}

/** The same through Thrift 1: opened, read to its end, closed. */
export function filteredScanner(table: string, filterString: string, options: Fields = {}): Request[] {
  return [
    call('scannerOpenWithScan', table, { ...options, filterString }, {}),
    call('scannerGetList', LAST_SCANNER, 100),
    call('scannerClose', LAST_SCANNER),
  ]
}
