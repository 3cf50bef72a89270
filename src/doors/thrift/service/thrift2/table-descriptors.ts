/** Thrift 2's descriptors of tables, families and namespaces. HBase: thrift2.ThriftUtilities. */

import {
  type Attributes,
  checkFamiliesDiffer,
  type FamilyDescriptor,
  familyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
  tableDescriptor,
} from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { losslessBytes, losslessText } from '../../../../model/lossless-text.ts'
import { META_TABLE } from '../../../../model/meta-table.ts'
import { namespaceOf, qualifierOf, type TableName } from '../../../../model/table-name.ts'
import { DURABILITIES } from '../../../../wire/thrift/put-reader.ts'
import type { AttributeMap } from '../mutation-arguments.ts'
import { type TTableName, tableNameFromStruct } from '../table-argument.ts'
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

/**
 * An attribute that is dropped from requests: clients send back the attributes that they have read.
 * QUIRK thrift2-family-attributes-versions-9-versions-4: HBase states IS_META as an attribute of every table.
 */
const IS_META = 'IS_META'

/** The descriptor of a new table, with the default attributes added. Throws ILLEGAL_ARGUMENT. */
export function tableOfDescriptor(asked: TTableDescriptor): TableDescriptor {
  if (asked.columns === undefined) throw new HBaseError('ILLEGAL_ARGUMENT', 'a table needs column families')
  const families = asked.columns.map(familyOfDescriptor)
  checkFamiliesDiffer(families)
  return tableDescriptor(tableNameFromStruct(asked.tableName), families, statedAttributes(asked))
}

/** The descriptor that replaces a table's: only the stated attributes. Throws ILLEGAL_ARGUMENT. */
export function replacementDescriptor(asked: TTableDescriptor): TableDescriptor {
  return { ...tableOfDescriptor(asked), attributes: new Map(statedAttributes(asked)) }
}

function statedAttributes(asked: TTableDescriptor): [string, string][] {
  const attributes = textPairs(asked.attributes).filter(([key]) => key !== IS_META)
  const durability = DURABILITIES[asked.durability ?? -1]
  if (durability !== undefined) attributes.push(['DURABILITY', durability])
  return attributes
}

/** The family of a descriptor. Throws ILLEGAL_ARGUMENT. */
export function familyOfDescriptor(asked: TColumnFamilyDescriptor): FamilyDescriptor {
  const attributes = [...textPairs(asked.attributes), ...typedAttributesOf(asked)]
  return familyDescriptor(Buffer.from(asked.name), attributes, asked.configuration)
}

export function namespaceOfDescriptor({ name, configuration }: TNamespaceDescriptor): NamespaceDescriptor {
  return { name, properties: new Map(configuration ?? []) }
}

export function tableNameStruct(name: TableName): Record<string, unknown> {
  return { ns: Buffer.from(namespaceOf(name)), qualifier: Buffer.from(qualifierOf(name)) }
}

export function tableStruct({ name, attributes, families }: TableDescriptor): Record<string, unknown> {
  const stated = attributes.get('DURABILITY')
  const durability = DURABILITIES.findIndex((name) => name === stated)
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
  const { name, attributes, configuration } = family
  return { name, attributes: bufferPairs(attributes), configuration, ...typedFieldsOf(family) }
}

function textPairs(attributes: AttributeMap | undefined): [string, string][] {
  return (attributes ?? []).map(([key, value]) => [losslessText(key), losslessText(value)])
}

function bufferPairs(attributes: Attributes): [Buffer, Buffer][] {
  return [...attributes].map(([key, value]) => [losslessBytes(key), losslessBytes(value)])
}
