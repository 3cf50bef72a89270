/** Descriptors as the master takes and gives them. HBase: ProtobufUtil.toTableSchema, toTableDescriptor. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import {
  type Attributes,
  type FamilyDescriptor,
  familyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
  tableDescriptor,
  timeToLiveSecondsOf,
} from '../../../src/model/descriptor.ts'
import { DEFAULT_NAMESPACE, namespaceOf, qualifierOf, type TableName } from '../../../src/model/table-name.ts'
import type {
  BytesBytesPair,
  ColumnFamilySchema,
  NameStringPair,
  NamespaceDescriptorSchema,
  NamespaceDescriptor as NamespaceMessage,
  TableName as TableNameMessage,
  TableNameSchema,
  TableSchema,
  TableSchemaSchema,
} from '../../../src/wire/rpc/gen/hbase_pb.ts'

export function tableNameMessage(name: TableName): MessageInitShape<typeof TableNameSchema> {
  return { namespace: Buffer.from(namespaceOf(name)), qualifier: Buffer.from(qualifierOf(name)) }
}

export function tableNameOf({ namespace, qualifier }: TableNameMessage): TableName {
  const [space, name] = [Buffer.from(namespace).toString(), Buffer.from(qualifier).toString()]
  return (space === DEFAULT_NAMESPACE ? name : `${space}:${name}`) as TableName
}

export function tableMessage(table: TableDescriptor): MessageInitShape<typeof TableSchemaSchema> {
  return {
    tableName: tableNameMessage(table.name),
    attributes: bytesPairs(table.attributes),
    columnFamilies: table.families.map((family) => ({
      name: family.name,
      attributes: bytesPairs(masterAttributes(family)),
    })),
  }
}

/** A time to live in words is for people: HBase's shell makes a number of it, and the master stumbles over it. */
function masterAttributes(family: FamilyDescriptor): Attributes {
  const text = family.attributes.get('TTL')
  if (text === undefined || /^[+-]?\d+$/.test(text)) return family.attributes
  return new Map(family.attributes).set('TTL', String(timeToLiveSecondsOf(family)))
}

export function tableOf(message: TableSchema): TableDescriptor {
  const attributes = attributesOf(message.attributes, message.configuration)
  // What the master says of every table; the name tells it as well.
  attributes.delete('IS_META')
  const name = tableNameOf(message.tableName!)
  const { families } = tableDescriptor(name, message.columnFamilies.map(familyOf))
  // Not with a new table's defaults: those are the master's to add.
  return { name, attributes, families }
}

function familyOf({ name, attributes, configuration }: ColumnFamilySchema): FamilyDescriptor {
  return familyDescriptor(Buffer.from(name), attributesOf(attributes, configuration))
}

export function namespaceMessage({
  name,
  properties,
}: NamespaceDescriptor): MessageInitShape<typeof NamespaceDescriptorSchema> {
  return {
    name: Buffer.from(name),
    configuration: [...properties].map(([key, value]) => ({ name: key, value })),
  }
}

export function namespaceOfMessage({ name, configuration }: NamespaceMessage): NamespaceDescriptor {
  return { name: Buffer.from(name).toString(), properties: attributesOf([], configuration) }
}

function bytesPairs(attributes: Attributes): { first: Buffer; second: Buffer }[] {
  return [...attributes].map(([key, value]) => ({ first: Buffer.from(key), second: Buffer.from(value) }))
}

function attributesOf(
  pairs: readonly BytesBytesPair[],
  configuration: readonly NameStringPair[],
): Map<string, string> {
  const attributes = new Map<string, string>()
  for (const { first, second } of pairs) {
    attributes.set(Buffer.from(first).toString(), Buffer.from(second).toString())
  }
  for (const { name, value } of configuration) attributes.set(name, value)
  return attributes
}
