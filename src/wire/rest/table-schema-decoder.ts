/** Schemas that clients send. Throws CORRUPTION for what is no schema, ILLEGAL_ARGUMENT for one that lacks something. */

import { HBaseError } from '../../model/errors.ts'
import { checkRoot } from './cell-set-xml-decoder.ts'
import { type JsonValue, parseJson } from './json-value.ts'
import { readMessage } from './protobuf-reader.ts'
import type { FamilySchema, TableSchema } from './table-schema.ts'
import { parseXml, type XmlElement } from './xml-document.ts'

type Attribute = readonly [string, string]

function corrupt(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed table schema: ${what}`)
}

function lacking(what: string): HBaseError {
  return new HBaseError('ILLEGAL_ARGUMENT', `the table schema has ${what}`)
}

/** A number or boolean counts as its text, as Jackson's Objects do that HBase calls toString on. */
function attributeText(name: string, value: JsonValue): string {
  if (value.kind === 'null') throw lacking(`null for ${name}`)
  if (value.kind === 'array' || value.kind === 'object') throw lacking(`${name}, which is not a plain value`)
  return String(value.value)
}

export function decodeTableSchemaJson(body: Buffer, depthMax: number): TableSchema {
  const root: JsonValue = /^\s*$/.test(body.toString('latin1', 0, 64))
    ? { kind: 'null' }
    : parseJson(body, depthMax)
  if (root.kind === 'null') throw lacking('no content')
  if (root.kind !== 'object') throw corrupt('it must be an object')
  const attributes: Attribute[] = []
  let families: readonly FamilySchema[] = []
  let name = ''
  for (const [key, value] of root.value) {
    if (key === 'ColumnSchema') {
      if (value.kind === 'null') throw lacking('null for its families')
      if (value.kind !== 'array') throw corrupt('ColumnSchema must be an array')
      families = value.value.map(familyOfJson)
    } else if (key === 'name') {
      name = value.kind === 'null' ? '' : attributeText(key, value)
    } else {
      attributes.push([key, attributeText(key, value)])
    }
  }
  return { name, attributes, families }
}

function familyOfJson(value: JsonValue): FamilySchema {
  if (value.kind === 'null') throw lacking('null for a family')
  if (value.kind !== 'object') throw corrupt('a family must be an object')
  const name = value.value.get('name')
  if (name === undefined || name.kind === 'null') throw lacking('a family without a name')
  const attributes: Attribute[] = []
  for (const [key, attribute] of value.value) {
    if (key !== 'name') attributes.push([key, attributeText(key, attribute)])
  }
  return { name: attributeText('name', name), attributes }
}

export function decodeTableSchemaXml(body: Buffer, depthMax: number): TableSchema {
  const root = parseXml(body, depthMax)
  checkRoot(root, 'TableSchema')
  const families = root.children.filter((child) => child.name === 'ColumnSchema').map(familyOfXml)
  return { name: root.attributes.get('name') ?? '', attributes: otherAttributes(root), families }
}

function familyOfXml(element: XmlElement): FamilySchema {
  const name = element.attributes.get('name')
  if (name === undefined) throw lacking('a family without a name')
  return { name, attributes: otherAttributes(element) }
}

function otherAttributes(element: XmlElement): Attribute[] {
  return [...element.attributes].filter(([name]) => name !== 'name')
}

export function decodeTableSchemaProtobuf(body: Buffer): TableSchema {
  const attributes: Attribute[] = []
  const families: FamilySchema[] = []
  let name = ''
  readMessage(body, (field, reader) => {
    if (field === 1) name = reader.string()
    else if (field === 2) attributes.push(attributeOf(reader.bytes()))
    else if (field === 3) families.push(familyOfProtobuf(reader.bytes()))
    else if (field === 5) attributes.push(['READONLY', String(reader.bool())])
    else return false
    return true
  })
  return { name, attributes, families }
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
