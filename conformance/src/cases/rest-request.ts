/** REST requests, and the table of fixed cells that most of them read. */

import { type Request, type RestRequest, rest } from '../runner/case.ts'

export const JSON_TYPE = 'application/json'
export const XML = 'text/xml'
export const PROTOBUF = 'application/x-protobuf'
export const PROTOBUF_IETF = 'application/protobuf'
export const BINARY = 'application/octet-stream'
export const TEXT = 'text/plain'

/** The forms of an answer that lists cells. */
export const CELL_SET_TYPES: readonly string[] = [JSON_TYPE, XML, PROTOBUF]
/** The forms of every other answer. */
export const DOCUMENT_TYPES: readonly string[] = [JSON_TYPE, XML, TEXT, PROTOBUF]

export const F_A: string = b64('f:a')
export const LONG_MAX = '9223372036854775807'

export function b64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64')
}

export function get(
  path: string,
  accept: string = JSON_TYPE,
  headers: Record<string, string> = {},
): RestRequest {
  return rest('GET', path, { Accept: accept, ...headers })
}

export function send(method: string, path: string, contentType: string, body: string | Buffer): RestRequest {
  return rest(method, path, { 'Content-Type': contentType, Accept: JSON_TYPE }, body)
}

type CellText = readonly [column: string, value: string, timestamp?: number | string]

/** A cell set of one row as JSON. */
export function rowJson(row: string, ...cells: readonly CellText[]): string {
  const texts = cells.map(([column, value, timestamp]) => {
    const time = timestamp === undefined ? '' : `"timestamp":${timestamp},`
    return `{"column":"${b64(column)}",${time}"$":"${b64(value)}"}`
  })
  return `{"Row":[{"key":"${b64(row)}","Cell":[${texts.join(',')}]}]}`
}

export function putRow(table: string, row: string, ...cells: readonly CellText[]): RestRequest {
  return send('PUT', `/${table}/x`, JSON_TYPE, rowJson(row, ...cells))
}

/** Family f with three versions, family g with one. */
export function createTable(table: string): RestRequest {
  return send(
    'PUT',
    `/${table}/schema`,
    JSON_TYPE,
    '{"ColumnSchema":[{"name":"f","VERSIONS":"3"},{"name":"g"}]}',
  )
}

/** A table whose tombstones hide only what was written before them, so that a row can be deleted and written again at any time. */
export function createTableWrittenAgain(table: string): RestRequest {
  const families = ['f', 'g'].map((name) => `{"name":"${name}","VERSIONS":"3","NEW_VERSION_BEHAVIOR":"true"}`)
  return send('PUT', `/${table}/schema`, JSON_TYPE, `{"ColumnSchema":[${families.join(',')}]}`)
}

/** A table with rows whose keys, qualifiers and values test what paths can express. */
export function tableOfRows(table: string): readonly Request[] {
  return [
    createTable(table),
    putRow(table, 'r1', ['f:a', 'v1', 1000], ['f:b', 'v2', 1000], ['g:', 'v3', 5]),
    putRow(table, 'r1', ['f:a', 'v1-old', 900], ['f:a', 'v1-older', 800]),
    putRow(table, 'r2', ['f:a', '', 1000]),
    putRow(table, 'r3', ['f:c', '\x00\xff\xfe', 7], ['g:x', 'long'.repeat(50), 8]),
    putRow(table, '10', ['f:a', '1', 1]),
    putRow(table, '10,77', ['f:a', '2', 1]),
    putRow(table, '100,1', ['f:a', '3', 1]),
    putRow(table, 'a b', ['f:a', '4', 1]),
    putRow(table, '\xc3\xa9', ['f:a', '5', 1]),
    putRow(table, 'bin\x00\xff', ['f:\xff', '6', 1]),
  ]
}
