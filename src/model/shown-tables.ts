/**
 * hbase:meta and hbase:namespace, which the gateway shows for a store without such tables: their descriptors as HBase 2.6 makes them, and the
 * changes that clients may make. HBase: FSTableDescriptors.createMetaTableDescriptorBuilder.
 */

import { type Attributes, familyDescriptor, type TableDescriptor, tableDescriptor } from './descriptor.ts'
import { HBaseError } from './errors.ts'
import type { Codecs } from './family-checks.ts'
import { META_TABLE } from './meta-table.ts'
import { checkModifiedTable } from './table-checks.ts'
import type { TableName } from './table-name.ts'

export const NAMESPACE_TABLE: TableName = 'hbase:namespace' as TableName

const META_FAMILY: readonly (readonly [string, string])[] = [
  ['VERSIONS', '3'],
  ['DATA_BLOCK_ENCODING', 'ROW_INDEX_V1'],
  ['BLOOMFILTER', 'ROWCOL'],
  ['IN_MEMORY', 'true'],
  ['BLOCKSIZE', '8192'],
]

const META_DESCRIPTOR: TableDescriptor = tableDescriptor(
  META_TABLE,
  [
    familyDescriptor('info', META_FAMILY),
    familyDescriptor('rep_barrier', [...META_FAMILY, ['VERSIONS', '2147483647'], ['BLOCKSIZE', '65536']]),
    familyDescriptor('table', META_FAMILY),
  ],
  [
    ['IS_META', 'true'],
    ['coprocessor$1', '|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|'],
  ],
)

const NAMESPACE_DESCRIPTOR: TableDescriptor = tableDescriptor(NAMESPACE_TABLE, [
  familyDescriptor('info', [
    ['VERSIONS', '10'],
    ['IN_MEMORY', 'true'],
    ['BLOCKSIZE', '8192'],
  ]),
])

/** The tables by name, as they are before a client changes them. */
export const SHOWN_TABLES: ReadonlyMap<TableName, TableDescriptor> = new Map([
  [META_TABLE, META_DESCRIPTOR],
  [NAMESPACE_TABLE, NAMESPACE_DESCRIPTOR],
])

/** True for a table that the gateway shows where the store has none. */
export function isShown(table: TableName): boolean {
  return SHOWN_TABLES.has(table)
}

/** Families of hbase:meta that stay, in the order of HBase's check. HBase: ModifyTableProcedure.UNDELETABLE_META_COLUMNFAMILIES. */
const KEPT_FAMILIES = ['info', 'table', 'rep_barrier']

/**
 * The descriptor that a shown table has after a change to `asked`. Throws as checkModifiedTable, and REFUSED where hbase:meta would lose a family of its own.
 */
export function changedShownTable(
  before: TableDescriptor,
  asked: TableDescriptor,
  codecs?: Codecs,
): TableDescriptor {
  const table = asked.name === META_TABLE ? { ...asked, attributes: withMark(asked.attributes) } : asked
  checkModifiedTable(before, table, codecs)
  if (table.name === META_TABLE) checkKeptFamilies(table)
  return table
}

/** HBase marks the descriptor of hbase:meta, also where a client says otherwise: TableDescriptorBuilder.ModifyableTableDescriptor. */
function withMark(attributes: Attributes): Attributes {
  return attributes.get('IS_META') === 'true' ? attributes : new Map([...attributes, ['IS_META', 'true']])
}

function checkKeptFamilies({ families }: TableDescriptor): void {
  const names = new Set(families.map(({ name }) => name.toString('latin1')))
  const lost = KEPT_FAMILIES.find((name) => !names.has(name))
  if (lost === undefined) return
  throw new HBaseError('REFUSED', `Delete of hbase:meta column family ${lost}`, {
    javaClass: 'org.apache.hadoop.hbase.HBaseIOException',
  })
}
