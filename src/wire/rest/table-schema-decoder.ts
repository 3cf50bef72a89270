/** Schemas from clients, whose table name the path overrides. Throws CORRUPTION for a body that is no schema. */

import { HBaseError } from '../../model/errors.ts'
import { type JsonValue, parseJson } from '../text/json-value.ts'
import { parseXml, type XmlElement } from '../text/xml-document.ts'
import { readMessage } from './protobuf-reader.ts'
import type { FamilySchema, TableSchema } from './table-schema.ts'

type Attribute = readonly [string, string]

function corrupt(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed table schema: ${what}`)
}

/** QUIRK rest-schema-attribute-my-number-5: a number or boolean counts as its text. */
function attributeText(name: string, value: JsonValue): string {
  if (value.kind === 'null' || value.kind === 'array' || value.kind === 'object') {
    throw corrupt(`${name} must be a plain value`)
  }
  return String(value.value)
}

function faulty(fault: string): TableSchema {
  return { name: '', attributes: [], families: [], fault: `the table schema has ${fault}` }
}

export function decodeTableSchemaJson(body: Buffer, depthMax: number): TableSchema {
  const root = parseJson(body, depthMax)
  if (root.kind === 'null') return faulty('no content')
  if (root.kind !== 'object') throw corrupt('it must be an object')
  const attributes: Attribute[] = []
  const families: FamilySchema[] = []
  for (const [key, value] of root.value) {
    if (value.kind === 'null') return faulty(`null for ${key}`)
    if (key !== 'ColumnSchema') {
      if (key !== 'name') attributes.push([key, attributeText(key, value)])
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
  const attributes = others.map(([key, attribute]) => [key, attributeText(key, attribute)] as const)
  return { name: attributeText('name', name), attributes }
}

export function decodeTableSchemaXml(body: Buffer, depthMax: number): TableSchema {
  const root = parseXml(body, depthMax, 'TableSchema')
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

export function decodeTableSchemaProtobuf(body: Buffer): TableSchema {
  const attributes: Attribute[] = []
  const families: FamilySchema[] = []
  readMessage(body, (field, reader) => {
    if (field === 2) attributes.push(attributeOf(reader.bytes()))
    else if (field === 3) families.push(familyOfProtobuf(reader.bytes()))
    else if (field === 5) attributes.push(['READONLY', String(reader.bool())])
    else return false
    return true
  })
  return { name: '', attributes, families }
}

function familyOfProtobuf(bytes: Uint8Array): FamilySchema {
  const attributes: Attribute[] = []
  let name = ''
  readMessage(bufferOf(bytes), (field, reader) => {
    if (field === 1) name = reader.string()
    else if (field === 2) attributes.push(attributeOf(reader.bytes()))
    else if (field === 3) attributes.push(['TTL', String(reader.int32())])
    else if (field === 4) attributes.push(['VERSIONS', String(reader.int32())])
    else if (field === 5) attributes.push(['COMPRESSION', reader.string()])
    else return false
    return true
  })
  return { name, attributes }
}

function attributeOf(bytes: Uint8Array): Attribute {
  let name: string | undefined
  let value: string | undefined
  readMessage(bufferOf(bytes), (field, reader) => {
    if (field === 1) name = reader.string()
    else if (field === 2) value = reader.string()
    else return false
    return true
  })
  if (name === undefined || value === undefined) throw corrupt('an attribute needs a name and a value')
  return [name, value]
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
