/** Tables, families and namespaces as structs of Thrift 2. Its maps have all attributes, and typed fields repeat some of them. */

import {
  type Attributes,
  type FamilyDescriptor,
  familyDescriptor,
  type NamespaceDescriptor,
  type TableDescriptor,
} from '../../../src/model/descriptor.ts'
import { losslessBytes, losslessText } from '../../../src/model/lossless-text.ts'
import {
  DEFAULT_NAMESPACE,
  namespaceOf,
  parseTableName,
  qualifierOf,
  type TableName,
} from '../../../src/model/table-name.ts'

type Pairs = readonly (readonly [Buffer, Buffer])[]

export interface TTableName {
  readonly ns?: Buffer
  readonly qualifier: Buffer
}

export interface TTableDescriptor {
  readonly tableName: TTableName
  readonly columns?: readonly TColumnFamilyDescriptor[]
  readonly attributes?: Pairs
}

interface TColumnFamilyDescriptor {
  readonly name: Buffer
  readonly attributes?: Pairs
  readonly configuration?: ReadonlyMap<string, string>
}

export interface TNamespaceDescriptor {
  readonly name: string
  readonly configuration?: ReadonlyMap<string, string>
}

/** An attribute that HBase's answers have for every table, and that its requests must not have. */
const IS_META = 'IS_META'

export function nameFromStruct({ ns, qualifier }: TTableName): TableName {
  const namespace = ns === undefined || ns.length === 0 ? DEFAULT_NAMESPACE : ns.toString()
  return parseTableName(`${namespace}:${qualifier.toString()}`)
}

export function nameStruct(name: TableName): TTableName {
  return { ns: Buffer.from(namespaceOf(name)), qualifier: Buffer.from(qualifierOf(name)) }
}

export function tableFromStruct({ tableName, columns = [], attributes }: TTableDescriptor): TableDescriptor {
  const families: FamilyDescriptor[] = columns.map((column) =>
    familyDescriptor(Buffer.from(column.name), textPairs(column.attributes), column.configuration),
  )
  return {
    name: nameFromStruct(tableName),
    attributes: new Map(textPairs(attributes).filter(([key]) => key !== IS_META)),
    families: families.toSorted((a, b) => a.name.compare(b.name)),
  }
}

export function tableStruct({
  name,
  attributes,
  families,
}: TableDescriptor): Readonly<Record<string, unknown>> {
  return {
    tableName: nameStruct(name),
    columns: families.map((family) => ({
      name: family.name,
      attributes: bufferPairs(family.attributes),
      ...(family.configuration !== undefined && { configuration: family.configuration }),
    })),
    attributes: bufferPairs(attributes),
  }
}

export function namespaceFromStruct({ name, configuration }: TNamespaceDescriptor): NamespaceDescriptor {
  return { name, properties: new Map(configuration ?? []) }
}

function textPairs(pairs: Pairs = []): [string, string][] {
  return pairs.map(([key, value]) => [losslessText(key), losslessText(value)])
}

function bufferPairs(attributes: Attributes): [Buffer, Buffer][] {
  return [...attributes].map(([key, value]) => [losslessBytes(key), losslessBytes(value)])
}
