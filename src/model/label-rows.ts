/**
 * The rows of hbase:labels: a label's ordinal as four bytes, under it the label in the column of one zero byte, and a column without
 * value for each user who may see it. HBase: DefaultVisibilityLabelServiceImpl. PERSISTED: clusters have the same rows.
 */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from './descriptor.ts'
import type { TableName } from './table-name.ts'
import { visibilityTags } from './visibility.ts'

export const LABELS_TABLE: TableName = 'hbase:labels' as TableName
export const LABELS_FAMILY: Buffer = Buffer.from('f')
/** No user has such a name. */
export const LABEL_QUALIFIER: Buffer = Buffer.of(0)
/** A user with this label sees everything, and may give labels to others. */
export const SYSTEM_LABEL = 'system'
export const SYSTEM_ORDINAL = 1
/** Four bytes with a sign, of which a tag uses the sign for negations. */
export const ORDINAL_MAX = 0x7fffffff

/** HBase: VisibilityController.postStartMaster. */
export const LABELS_DESCRIPTOR: TableDescriptor = {
  ...tableDescriptor(LABELS_TABLE, [
    familyDescriptor(LABELS_FAMILY.toString(), [
      ['BLOOMFILTER', 'NONE'],
      ['BLOCKCACHE', 'false'],
    ]),
  ]),
  attributes: new Map([['SPLIT_POLICY', 'org.apache.hadoop.hbase.regionserver.DisabledRegionSplitPolicy']]),
}

/** All cells but the first label have it: others read of the table that label alone. */
export const LABELS_TABLE_TAGS: Buffer = visibilityTags([[SYSTEM_ORDINAL]]).subarray(4)

export function labelRow(ordinal: number): Buffer {
  const row = Buffer.alloc(4)
  row.writeInt32BE(ordinal)
  return row
}

/** Undefined for a row that no label can have. */
export function ordinalOfRow(row: Buffer): number | undefined {
  if (row.length !== 4) return undefined
  const ordinal = row.readInt32BE()
  return ordinal >= SYSTEM_ORDINAL ? ordinal : undefined
}
