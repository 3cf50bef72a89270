/**
 * Keys in paths. Servers read a path as text: bytes that are not UTF-8 are lost, a comma separates the ends of a range, and a star marks a
 * prefix. Keys of other bytes than letters and digits go as base64, which servers from 2.5.7 and 2.6.0 on decode.
 */

import { HBaseError } from '../../../src/model/errors.ts'

/** No dot at the beginning: such a path could name a folder. */
const PLAIN_ROW = /^[\w-][\w.:-]*$/
const PLAIN_COLUMN = /^[\w][\w.-]*(?::[\w.-]*)?$/
/** Names of a table's other resources. */
const RESOURCES = /^(?:schema|scanner|regions|exists|multiget.*)$/

export interface KeyPath {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

/** The path of a row whose parts are plain text; undefined where they are not. */
export function plainPath(table: string, row: Buffer, columns: readonly Buffer[]): string | undefined {
  const key = row.toString('latin1')
  const names = columns.map((column) => column.toString('latin1'))
  if (!PLAIN_ROW.test(key) || RESOURCES.test(key) || !names.every((name) => PLAIN_COLUMN.test(name)))
    return undefined
  return `${tablePath(table)}/${key}${names.length === 0 ? '' : `/${names.join(',')}`}`
}

/** As plainPath, for any bytes. The header `Encoding` announces base64. Throws UNSUPPORTED where the encoded key begins with `multiget`. */
export function encodedPath(table: string, row: Buffer, columns: readonly Buffer[]): KeyPath {
  const names = columns.map((column) => column.toString('base64url')).join(',')
  const path = `${tablePath(table)}/${encodedKey(row)}${names === '' ? '' : `/${names}`}`
  return { path, headers: { Encoding: 'b64' } }
}

function encodedKey(row: Buffer): string {
  const key = row.toString('base64url')
  if (!RESOURCES.test(key)) return key
  if (!key.startsWith('multiget')) return key.padEnd(Math.ceil(key.length / 4) * 4, '=')
  throw new HBaseError(
    'UNSUPPORTED',
    "REST takes this row for a multiget, since its key in base64 begins so: name the server's native RPC, rpc:HOST:PORT",
  )
}

export function tablePath(table: string): string {
  return `/${encodeURIComponent(table).replaceAll('%3A', ':')}`
}

/** True where a server of this version of HBase decodes keys. HBASE-28174. */
export function decodesKeys(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number)
  return major > 2 || (major === 2 && (minor > 5 || (minor === 5 && patch >= 7)))
}

export function keyNotSent(version: string): HBaseError {
  return new HBaseError(
    'UNSUPPORTED',
    `REST of HBase ${version} cannot delete rows and columns whose names are not plain text: name the server's native RPC, rpc:HOST:PORT`,
  )
}
