import type { MessageInitShape } from '@bufbuild/protobuf'
import { DEFAULT_NAMESPACE, namespaceOf, qualifierOf, type TableName } from '../../model/table-name.ts'
import type { TableName as TableNameMessage, TableNameSchema } from './gen/hbase_pb.ts'

export function tableNameMessage(name: TableName): MessageInitShape<typeof TableNameSchema> {
  return { namespace: Buffer.from(namespaceOf(name)), qualifier: Buffer.from(qualifierOf(name)) }
}

export function tableNameFromMessage({
  namespace,
  qualifier,
}: Pick<TableNameMessage, 'namespace' | 'qualifier'>): TableName {
  const [space, name] = [Buffer.from(namespace).toString(), Buffer.from(qualifier).toString()]
  return (space === DEFAULT_NAMESPACE ? name : `${space}:${name}`) as TableName
}
