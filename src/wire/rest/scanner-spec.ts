/** A client's description of a stateful scanner. Decoders throw CORRUPTION or ILLEGAL_ARGUMENT, and TOO_LARGE above the limits. */

import type { BinaryReader } from '@bufbuild/protobuf/wire'
import { EMPTY } from '../../model/bytes.ts'
import { type DecodeLimits, ElementCount } from '../../model/decode-limits.ts'
import { HBaseError } from '../../model/errors.ts'
import { ALL_VERSIONS } from '../../model/query.ts'
import { LATEST_TIMESTAMP } from '../../model/timestamp.ts'
import { unescapedText } from '../text/escaped-text.ts'
import { int64OfJsonNumber, parseInt32, parseInt64, parseXmlInt32 } from '../text/int64-text.ts'
import { checkJsonText } from '../text/json-text.ts'
import { type JsonValue, parseJson } from '../text/json-value.ts'
import { parseXml } from '../text/xml-document.ts'
import { attributeBytes, decodeLenientBase64, isAscii, readBase64 } from './base64.ts'
import { javaByte } from './java-numbers.ts'
import { bytesField, bytesTag, int64Field, readMessage, varintTag } from './protobuf-reader.ts'

export interface ScannerSpec {
  startRow: Buffer
  endRow: Buffer
  /** `family` or `family:qualifier`. */
  columns: Buffer[]
  /** Cells that one read of the scanner returns. */
  batch: number
  startTime: bigint
  endTime: bigint
  maxVersions: number
  /** Rows to read ahead, or -1. */
  caching: number
  cacheBlocks: boolean
  /** Empty for none. */
  filter: string
  /** HBase's scanners have filters as JSON, those of text in the filter language. */
  filterForm: 'json' | 'language'
  /** Visibility labels that the scan is made with; empty: those of its user. */
  labels: string[]
  /** Called for a part that the client stated as null, in a description that is otherwise readable. */
  fault?: string
}

function defaults(): ScannerSpec {
  return {
    startRow: EMPTY,
    endRow: EMPTY,
    columns: [],
    batch: 0x7fffffff,
    startTime: 0n,
    endTime: LATEST_TIMESTAMP,
    maxVersions: ALL_VERSIONS,
    caching: -1,
    cacheBlocks: true,
    filter: '',
    filterForm: 'json',
    labels: [],
  }
}

function corrupt(what: string): HBaseError {
  return new HBaseError('CORRUPTION', `malformed scanner: ${what}`)
}

function jsonBytes(value: JsonValue): Buffer {
  if (value.kind === 'null') return EMPTY
  if (value.kind === 'array') return Buffer.from(value.value.map(jsonByte))
  if (value.kind !== 'string') throw corrupt('rows and columns must be base64')
  const text = Buffer.from(value.value)
  const bytes = Buffer.allocUnsafe(text.length)
  const end = readBase64(text, 0, text.length, bytes, 0)
  if (end < 0) throw corrupt(`"${value.value.slice(0, 40)}" is not base64`)
  return bytes.subarray(0, end)
}

function textBytes(value: JsonValue): Buffer {
  if (value.kind !== 'string') throw corrupt('rows and columns must be strings')
  return unescapedText(value.value)
}

function jsonInteger(value: JsonValue): bigint {
  if (value.kind === 'null') return 0n
  if (value.kind === 'number') return int64OfJsonNumber(value.value)
  if (value.kind !== 'string') throw corrupt('a number must stand there')
  const text = value.value.trim()
  return text.length === 0 ? 0n : parseInt64(text)
}

function jsonInt32(value: JsonValue): number {
  return parseInt32(jsonInteger(value).toString())
}

function jsonElements(value: JsonValue): readonly JsonValue[] {
  if (value.kind === 'null') return []
  if (value.kind !== 'array') throw corrupt('an array must stand there')
  return value.value
}

/** Jackson: PrimitiveArrayDeserializers.ByteDeser. */
function jsonByte(value: JsonValue): number {
  if (value.kind === 'number' || value.kind === 'string' || value.kind === 'null') {
    return javaByte(value.kind === 'null' ? '0' : value.value)
  }
  throw corrupt('an array of bytes has a byte that is no number')
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['', false],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
])

/** Jackson takes integers and some words for booleans. */
function jsonBoolean(value: JsonValue): boolean {
  if (value.kind === 'null') return false
  if (value.kind === 'boolean') return value.value
  if (value.kind === 'number' && /^-?\d+$/.test(value.value)) return !/^-?0$/.test(value.value)
  const word = value.kind === 'string' ? BOOLEANS.get(value.value.trim()) : undefined
  if (word === undefined) throw corrupt('true or false must stand there')
  return word
}

/** Elements that must not be null. */
function jsonWhole(spec: ScannerSpec, value: JsonValue): readonly JsonValue[] {
  const elements = jsonElements(value)
  if (elements.some(({ kind }) => kind === 'null')) spec.fault ??= 'an element of a list is null'
  return elements
}

/** Jackson takes numbers, true and false for text. */
function jsonText(value: JsonValue): string {
  if (value.kind === 'null') return ''
  if (value.kind === 'array' || value.kind === 'object') throw corrupt('a text must stand there')
  return String(value.value)
}

type MemberReader = (spec: ScannerSpec, value: JsonValue) => void

/** `bytesOf`: reads a row or a column. */
function membersOf(bytesOf: (value: JsonValue) => Buffer): ReadonlyMap<string, MemberReader> {
  return new Map<string, MemberReader>([
    ['startRow', (spec, value) => void (spec.startRow = bytesOf(value))],
    ['endRow', (spec, value) => void (spec.endRow = bytesOf(value))],
    ['column', (spec, value) => void (spec.columns = jsonWhole(spec, value).map(bytesOf))],
    ['batch', (spec, value) => void (spec.batch = jsonInt32(value))],
    ['startTime', (spec, value) => void (spec.startTime = jsonInteger(value))],
    ['endTime', (spec, value) => void (spec.endTime = jsonInteger(value))],
    ['maxVersions', (spec, value) => void (spec.maxVersions = jsonInt32(value))],
    ['caching', (spec, value) => void (spec.caching = jsonInt32(value))],
    ['cacheBlocks', (spec, value) => void (spec.cacheBlocks = jsonBoolean(value))],
    ['filter', (spec, value) => void (spec.filter = jsonText(value))],
    ['labels', (spec, value) => void (spec.labels = jsonWhole(spec, value).map(jsonText))],
  ])
}

const MEMBERS = membersOf(jsonBytes)
const TEXT_MEMBERS = membersOf(textBytes)

export function decodeScannerJson(body: Buffer, limits: DecodeLimits): ScannerSpec {
  return decodeMembers(body, limits, MEMBERS, defaults())
}

/** Rows and columns as text (wire/text/escaped-text.ts), the filter in the filter language. */
export function decodeScannerTextJson(body: Buffer, limits: DecodeLimits): ScannerSpec {
  checkJsonText(body)
  return decodeMembers(body, limits, TEXT_MEMBERS, { ...defaults(), filterForm: 'language' })
}

function decodeMembers(
  body: Buffer,
  limits: DecodeLimits,
  members: ReadonlyMap<string, MemberReader>,
  spec: ScannerSpec,
): ScannerSpec {
  const root = parseJson(body, limits)
  if (root.kind !== 'object') throw corrupt('it must be an object')
  for (const [member, value] of root.value) {
    const read = members.get(member)
    if (read === undefined) throw corrupt(`there is no member "${member}"`)
    read(spec, value)
  }
  return spec
}

export function decodeScannerXml(body: Buffer, limits: DecodeLimits): ScannerSpec {
  const root = parseXml(body, limits, 'Scanner')
  const spec = defaults()
  const stated = root.attributes
  const int32 = (name: string, otherwise: number): number => {
    const text = stated.get(name)
    return text === undefined ? otherwise : parseXmlInt32(text)
  }
  const int64 = (name: string, otherwise: bigint): bigint => {
    const text = stated.get(name)
    return text === undefined ? otherwise : parseInt64(text.trim())
  }
  spec.startRow = attributeBytes(stated.get('startRow') ?? '')
  spec.endRow = attributeBytes(stated.get('endRow') ?? '')
  spec.batch = int32('batch', spec.batch)
  spec.startTime = int64('startTime', spec.startTime)
  spec.endTime = int64('endTime', spec.endTime)
  spec.maxVersions = int32('maxVersions', spec.maxVersions)
  spec.caching = int32('caching', spec.caching)
  const cacheBlocks = stated.get('cacheBlocks') ?? 'true'
  if (cacheBlocks === '') throw new HBaseError('ILLEGAL_ARGUMENT', 'cacheBlocks must be true or false')
  spec.cacheBlocks = /^\s*(?:true|1)\s*$/.test(cacheBlocks)
  for (const child of root.children) {
    if (child.name === 'column') {
      if (!isAscii(child.text)) spec.fault ??= 'a column is not base64'
      spec.columns.push(decodeLenientBase64(child.text))
    }
    if (child.name === 'filter') spec.filter = child.text
    if (child.name === 'labels') spec.labels.push(child.text)
  }
  return spec
}

type ProtobufReader = (spec: ScannerSpec, reader: BinaryReader) => void

const FIELDS: ReadonlyMap<number, ProtobufReader> = new Map<number, ProtobufReader>([
  [bytesTag(1), (spec, reader) => void (spec.startRow = bytesField(reader))],
  [bytesTag(2), (spec, reader) => void (spec.endRow = bytesField(reader))],
  [bytesTag(3), (spec, reader) => void spec.columns.push(bytesField(reader))],
  [varintTag(4), (spec, reader) => void (spec.batch = reader.int32())],
  [varintTag(5), (spec, reader) => void (spec.startTime = int64Field(reader))],
  [varintTag(6), (spec, reader) => void (spec.endTime = int64Field(reader))],
  [varintTag(7), (spec, reader) => void (spec.maxVersions = reader.int32())],
  [bytesTag(8), (spec, reader) => void (spec.filter = reader.string())],
  [varintTag(9), (spec, reader) => void (spec.caching = reader.int32())],
  [bytesTag(10), (spec, reader) => void spec.labels.push(reader.string())],
  [varintTag(11), (spec, reader) => void (spec.cacheBlocks = reader.bool())],
])

export function decodeScannerProtobuf(body: Buffer, limits: DecodeLimits): ScannerSpec {
  const spec = defaults()
  const count = new ElementCount(limits)
  readMessage(body, (tag, reader) => {
    const read = FIELDS.get(tag)
    count.add()
    read?.(spec, reader)
    return read !== undefined
  })
  return spec
}
