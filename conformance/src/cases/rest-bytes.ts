/** Additions of tools to a document: byte order marks, encodings of Unicode, zipped bodies whole and broken. */

import { gzipSync } from 'node:zlib'
import { rest, type Scenario } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import {
  BINARY,
  b64,
  createTable,
  F_A,
  get,
  JSON_TYPE,
  PROTOBUF,
  rowJson,
  send,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_bytes'
const MADE = 'conf_rest_bytes_made'
const NAMESPACE = 'conf_rest_bytes'
const BOM = '\ufeff'

function utf32(bigEndian: boolean, content: string): Buffer {
  const bytes = Buffer.alloc(content.length * 4)
  for (let index = 0; index < content.length; index++) {
    if (bigEndian) bytes.writeUInt32BE(content.charCodeAt(index), index * 4)
    else bytes.writeUInt32LE(content.charCodeAt(index), index * 4)
  }
  return bytes
}

/** A text in each encoding of Unicode, with and without a mark of the byte order. */
function encoded(text: string): Readonly<Record<string, Buffer>> {
  return {
    'utf 8 with mark': Buffer.from(BOM + text),
    'utf 8 with two marks': Buffer.from(BOM + BOM + text),
    'utf 8 with mark after space': Buffer.from(` ${BOM}${text}`),
    'utf 16 little with mark': Buffer.from(BOM + text, 'utf16le'),
    'utf 16 little': Buffer.from(text, 'utf16le'),
    'utf 16 big with mark': Buffer.from(BOM + text, 'utf16le').swap16(),
    'utf 16 big': Buffer.from(text, 'utf16le').swap16(),
    'utf 32 little with mark': utf32(false, BOM + text),
    'utf 32 little': utf32(false, text),
    'utf 32 big with mark': utf32(true, BOM + text),
    'utf 32 big': utf32(true, text),
    'cut mark': Buffer.concat([Buffer.of(0xef, 0xbb), Buffer.from(text)]),
  }
}

function rowXml(row: string): string {
  return `<CellSet><Row key="${b64(row)}"><Cell column="${F_A}" timestamp="3">eA==</Cell></Row></CellSet>`
}

const marks: readonly NamedCase[] = [
  ...Object.entries(encoded(rowJson('bom', ['f:a', 'x', 3]))).map(([label, body]) =>
    markCase(`json ${label}`, JSON_TYPE, body),
  ),
  ...Object.entries(encoded(rowXml('bom'))).map(([label, body]) => markCase(`xml ${label}`, XML, body)),
  ...Object.entries(encoded(`<?xml version="1.0" encoding="UTF-16"?>${rowXml('bom')}`)).map(([label, body]) =>
    markCase(`xml declared utf 16 ${label}`, XML, body),
  ),
  markCase('json nothing but a mark', JSON_TYPE, Buffer.from(BOM)),
  markCase('xml nothing but a mark', XML, Buffer.from(BOM)),
  markCase('json latin 1', JSON_TYPE, Buffer.from('{"Row":[],"\xe9":1}', 'latin1')),
  markCase(
    'json charset utf 16',
    `${JSON_TYPE}; charset=utf-16`,
    Buffer.from(rowJson('bom', ['f:a', 'x', 3])),
  ),
  markCase(
    'json charset utf 16 in utf 16',
    `${JSON_TYPE}; charset=utf-16le`,
    Buffer.from(rowJson('bom', ['f:a', 'x', 3]), 'utf16le'),
  ),
  markCase('xml charset latin 1', `${XML}; charset=iso-8859-1`, Buffer.from(rowXml('bom'))),
  markCase('xml charset none such', `${XML}; charset=none-such`, Buffer.from(rowXml('bom'))),
]

function markCase(label: string, type: string, body: Buffer): NamedCase {
  return named(label, [
    send('PUT', `/${TABLE}/x`, type, body),
    get(`/${TABLE}/bom`),
    rest('DELETE', `/${TABLE}/bom`),
  ])
}

/** A mark before the other documents, and before a value, to which it belongs. */
const otherMarks: readonly NamedCase[] = [
  ['scanner json', JSON_TYPE, '{"batch":1}'] as const,
  ['scanner xml', XML, '<Scanner batch="1"/>'] as const,
].map(([label, type, body]) =>
  named(label, [
    send('PUT', `/${TABLE}/scanner`, type, BOM + body),
    get('{scanner}'),
    rest('DELETE', '{scanner}'),
  ]),
)
const schemaMarks: readonly NamedCase[] = [
  ['schema json', JSON_TYPE, '{"ColumnSchema":[{"name":"f"}]}'] as const,
  [
    'schema json of letters',
    JSON_TYPE,
    '{"ColumnSchema":[{"name":"f","MINE":"\u00e9\u20ac\u{1f600}"}]}',
  ] as const,
  ['schema xml', XML, '<TableSchema><ColumnSchema name="f"/></TableSchema>'] as const,
  [
    'schema xml of letters',
    XML,
    '<TableSchema><ColumnSchema name="f" MINE="\u00e9\u20ac\u{1f600}"/></TableSchema>',
  ] as const,
].map(([label, type, body]) =>
  named(label, [
    send('PUT', `/${MADE}/schema`, type, BOM + body),
    get(`/${MADE}/schema`),
    rest('DELETE', `/${MADE}/schema`),
  ]),
)
const namespaceMarks: readonly NamedCase[] = [
  ['namespace json', JSON_TYPE, '{"properties":{"a":"\u00e9"}}'] as const,
  [
    'namespace xml',
    XML,
    '<NamespaceProperties><properties><entry><key>a</key><value>\u00e9</value></entry></properties></NamespaceProperties>',
  ] as const,
].map(([label, type, body]) =>
  named(label, [
    send('POST', `/namespaces/${NAMESPACE}`, type, BOM + body),
    get(`/namespaces/${NAMESPACE}`),
    rest('DELETE', `/namespaces/${NAMESPACE}`),
  ]),
)
const valueMarks: readonly NamedCase[] = [
  named('value', [
    send('PUT', `/${TABLE}/v/f:a`, BINARY, `${BOM}x`),
    get(`/${TABLE}/v/f:a`, BINARY),
    rest('DELETE', `/${TABLE}/v`),
  ]),
  named('protobuf', send('PUT', `/${TABLE}/v`, PROTOBUF, BOM)),
]

const ROW_BODY = rowJson('gz', ['f:a', 'zipped', 1])
const ZIPPED = gzipSync(ROW_BODY)

function broken(at: number): Buffer {
  const bytes = Buffer.from(ZIPPED)
  bytes[at]! ^= 0xff
  return bytes
}

type Zipped = readonly [label: string, encoding: string, body: Buffer | string]

const ZIPPED_BODIES: readonly Zipped[] = [
  ['whole', 'gzip', ZIPPED],
  ['upper case', 'GZIP', ZIPPED],
  ['x-gzip', 'x-gzip', ZIPPED],
  ['gzip of gzip', 'gzip, gzip', gzipSync(ZIPPED)],
  ['gzip among others', 'identity, gzip', ZIPPED],
  ['gzip in another word', 'notgzipped', ZIPPED],
  ['deflate', 'deflate', ZIPPED],
  ['identity', 'identity', ROW_BODY],
  ['brotli', 'br', ROW_BODY],
  ['empty encoding', '', ROW_BODY],
  ['not zipped', 'gzip', ROW_BODY],
  ['empty', 'gzip', ''],
  ['one byte', 'gzip', ZIPPED.subarray(0, 1)],
  ['header only', 'gzip', ZIPPED.subarray(0, 10)],
  ['cut in its data', 'gzip', ZIPPED.subarray(0, 30)],
  ['cut before its checksum', 'gzip', ZIPPED.subarray(0, -8)],
  ['cut in its checksum', 'gzip', ZIPPED.subarray(0, -4)],
  ['cut by a byte', 'gzip', ZIPPED.subarray(0, -1)],
  ['wrong magic', 'gzip', broken(0)],
  ['wrong method', 'gzip', broken(2)],
  ['wrong data', 'gzip', broken(12)],
  ['wrong checksum', 'gzip', broken(ZIPPED.length - 8)],
  ['wrong length', 'gzip', broken(ZIPPED.length - 4)],
  ['two members', 'gzip', Buffer.concat([gzipSync(ROW_BODY.slice(0, 9)), gzipSync(ROW_BODY.slice(9))])],
  ['zeros behind it', 'gzip', Buffer.concat([ZIPPED, Buffer.alloc(9)])],
  ['text behind it', 'gzip', Buffer.concat([ZIPPED, Buffer.from('more')])],
]

const zippedCases: readonly NamedCase[] = [
  ...ZIPPED_BODIES.map(([label, encoding, body]) =>
    named(label, [
      rest('PUT', `/${TABLE}/x`, { 'Content-Type': JSON_TYPE, 'Content-Encoding': encoding }, body),
      get(`/${TABLE}/gz`),
      rest('DELETE', `/${TABLE}/gz`),
    ]),
  ),
  ...[XML, PROTOBUF, BINARY].map((type) =>
    named(`cut ${type}`, [
      rest(
        'PUT',
        `/${TABLE}/gz/f:a`,
        { 'Content-Type': type, 'Content-Encoding': 'gzip' },
        gzipSync(rowXml('gz').repeat(9)).subarray(0, -9),
      ),
      get(`/${TABLE}/gz`),
      rest('DELETE', `/${TABLE}/gz`),
    ]),
  ),
  named('value', [
    rest(
      'PUT',
      `/${TABLE}/gz/f:a`,
      { 'Content-Type': BINARY, 'Content-Encoding': 'gzip', 'X-Timestamp': '3' },
      gzipSync('value'),
    ),
    get(`/${TABLE}/gz`),
    rest('DELETE', `/${TABLE}/gz`),
  ]),
  ...['scanner', 'schema'].map((resource) =>
    named(
      `cut ${resource}`,
      rest(
        'PUT',
        `/${TABLE}_none/${resource}`,
        { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' },
        ZIPPED.subarray(0, -9),
      ),
    ),
  ),
]

export const restBytes: Scenario = {
  name: 'rest-bytes',
  tables: [TABLE, MADE],
  namespaces: [NAMESPACE],
  setup: [createTable(TABLE)],
  cases: [
    ...listed('rest-bytes-mark', [...marks, ...otherMarks, ...schemaMarks, ...namespaceMarks, ...valueMarks]),
    ...listed('rest-bytes-zipped', zippedCases),
  ],
}
