/** The catalogue table hbase:meta: its name, its only region, and the order of its rows. HBase: MetaCellComparator. */

import { compareBytes, EMPTY } from './bytes.ts'
import type { TableName } from './table-name.ts'

export const META_TABLE: TableName = 'hbase:meta' as TableName

interface MetaRegion {
  readonly table: TableName
  readonly startKey: Buffer
  readonly endKey: Buffer
  readonly regionId: number
  readonly name: Buffer
  readonly encodedName: string
}

/** The only region of hbase:meta. Its name ends before the dot: it is older than the hash in names of regions. */
export const META_REGION: MetaRegion = {
  table: META_TABLE,
  startKey: EMPTY,
  endKey: EMPTY,
  regionId: 1,
  name: Buffer.from(`${META_TABLE},,1`),
  encodedName: '1588230740',
}

/**
 * The parts of a row key, `table,startKey,regionId...`. A missing start key sorts before everything.
 * QUIRK thrift1-region-table-and-comma: of a row with one comma HBase compares all of it where others have the region id,
 * which begins with a digit, so that it mostly comes after them.
 */
interface MetaKey {
  readonly table: Buffer
  /** The row of a table's state, without a comma, comes before those of its regions. */
  readonly isOfTable: boolean
  readonly startKey: Buffer
  readonly regionId: Buffer
}

const COMMA = 0x2c

function parseMetaKey(row: Buffer): MetaKey {
  const first = row.indexOf(COMMA)
  if (first < 0) return { table: row, isOfTable: true, startKey: EMPTY, regionId: EMPTY }
  const last = row.lastIndexOf(COMMA)
  return {
    table: row.subarray(0, first),
    isOfTable: false,
    startKey: last === first ? row.subarray(first + 1) : row.subarray(first + 1, last),
    regionId: last === first ? row : row.subarray(last + 1),
  }
}

/**
 * The order of hbase:meta's rows: by table, start key and region id, which is not the order of their bytes. HBase:
 * MetaCellComparator.
 */
export function compareMetaRows(a: Buffer, b: Buffer): number {
  const [left, right] = [parseMetaKey(a), parseMetaKey(b)]
  return (
    compareBytes(left.table, right.table) ||
    Number(right.isOfTable) - Number(left.isOfTable) ||
    compareBytes(left.startKey, right.startKey) ||
    compareBytes(left.regionId, right.regionId)
  )
}

/** The name of the table that a row of hbase:meta is of. */
export function tableOfMetaRow(row: Buffer): Buffer {
  return parseMetaKey(row).table
}
