/**
 * Keys for looking into hbase:meta. Its rows are `table,startKey,regionId.encoded.`, in order of the table, then the start
 * key as bytes, then the id as text; a key that is to lie between regions has the three parts too.
 */

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
  return Buffer.concat([Buffer.from(`${table},`), row, Buffer.from(`,${LAST_ID}`)])
}

/** Before every region that begins at `row` or after it. */
export function beforeRow(table: TableName, row: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${table},`), row, Buffer.from(',')])
}
