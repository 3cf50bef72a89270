/** Descriptors as the master takes and gives them. HBase: ProtobufUtil.toTableSchema, toTableDescriptor. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { abbreviated } from '../../model/bytes.ts'
import { compareText } from '../../model/compare-text.ts'
import {
  type Attributes,
  type FamilyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../model/descriptor.ts'
import { HBaseError } from '../../model/errors.ts'
import { losslessBytes } from '../../model/lossless-text.ts'
import { attributesFromMessage, familyFromMessage } from './family-from-message.ts'
import type {
  ColumnFamilySchemaSchema,
  NamespaceDescriptorSchema,
  NamespaceDescriptor as NamespaceMessage,
  TableSchema,
  TableSchemaSchema,
} from './gen/hbase_pb.ts'
import { tableNameFromMessage, tableNameMessage } from './table-name-message.ts'

export function tableMessage(table: TableDescriptor): MessageInitShape<typeof TableSchemaSchema> {
  return {
    tableName: tableNameMessage(table.name),
    attributes: bytesPairs(table.attributes),
    columnFamilies: table.families.map(familyMessage),
  }
}

export function familyMessage(family: FamilyDescriptor): MessageInitShape<typeof ColumnFamilySchemaSchema> {
  return {
    name: family.name,
    attributes: bytesPairs(family.attributes),
    configuration: [...(family.configuration ?? [])].map(([key, value]) => ({ name: key, value })),
  }
}

/** Throws ILLEGAL_ARGUMENT for a schema without the name of its table, which the message allows, and DO_NOT_RETRY for a family that comes twice. */
export function tableFromMessage(message: TableSchema): TableDescriptor {
  if (message.tableName === undefined)
    throw new HBaseError('ILLEGAL_ARGUMENT', 'the schema has no table_name: it must name its table')
  const attributes = attributesFromMessage(message.attributes, message.configuration)
  // The master adds IS_META to every table; the name says the same.
  attributes.delete('IS_META')
  const name = tableNameFromMessage(message.tableName)
  const read = message.columnFamilies.map(familyFromMessage)
  const seen = new Set<string>()
  const twice = read.find(({ name: family }) => {
    const key = family.toString('latin1')
    return seen.has(key) || !seen.add(key)
  })
  if (twice !== undefined) {
    const family = abbreviated(twice.name)
    throw new HBaseError('DO_NOT_RETRY', `Family '${family}' already exists so cannot be added`)
  }
  const { families } = tableDescriptor(name, read)
  // Without the defaults of a new table: the master adds them.
  return { name, attributes, families }
}

/** HBase keeps properties in a TreeMap. */
export function namespaceMessage({
  name,
  properties,
}: NamespaceDescriptor): MessageInitShape<typeof NamespaceDescriptorSchema> {
  return {
    name: Buffer.from(name),
    configuration: [...properties]
      .toSorted(([a], [b]) => compareText(a, b))
      .map(([key, value]) => ({ name: key, value })),
  }
}

export function namespaceFromMessage({ name, configuration }: NamespaceMessage): NamespaceDescriptor {
  return { name: Buffer.from(name).toString(), properties: attributesFromMessage([], configuration) }
}

function bytesPairs(attributes: Attributes): { first: Buffer; second: Buffer }[] {
  return [...attributes].map(([key, value]) => ({ first: losslessBytes(key), second: losslessBytes(value) }))
}
