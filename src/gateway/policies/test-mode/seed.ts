/**
 * The contents of a store at the beginning of each test, as JSON:
 *
 *     { "namespaces": ["shop"],
 *       "tables": [{ "name": "shop:orders", "families": ["d", { "name": "log", "VERSIONS": "3" }], "splits": ["m"],
 *                    "rows": { "order-1": { "d:total": "12", "log:": [{ "value": "made", "timestamp": "1700000000000" }] } } }] }
 *
 * Row keys, columns, split keys and values are texts in UTF-8, with `\xHH` for any byte (and `\x5C` for a backslash).
 */

import {
  type FamilyDescriptor,
  familyDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../model/descriptor.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { arrayOf, type JsonObject, objectOf, textOf, wrong } from './json-object.ts'

export interface SeedTable {
  readonly descriptor: TableDescriptor
  readonly splitKeys: readonly Buffer[]
  readonly rows: MutationBatch
}

export interface Seed {
  readonly namespaces: readonly string[]
  readonly tables: readonly SeedTable[]
}

/** Reads a seed. Throws ILLEGAL_ARGUMENT, with the wrong place, where it is none. */
export function parseSeed(json: unknown): Seed {
  const { namespaces, tables } = objectOf(json, 'the seed', ['namespaces', 'tables'])
  return {
    namespaces: arrayOf(namespaces, '"namespaces"').map((name) => textOf(name, 'a namespace')),
    tables: arrayOf(tables, '"tables"').map((table, i) => parseTable(table, `table ${i + 1} of the seed`)),
  }
}

function parseTable(json: unknown, where: string): SeedTable {
  const given = objectOf(json, where, ['name', 'families', 'splits', 'rows'])
  const name = parseTableName(textOf(given['name'], `"name" of ${where}`))
  const families = arrayOf(given['families'], `"families" of ${name}`).map((family) =>
    parseFamily(family, name),
  )
  return {
    descriptor: tableDescriptor(name, families),
    splitKeys: arrayOf(given['splits'], `"splits" of ${name}`).map((key) =>
      bytesOf(key, `a split of ${name}`),
    ),
    rows: parseRows(given['rows'] ?? {}, name),
  }
}

function parseFamily(json: unknown, table: string): FamilyDescriptor {
  if (typeof json === 'string') return familyDescriptor(json)
  const where = `a family of ${table}`
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw wrong(where, 'a name or an object', json)
  const { name, ...attributes } = json as JsonObject
  const stated = Object.entries(attributes).map(
    ([key, value]) => [key, textOf(value, `${key} of ${where}`)] as const,
  )
  return familyDescriptor(textOf(name, `"name" of ${where}`), stated)
}

function parseRows(json: unknown, table: string): MutationBatch {
  const batch = new MutationBatch()
  const where = `"rows" of ${table}`
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw wrong(where, 'an object', json)
  for (const [key, columns] of Object.entries(json)) {
    if (typeof columns !== 'object' || columns === null || Array.isArray(columns))
      throw wrong(`row "${key}" of ${table}`, 'an object of columns', columns)
    const row = bytesOf(key, where)
    for (const [column, cells] of Object.entries(columns as JsonObject)) {
      const name = `column "${column}" of row "${key}" of ${table}`
      for (const cell of Array.isArray(cells) ? (cells as unknown[]) : [cells])
        putCell(batch, row, column, cell, name)
    }
    batch.endMutation()
  }
  return batch
}

function putCell(batch: MutationBatch, row: Buffer, column: string, cell: unknown, where: string): void {
  const bytes = bytesOf(column, where)
  const colon = bytes.indexOf(0x3a)
  if (colon < 0) throw wrong(where, 'named FAMILY:QUALIFIER', column)
  const { value, timestamp } =
    typeof cell === 'string' ? { value: cell } : objectOf(cell, where, ['value', 'timestamp'])
  const time = timestamp === undefined ? undefined : timeOf(timestamp, where)
  batch.put(row, bytes.subarray(0, colon), bytes.subarray(colon + 1), bytesOf(value, where), time)
}

/** A timestamp, which is written as a text: numbers of JSON are not exact. */
function timeOf(value: unknown, where: string): bigint {
  const text = textOf(value, `"timestamp" of ${where}`)
  if (!/^-?\d{1,19}$/.test(text))
    throw wrong(`"timestamp" of ${where}`, 'milliseconds as a text of digits', value)
  const time = BigInt(text)
  if (BigInt.asIntN(64, time) !== time) throw wrong(`"timestamp" of ${where}`, 'a number of 64 bits', value)
  return time
}

function bytesOf(value: unknown, where: string): Buffer {
  const parts = textOf(value, where).split(/\\x([0-9A-Fa-f]{2})/)
  return Buffer.concat(parts.map((part, i) => (i % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'hex'))))
}
