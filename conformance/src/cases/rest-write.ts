/** Writes in protobuf, as plain values and under every content type, read back. */

import { gzipSync } from 'node:zlib'
import { rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named, withCase } from '../runner/case-list.ts'
import {
  BINARY,
  createTable,
  get,
  JSON_TYPE,
  LONG_MAX,
  PROTOBUF,
  PROTOBUF_IETF,
  rowJson,
  send,
  TEXT,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_write'

const CONTENT_TYPES: readonly string[] = [
  TEXT,
  'application/x-www-form-urlencoded',
  `${JSON_TYPE}; charset=utf-8`,
  'APPLICATION/JSON',
  'application/xml',
  'image/png',
  'garbage',
  '*/*',
  'application/*',
  BINARY,
  JSON_TYPE,
  XML,
  PROTOBUF,
  PROTOBUF_IETF,
  '',
]

/** Cell sets whose row is "pb", and invalid ones, in latin1. */
const MESSAGES: readonly (readonly [label: string, body: string])[] = [
  ['empty', ''],
  ['cut length', '\x0a'],
  ['no tag', '\xff\xff'],
  ['tag 0', '\x00'],
  ['row without cells', '\x0a\x03\x0a\x01a'],
  ['cell without row', '\x0a\x02\x12\x00'],
  ['unknown field', '\x0a\x0e\x0a\x02pb\x12\x08\x12\x03f:a\x18\x05\x50\x01'],
  ['cell', '\x0a\x11\x0a\x02pb\x12\x0b\x12\x03f:a\x18\x05\x22\x02v1'],
  ['cell with fields in another order', '\x0a\x11\x0a\x02pb\x12\x0b\x22\x02v2\x18\x06\x12\x03f:a'],
  ['row in the cell too', '\x0a\x13\x0a\x02pb\x12\x0d\x0a\x02zz\x12\x03f:b\x22\x02v3'],
  ['row in the cell only', '\x0a\x0f\x12\x0d\x0a\x02zz\x12\x03f:b\x22\x02v3'],
  ['column without qualifier', '\x0a\x09\x0a\x02pb\x12\x03\x12\x01f'],
  ['unknown family', '\x0a\x0d\x0a\x02pb\x12\x07\x12\x05zzz:a'],
  ['no column', '\x0a\x0b\x0a\x02pb\x12\x05\x22\x01v\x18\x09'],
  ['unknown field before the row', '\x12\x01x\x0a\x11\x0a\x02pb\x12\x0b\x12\x03f:c\x18\x07\x22\x02v4'],
]

function message([label, body]: (typeof MESSAGES)[number]): NamedCase {
  return named(label, [
    send('PUT', `/${TABLE}/w9`, PROTOBUF, Buffer.from(body, 'latin1')),
    get(`/${TABLE}/pb/f/1,1000?v=10`),
  ])
}

const asValues: readonly (readonly [row: string, path: string, headers: Record<string, string>])[] = [
  ['w7', '/w7/f:a', { 'X-Timestamp': '77' }],
  ['w7', '/w7/f:a', { 'X-Timestamp': 'zz' }],
  ['w7', '/w7/f:a', { 'X-Timestamp': '-7' }],
  ['w7', '/w7/f:a', { 'X-Timestamp': LONG_MAX }],
  ['w7', '/w7/f:a', { 'X-Timestamp': '' }],
  ['w7', '/w7/f:a', { 'X-Timestamp': '9223372036854775808' }],
  ['rrr', '/w7/f:q', { 'X-Column': 'f:x', 'X-Row': 'rrr', 'X-Timestamp': '5' }],
  ['w6', '/w6', { 'X-Column': 'f:x' }],
  ['w6', '/w6/f', {}],
  ['w6', '/w6/f:', { 'X-Timestamp': '3' }],
  ['w6', '/w6/:a', { 'X-Timestamp': '3' }],
  ['w6', '/w6/zz:a', { 'X-Timestamp': '3' }],
  ['w6', '/w6/f:a,f:b', { 'X-Timestamp': '3' }],
  ['w6', '/w6,w7/f:a', { 'X-Timestamp': '4' }],
  ['w6', '/w6/f:a/9', {}],
  ['w6', '/dzY/Zjph?e=b64', { 'X-Timestamp': '6' }],
]

function asValue([row, path, headers]: (typeof asValues)[number]): NamedCase {
  const put = rest(
    'PUT',
    `/${TABLE}${path}`,
    { 'Content-Type': BINARY, ...headers },
    Buffer.from('\x00\xffhi', 'latin1'),
  )
  const given = Object.entries(headers).map(([name, value]) => `${name.slice(2)} ${value || 'empty'}`)
  return named([path, ...given].join(' '), [put, get(`/${TABLE}/${row}/f/1,1000?v=10`)])
}

function underType(method: string, path: string): NamedCase[] {
  return CONTENT_TYPES.map((type) =>
    named(withCase(type), send(method, path, type, rowJson('w5', ['f:a', 'v', 1]))),
  )
}

const others: readonly Listed[] = [
  rest('PUT', `/${TABLE}/w8/f:a`, {}, 'no type'),
  rest('PUT', `/${TABLE}/w8`, {}, 'no type'),
  rest('PUT', `/${TABLE}/w8/f:b`),
  rest('PUT', `/${TABLE}/w8`),
  rest('POST', `/${TABLE}/w8/f:c`, {}, 'no type'),
  get(`/${TABLE}/w8`),
  named('gzip', [
    rest(
      'PUT',
      `/${TABLE}/gz`,
      { 'Content-Type': JSON_TYPE, 'Content-Encoding': 'gzip' },
      gzipSync(rowJson('gz', ['f:a', 'zipped', 1])),
    ),
    get(`/${TABLE}/gz`),
  ]),
  send('PUT', '/conf_rest_none/r1/f:a', BINARY, 'x'),
  send(
    'POST',
    '/conf_rest_none/r1/f:a',
    PROTOBUF,
    Buffer.from('\x0a\x11\x0a\x02pb\x12\x0b\x12\x03f:a\x18\x05\x22\x02v1', 'latin1'),
  ),
]

export const restWrite: Scenario = {
  name: 'rest-write',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE)],
  cases: [
    ...listed('rest-write-protobuf', MESSAGES.map(message)),
    ...listed('rest-write-value', asValues.map(asValue)),
    ...listed('rest-write-type', underType('PUT', `/${TABLE}/w5`)),
    ...listed('rest-write-type-post', underType('POST', `/${TABLE}/w4/f:b`)),
    ...listed('rest-write-other', others),
  ],
}
