/** A table's schema over REST: the attributes of the table and of its families, all as text. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { RestDocument } from './document.ts'
import { xmlElement } from './xml-writer.ts'

type Attributes = readonly (readonly [string, string])[]

export interface FamilySchema {
  readonly name: string
  readonly attributes: Attributes
}

export interface TableSchema {
  readonly name: string
  readonly attributes: Attributes
  readonly families: readonly FamilySchema[]
  /** Called for a required part that the client stated as null or left out. */
  readonly fault?: string | undefined
}

export function tableSchemaDocument(schema: TableSchema): RestDocument {
  return {
    text: () => schemaText(schema),
    xml: () => {
      const { name, attributes, families } = schema
      return xmlElement('TableSchema', [['name', name], ...attributes], families.map(familyXml).join(''))
    },
    json: () => ({
      name: schema.name,
      ColumnSchema: schema.families.map((family) => ({
        name: family.name,
        ...Object.fromEntries(family.attributes),
      })),
      ...Object.fromEntries(schema.attributes),
    }),
    protobuf: () => schemaProtobuf(schema),
  }
}

function attributesText(attributes: Attributes): string {
  return attributes.map(([name, value]) => `, ${name} => '${value}'`).join('')
}

function schemaText({ name, attributes, families }: TableSchema): string {
  const columns = families.map((family) => `{ NAME => '${family.name}'${attributesText(family.attributes)} }`)
  return `{ NAME=> '${name}'${attributesText(attributes)}, COLUMNS => [ ${columns.join(', ')} ] }`
}

function familyXml({ name, attributes }: FamilySchema): string {
  return xmlElement('ColumnSchema', [['name', name], ...attributes])
}

function writeAttributes(writer: BinaryWriter, attributes: Attributes): void {
  for (const [name, value] of attributes) {
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(name)
    writer.tag(2, WireType.LengthDelimited).string(value)
    writer.join()
  }
}

function schemaProtobuf(schema: TableSchema): Uint8Array {
  const writer = new BinaryWriter().tag(1, WireType.LengthDelimited).string(schema.name)
  writeAttributes(writer, schema.attributes)
  for (const family of schema.families) {
    writer.tag(3, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(family.name)
    writeAttributes(writer, family.attributes)
    const attributes = new Map(family.attributes)
    const seconds = attributes.get('TTL')
    const versions = attributes.get('VERSIONS')
    const compression = attributes.get('COMPRESSION')
    if (seconds !== undefined && isInt32(seconds)) writer.tag(3, WireType.Varint).int32(Number(seconds))
    if (versions !== undefined && isInt32(versions)) writer.tag(4, WireType.Varint).int32(Number(versions))
    if (compression !== undefined) writer.tag(5, WireType.LengthDelimited).string(compression)
    writer.join()
  }
  const readOnly = new Map(schema.attributes).get('READONLY')
  if (readOnly !== undefined) writer.tag(5, WireType.Varint).bool(readOnly.toLowerCase() === 'true')
  return writer.finish()
}

function isInt32(text: string): boolean {
  return /^[+-]?\d{1,10}$/.test(text) && Number(text) === (Number(text) | 0)
}
