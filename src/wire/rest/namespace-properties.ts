/** A namespace's properties. */

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { HBaseError } from '../../model/errors.ts'
import { type DecodeLimits, ElementCount } from '../text/decode-limits.ts'
import { parseJson } from '../text/json-value.ts'
import { parseXml } from '../text/xml-document.ts'
import type { RestDocument } from './document.ts'
import { bytesField, bytesTag, readMessage } from './protobuf-reader.ts'
import { escapeXml, xmlElement } from './xml-writer.ts'

type Properties = readonly (readonly [string, string])[]

export function namespaceDocument(name: string, properties: Properties): RestDocument {
  return {
    text: () => `{NAME => '${name}'${properties.map(([key, value]) => `, ${key} => '${value}'`).join('')}}`,
    xml: () => {
      const entries = properties.map(entryXml).join('')
      return xmlElement('NamespaceProperties', [], entries && `<properties>${entries}</properties>`)
    },
    json: () => ({ properties: properties.length === 0 ? null : Object.fromEntries(properties) }),
    protobuf: () => {
      const writer = new BinaryWriter()
      for (const [key, value] of properties) {
        writer.tag(1, WireType.LengthDelimited).fork()
        writer.tag(1, WireType.LengthDelimited).string(key)
        writer.tag(2, WireType.LengthDelimited).string(value).join()
      }
      return writer.finish()
    },
  }
}

function entryXml([key, value]: readonly [string, string]): string {
  return `<entry><key>${escapeXml(key)}</key><value>${escapeXml(value)}</value></entry>`
}

function corrupt(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed namespace properties: ${what}`)
}

/** Throws CORRUPTION, also for a null property, on which HBase hangs, and TOO_LARGE above the limits. */
export function decodeNamespaceJson(body: Buffer, limits: DecodeLimits): Map<string, string> {
  const properties = new Map<string, string>()
  const root = parseJson(body, limits)
  // QUIRK rest-body-json-ns-namespace-text: a text is the name of a namespace without properties.
  if (root.kind === 'null' || root.kind === 'string') return properties
  if (root.kind !== 'object') throw corrupt('they must be an object')
  for (const [member, value] of root.value) {
    if (member !== 'properties') throw corrupt(`there is no member "${member}"`)
    if (value.kind === 'null') continue
    if (value.kind !== 'object') throw corrupt('properties must be an object')
    for (const [key, text] of value.value) {
      if (text.kind === 'null' || text.kind === 'array' || text.kind === 'object') {
        throw corrupt(`the property ${key} must be text`)
      }
      properties.set(key, String(text.value))
    }
  }
  return properties
}

export function decodeNamespaceXml(body: Buffer, limits: DecodeLimits): Map<string, string> {
  const root = parseXml(body, limits, 'NamespaceProperties')
  const properties = new Map<string, string>()
  for (const group of root.children.filter((child) => child.name === 'properties')) {
    for (const entry of group.children.filter((child) => child.name === 'entry')) {
      const part = (name: string): string | undefined =>
        entry.children.find((child) => child.name === name)?.text
      const key = part('key')
      const value = part('value')
      if (key === undefined || value === undefined) {
        throw new HBaseError('ILLEGAL_ARGUMENT', 'an entry of the properties needs a key and a value')
      }
      properties.set(key, value)
    }
  }
  return properties
}

/** QUIRK rest-body-protobuf-ns-key-missing: a key or value that the client left out is empty. */
export function decodeNamespaceProtobuf(body: Buffer, limits: DecodeLimits): Map<string, string> {
  const count = new ElementCount(limits)
  const properties = new Map<string, string>()
  readMessage(body, (tag, reader) => {
    if (tag !== bytesTag(1)) return false
    count.add()
    let key = ''
    let value = ''
    readMessage(bytesField(reader), (part, partReader) => {
      if (part === bytesTag(1)) key = partReader.string()
      else if (part === bytesTag(2)) value = partReader.string()
      else return false
      return true
    })
    properties.set(key, value)
    return true
  })
  return properties
}
