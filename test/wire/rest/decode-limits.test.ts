/** Decoders stop at their limits: each of these bodies goes on behind the limit with bytes that would be another error. */

import { describe, expect, test } from 'vitest'
import { decodeCellSetJson } from '../../../src/wire/rest/cell-set-json-decoder.ts'
import { decodeCellSetProtobuf } from '../../../src/wire/rest/cell-set-protobuf-decoder.ts'
import { decodeCellSetXml } from '../../../src/wire/rest/cell-set-xml-decoder.ts'
import {
  decodeNamespaceJson,
  decodeNamespaceProtobuf,
  decodeNamespaceXml,
} from '../../../src/wire/rest/namespace-properties.ts'
import {
  decodeScannerJson,
  decodeScannerProtobuf,
  decodeScannerXml,
} from '../../../src/wire/rest/scanner-spec.ts'
import {
  decodeTableSchemaJson,
  decodeTableSchemaProtobuf,
  decodeTableSchemaXml,
} from '../../../src/wire/rest/table-schema-decoder.ts'
import { decodeTextRows } from '../../../src/wire/rest/text-rows-decoder.ts'
import type { DecodeLimits } from '../../../src/wire/text/decode-limits.ts'

const LIMITS: DecodeLimits = { depthMax: 5, batchMax: 10, elementsMax: 20 }
/** No protobuf and no JSON. */
const MALFORMED = Buffer.of(0x07, 0x07)

type Decode = (body: Buffer, limits: DecodeLimits) => unknown

function textBody(head: string, part: string, times: number): Buffer {
  return Buffer.concat([Buffer.from(`${head}${part.repeat(times)}`), MALFORMED])
}

/** A part that belongs to the message. */
function protobufBody(part: string, times: number): Buffer {
  return Buffer.concat([Buffer.from(part.repeat(times), 'hex'), MALFORMED])
}

/** The code of the refusal. */
function refusal(decode: Decode, body: Buffer): unknown {
  try {
    decode(body, LIMITS)
  } catch (error) {
    return (error as { readonly code?: unknown }).code
  }
  return 'none'
}

const ROWS: readonly (readonly [string, Decode, (count: number) => Buffer])[] = [
  ['JSON', decodeCellSetJson, (count) => textBody('{"Row":[', '{},', count)],
  ['JSON of keys', decodeCellSetJson, (count) => textBody('{"Row":[', '"",', count)],
  ['JSON of text', decodeTextRows, (count) => Buffer.from(`{"rows":[${'{},'.repeat(count)}?`)],
  ['XML', decodeCellSetXml, (count) => Buffer.from(`<CellSet>${'<Row/>'.repeat(count)}<?`)],
  ['protobuf', decodeCellSetProtobuf, (count) => protobufBody('0a00', count)],
]

const CELLS: readonly (readonly [string, Decode, (count: number) => Buffer])[] = [
  ['JSON', decodeCellSetJson, (count) => textBody('{"Row":[{"Cell":[', '{},', count)],
  ['JSON of text', decodeTextRows, (count) => Buffer.from(`{"cells":[${'{},'.repeat(count)}?`)],
  ['XML', decodeCellSetXml, (count) => Buffer.from(`<CellSet><Row>${'<Cell/>'.repeat(count)}<?`)],
  [
    'protobuf',
    decodeCellSetProtobuf,
    (count) => protobufBody(`0a${(count * 2).toString(16)}${'1200'.repeat(count)}`, 1),
  ],
]

describe('cell sets', () => {
  test.each(ROWS)('rows in %s', (_, decode, body) => {
    expect(refusal(decode, body(10))).toBe('CORRUPTION')
    expect(refusal(decode, body(11))).toBe('TOO_LARGE')
  })

  test.each(CELLS)('cells in %s', (_, decode, body) => {
    expect(refusal(decode, body(20))).toBe('CORRUPTION')
    expect(refusal(decode, body(21))).toBe('TOO_LARGE')
  })
})

const DOCUMENTS: readonly (readonly [string, Decode, Buffer, Buffer])[] = [
  [
    'schema in JSON',
    decodeTableSchemaJson,
    textBody('{"a":[', '{},', 10),
    textBody('{"ColumnSchema":[', '{},', 20),
  ],
  [
    'schema in XML',
    decodeTableSchemaXml,
    Buffer.from(`<TableSchema>${'<a/>'.repeat(10)}<?`),
    Buffer.from(`<TableSchema>${'<ColumnSchema a="" b=""/>'.repeat(7)}<?`),
  ],
  ['schema in protobuf', decodeTableSchemaProtobuf, protobufBody('1200', 10), protobufBody('1200', 21)],
  [
    'families in protobuf',
    decodeTableSchemaProtobuf,
    protobufBody('1a021200', 10),
    protobufBody('1a021200', 11),
  ],
  [
    'scanner in JSON',
    decodeScannerJson,
    textBody('{"column":[', '"",', 10),
    textBody('{"column":[', '"",', 20),
  ],
  [
    'scanner in XML',
    decodeScannerXml,
    Buffer.from(`<Scanner>${'<column/>'.repeat(10)}<?`),
    Buffer.from(`<Scanner>${'<column/>'.repeat(20)}<?`),
  ],
  ['scanner in protobuf', decodeScannerProtobuf, protobufBody('1a00', 10), protobufBody('1a00', 21)],
  ['namespace in JSON', decodeNamespaceJson, textBody('{"a":[', '1,', 10), textBody('{"a":[', '1,', 20)],
  [
    'namespace in XML',
    decodeNamespaceXml,
    Buffer.from(`<NamespaceProperties>${'<a/>'.repeat(10)}<?`),
    Buffer.from(`<NamespaceProperties>${'<a/>'.repeat(20)}<?`),
  ],
  ['namespace in protobuf', decodeNamespaceProtobuf, protobufBody('0a00', 10), protobufBody('0a00', 21)],
]

describe('documents', () => {
  test.each(DOCUMENTS)('elements of a %s', (_, decode, few, many) => {
    expect(refusal(decode, few)).toBe('CORRUPTION')
    expect(refusal(decode, many)).toBe('TOO_LARGE')
  })

  test('attributes of one element', () => {
    const attributes = Array.from({ length: 10_001 }, (_, i) => `a${i}=""`).join(' ')
    expect(refusal(decodeCellSetXml, Buffer.from(`<CellSet ${attributes} <`))).toBe('TOO_LARGE')
  })
})
