/** Thrift 2's descriptors of tables, families and namespaces. HBase: thrift2.ThriftUtilities. */

import {
  type Attributes,
  type FamilyDescriptor,
  familyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { META_TABLE } from '../../../../model/meta-table.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../../model/table-name.ts'
import type { AttributeMap } from '../mutation-arguments.ts'
import { type TTableName, tableOfStruct } from '../table-argument.ts'
import { typedAttributesOf, typedFieldsOf } from './family-fields.ts'

export interface TColumnFamilyDescriptor {
  readonly name: Buffer
  readonly attributes?: AttributeMap
  readonly configuration?: TextMap
  readonly [typedField: string]: unknown
}

export interface TTableDescriptor {
  readonly tableName: TTableName
  readonly columns?: readonly TColumnFamilyDescriptor[]
  readonly attributes?: AttributeMap
  readonly durability?: number
}

export interface TNamespaceDescriptor {
  readonly name: string
  readonly configuration?: TextMap
}

type TextMap = ReadonlyMap<string, string>

/** HBase answers it with every table, and clients send back what they got; it is no attribute of ours. */
const IS_META = 'IS_META'

const DURABILITIES = ['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']

/** A new table, which gets the attributes of all new tables. Throws ILLEGAL_ARGUMENT. */
export function tableOfDescriptor(asked: TTableDescriptor): TableDescriptor {
  if (asked.columns === undefined) throw new HBaseError('ILLEGAL_ARGUMENT', 'a table needs column families')
  const families = asked.columns.map(familyOfDescriptor)
  return tableDescriptor(tableOfStruct(asked.tableName), families, statedAttributes(asked))
}

/** What a table is to become: it has just the attributes that are stated. Throws ILLEGAL_ARGUMENT. */
export function replacementOf(asked: TTableDescriptor): TableDescriptor {
  return { ...tableOfDescriptor(asked), attributes: new Map(statedAttributes(asked)) }
}

function statedAttributes(asked: TTableDescriptor): [string, string][] {
  const attributes = textPairs(asked.attributes).filter(([key]) => key !== IS_META)
  const durability = DURABILITIES[asked.durability ?? -1]
  if (durability !== undefined) attributes.push(['DURABILITY', durability])
  return attributes
}

/** Throws ILLEGAL_ARGUMENT. */
export function familyOfDescriptor(asked: TColumnFamilyDescriptor): FamilyDescriptor {
  return familyDescriptor(Buffer.from(asked.name), [
    ...textPairs(asked.attributes),
    ...(asked.configuration ?? []),
    ...typedAttributesOf(asked),
  ])
}

export function namespaceOfDescriptor({ name, configuration }: TNamespaceDescriptor): NamespaceDescriptor {
  return { name, properties: new Map(configuration ?? []) }
}

export function tableNameStruct(name: TableName): Record<string, unknown> {
  return { ns: Buffer.from(namespaceOf(name)), qualifier: Buffer.from(qualifierOf(name)) }
}

export function tableStruct({ name, attributes, families }: TableDescriptor): Record<string, unknown> {
  const durability = DURABILITIES.indexOf(attributes.get('DURABILITY') ?? '')
  return {
    tableName: tableNameStruct(name),
    columns: families.map(familyStruct),
    attributes: bufferPairs(new Map([...attributes, [IS_META, String(name === META_TABLE)]])),
    durability: Math.max(0, durability),
  }
}

export function namespaceStruct({ name, properties }: NamespaceDescriptor): Record<string, unknown> {
  return { name, configuration: properties.size === 0 ? undefined : properties }
}

function familyStruct(family: FamilyDescriptor): Record<string, unknown> {
  return { name: family.name, attributes: bufferPairs(family.attributes), ...typedFieldsOf(family) }
}

function textPairs(attributes: AttributeMap | undefined): [string, string][] {
  return (attributes ?? []).map(([key, value]) => [key.toString(), value.toString()])
}

function bufferPairs(attributes: Attributes): [Buffer, Buffer][] {
  return [...attributes].map(([key, value]) => [Buffer.from(key), Buffer.from(value)])
}
