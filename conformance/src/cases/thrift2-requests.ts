/** Thrift 2 requests in a few words, for cases that are about the store and not about the protocol. */

import { type ThriftRequest, type ThriftValue, thrift2 } from '../runner/case.ts'

export const DeleteType = { version: 0, column: 1, family: 2, familyVersion: 3 } as const
export const CompareOp = {
  LESS: 0,
  LESS_OR_EQUAL: 1,
  EQUAL: 2,
  NOT_EQUAL: 3,
  GREATER_OR_EQUAL: 4,
  GREATER: 5,
  NO_OP: 6,
} as const

export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** `family:qualifier`, or a bare family. */
export function column(text: string): Readonly<Record<string, ThriftValue>> {
  const colon = text.indexOf(':')
  return colon < 0
    ? { family: bytes(text) }
    : { family: bytes(text.slice(0, colon)), qualifier: bytes(text.slice(colon + 1)) }
}

export function put(
  table: string,
  row: string,
  name: string,
  value: string,
  timestamp?: bigint,
): ThriftRequest {
  const columnValues = [{ ...column(name), value: bytes(value), timestamp }]
  return thrift2('put', { table: bytes(table), tput: { row: bytes(row), columnValues } })
}

/** Deletes in the row: `names` are families or columns; none: the row. */
export function remove(
  table: string,
  row: string,
  deleteType: number,
  names: readonly string[],
  timestamp?: bigint,
): ThriftRequest {
  const columns = names.length === 0 ? undefined : names.map((name) => ({ ...column(name), timestamp }))
  const ofRow = names.length === 0 ? timestamp : undefined
  return thrift2('deleteSingle', {
    table: bytes(table),
    tdelete: { row: bytes(row), columns, timestamp: ofRow, deleteType },
  })
}

export function get(
  table: string,
  row: string,
  options: Readonly<Record<string, ThriftValue>> = {},
): ThriftRequest {
  return thrift2('get', { table: bytes(table), tget: { row: bytes(row), ...options } })
}

/** A whole scan in one call. */
export function scan(
  table: string,
  options: Readonly<Record<string, ThriftValue>> = {},
  numRows = 1000,
): ThriftRequest {
  return thrift2('getScannerResults', { table: bytes(table), tscan: options, numRows })
}

export function createTable(
  table: string,
  families: readonly Readonly<Record<string, ThriftValue>>[],
  splitKeys?: readonly string[],
): ThriftRequest {
  const colon = table.indexOf(':')
  const tableName =
    colon < 0
      ? { qualifier: bytes(table) }
      : { ns: bytes(table.slice(0, colon)), qualifier: bytes(table.slice(colon + 1)) }
  return thrift2('createTable', { desc: { tableName, columns: families }, splitKeys: splitKeys?.map(bytes) })
}
