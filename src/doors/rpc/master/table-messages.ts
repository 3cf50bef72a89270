/** Tables in the messages of HBase's master. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import type { TableDescriptor } from '../../../model/descriptor.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { tableMessage } from '../../../wire/rpc/descriptor-messages.ts'
import type { TableName as TableNameMessage, TableSchemaSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import { tableNameFromMessage } from '../../../wire/rpc/table-name-message.ts'

/** The table's name in a request. Throws ILLEGAL_ARGUMENT. */
export function requestedTable(message: TableNameMessage | undefined): TableName {
  return parseTableName(tableNameFromMessage(message!))
}

/** A table as its schema. HBase's tables all have the attribute IS_META. */
export function shownTableMessage(table: TableDescriptor): MessageInitShape<typeof TableSchemaSchema> {
  if (table.attributes.has('IS_META')) return tableMessage(table)
  return tableMessage({
    ...table,
    attributes: new Map([...table.attributes, ['IS_META', String(table.name === META_TABLE)]]),
  })
}
