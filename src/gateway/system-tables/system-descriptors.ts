/** hbase:meta and hbase:namespace as HBase 2.6 creates them. HBase: FSTableDescriptors.createMetaTableDescriptorBuilder. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../model/descriptor.ts'
import { META_TABLE } from '../../model/meta-table.ts'
import type { TableName } from '../../model/table-name.ts'

export const NAMESPACE_TABLE: TableName = 'hbase:namespace' as TableName

const META_FAMILY: readonly (readonly [string, string])[] = [
  ['VERSIONS', '3'],
  ['DATA_BLOCK_ENCODING', 'ROW_INDEX_V1'],
  ['BLOOMFILTER', 'ROWCOL'],
  ['IN_MEMORY', 'true'],
  ['BLOCKSIZE', '8192'],
]

export const META_DESCRIPTOR: TableDescriptor = tableDescriptor(
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

export const NAMESPACE_DESCRIPTOR: TableDescriptor = tableDescriptor(NAMESPACE_TABLE, [
  familyDescriptor('info', [
    ['VERSIONS', '10'],
    ['IN_MEMORY', 'true'],
    ['BLOCKSIZE', '8192'],
  ]),
])
