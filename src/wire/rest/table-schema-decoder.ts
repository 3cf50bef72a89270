/** Schemas from clients, whose table name the path overrides. Throws CORRUPTION for a body that is no schema, TOO_LARGE above the limits. */

import { HBaseError } from '../../model/errors.ts'
import { type DecodeLimits, ElementCount } from '../text/decode-limits.ts'
import { type JsonValue, parseJson } from '../text/json-value.ts'
import { parseXml, type XmlElement } from '../text/xml-document.ts'
import { javaNumberText } from './java-numbers.ts'
import { bytesTag, readMessage, varintTag } from './protobuf-reader.ts'
import type { FamilySchema, TableSchema } from './table-schema.ts'

type Attribute = readonly [string, string]

function corrupt(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed table schema: ${what}`)
}

/**
 * The text of any value, as Java prints the object that Jackson makes of it.
 * QUIRK rest-schema-attribute-my-number-5: a number or boolean is its text.
 * QUIRK rest-body-json-schema-attribute-array: so are arrays and objects.
 */
function javaText(value: JsonValue): string {
  switch (value.kind) {
    case 'null':
      return 'null'
    case 'boolean':
      return String(value.value)
    case 'number':
      return javaNumberText(value.value)
    case 'string':
      return value.value
    case 'array':
      return `[${value.value.map(javaText).join(', ')}]`
    case 'object':
      return `{${[...value.value].map(([key, each]) => `${key}=${javaText(each)}`).join(', ')}}`
  }
}

/** The text of a name; a number keeps its digits. */
function nameText(value: JsonValue): string {
  if (value.kind === 'array' || value.kind === 'object') throw corrupt('name must be a text')
  return value.kind === 'null' ? '' : String(value.value)
}

function faulty(fault: string): TableSchema {
  return { name: '', attributes: [], families: [], fault: `the table schema has ${fault}` }
}

export function decodeTableSchemaJson(body: Buffer, limits: DecodeLimits): TableSchema {
  const root = parseJson(body, limits)
  if (root.kind === 'null') return faulty('no content')
  if (root.kind !== 'object') throw corrupt('it must be an object')
  const attributes: Attribute[] = []
  const families: FamilySchema[] = []
  for (const [key, value] of root.value) {
    if (key === 'name') {
      nameText(value)
      continue
    }
    if (value.kind === 'null') return faulty(`null for ${key}`)
    if (key !== 'ColumnSchema') {
      attributes.push([key, javaText(value)])
      continue
    }
    if (value.kind !== 'array') throw corrupt('ColumnSchema must be an array')
    for (const element of value.value) {
      const family = familyOfJson(element)
      if (family === undefined) return faulty('a family without a name, or null for something')
      families.push(family)
    }
  }
  return { name: '', attributes, families }
}

function familyOfJson(value: JsonValue): FamilySchema | undefined {
  if (value.kind === 'null') return undefined
  if (value.kind !== 'object') throw corrupt('a family must be an object')
  const stated = [...value.value]
  const name = value.value.get('name')
  if (name === undefined || stated.some(([, attribute]) => attribute.kind === 'null')) return undefined
  const others = stated.filter(([key]) => key !== 'name')
  const attributes = others.map(([key, attribute]) => [key, javaText(attribute)] as const)
  return { name: nameText(name), attributes }
}

export function decodeTableSchemaXml(body: Buffer, limits: DecodeLimits): TableSchema {
  const root = parseXml(body, limits, 'TableSchema')
  const elements = root.children.filter((child) => child.name === 'ColumnSchema')
  if (elements.some((element) => !element.attributes.has('name'))) return faulty('a family without a name')
  const families = elements.map((element) => ({
    name: element.attributes.get('name')!,
    attributes: otherAttributes(element),
  }))
  return { name: '', attributes: otherAttributes(root), families }
}

function otherAttributes(element: XmlElement): Attribute[] {
  return [...element.attributes].filter(([name]) => name !== 'name')
}

export function decodeTableSchemaProtobuf(body: Buffer, limits: DecodeLimits): TableSchema {
  const count = new ElementCount(limits)
  const attributes: Attribute[] = []
  const families: FamilySchema[] = []
  readMessage(body, (tag, reader) => {
    count.add()
    if (tag === bytesTag(2)) attributes.push(attributeOf(reader.bytes()))
    else if (tag === bytesTag(3)) families.push(familyOfProtobuf(reader.bytes(), count))
    else if (tag === varintTag(5)) attributes.push(['READONLY', String(reader.bool())])
    else return false
    return true
  })
  return { name: '', attributes, families }
}

function familyOfProtobuf(bytes: Uint8Array, count: ElementCount): FamilySchema {
  const attributes: Attribute[] = []
  let name = ''
  readMessage(bufferOf(bytes), (tag, reader) => {
    count.add()
    if (tag === bytesTag(1)) name = reader.string()
    else if (tag === bytesTag(2)) attributes.push(attributeOf(reader.bytes()))
    else if (tag === varintTag(3)) attributes.push(['TTL', String(reader.int32())])
    else if (tag === varintTag(4)) attributes.push(['VERSIONS', String(reader.int32())])
    else if (tag === bytesTag(5)) attributes.push(['COMPRESSION', reader.string()])
    else return false
    return true
  })
  return { name, attributes }
}

/** QUIRK rest-body-protobuf-schema-attribute-name-missing: a part that the client left out is empty. */
function attributeOf(bytes: Uint8Array): Attribute {
  let name = ''
  let value = ''
  readMessage(bufferOf(bytes), (tag, reader) => {
    if (tag === bytesTag(1)) name = reader.string()
    else if (tag === bytesTag(2)) value = reader.string()
    else return false
    return true
  })
  return [name, value]
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
