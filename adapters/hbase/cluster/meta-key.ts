/**
 * Keys for reading hbase:meta. Its rows are `table,startKey,regionId.encoded.`, in order of the table, then the start key as
 * bytes, then the id as text; a key between two regions has the three parts too.
 */

import { ROW_BYTES_MAX } from '../../../src/model/cell.ts'
import type { TableName } from '../../../src/model/table-name.ts'

/** Later than any id, as text. HBase: HConstants.NINES. */
const LAST_ID = '99999999999999'

/** Before the table's first region. */
export function beforeTable(table: TableName): Buffer {
  return Buffer.from(`${table},,`)
}

/** After the table's last region, and before any other table. */
export function afterTable(table: TableName): Buffer {
  return Buffer.from(`${table}\0,,`)
}

/** After every region that begins at `row` or before it. */
export function afterRow(table: TableName, row: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${table},`), asStartKey(table, row), Buffer.from(`,${LAST_ID}`)])
}

/** Before every region that begins at `row` or after it. */
export function beforeRow(table: TableName, row: Buffer): Buffer {
  const startKey = asStartKey(table, row)
  // No start key is as long as this row: regions up to the cut key begin before the row.
  if (startKey.length < row.length) return afterRow(table, row)
  return Buffer.concat([Buffer.from(`${table},`), row, Buffer.from(',')])
}

/** The row cut to the longest start key: a region's name, with its table and id, is a row of hbase:meta. */
function asStartKey(table: TableName, row: Buffer): Buffer {
  return row.subarray(0, ROW_BYTES_MAX - Buffer.byteLength(table) - LAST_ID.length - 2)
}
