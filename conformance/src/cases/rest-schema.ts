/** Table schemas: created, replaced, extended, read and dropped in every form. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { digested, type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { formOf, xmlWords } from '../runner/rest-body-words.ts'
import {
  BINARY,
  createTable,
  DOCUMENT_TYPES,
  get,
  JSON_TYPE,
  PROTOBUF,
  PROTOBUF_IETF,
  send,
  TEXT,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_schema'
const READ = 'conf_rest_schema_read'
const NONE = 'conf_rest_none'

const drop: RestRequest = rest('DELETE', `/${TABLE}/schema`)

/** A table with one family, of three versions, in each form. */
const FORMS: readonly (readonly [type: string, body: string | Buffer])[] = [
  [JSON_TYPE, '{"name":"other","ColumnSchema":[{"name":"f","VERSIONS":"3"}]}'],
  [XML, '<TableSchema name="other"><ColumnSchema name="f" VERSIONS="3"/></TableSchema>'],
  [PROTOBUF, Buffer.from('\x1a\x05\x0a\x01f\x20\x03', 'latin1')],
  [PROTOBUF_IETF, Buffer.from('\x0a\x05other\x1a\x05\x0a\x01f\x20\x03', 'latin1')],
]

/** Created, created again, read, dropped, dropped again. */
const lives: readonly NamedCase[] = ['PUT', 'POST'].flatMap((method) =>
  FORMS.map(([type, body]) =>
    named(`${method} ${formOf(type, '') || 'json'}`, [
      send(method, `/${TABLE}/schema`, type, body),
      get(`/${TABLE}/schema`, type),
      send(method, `/${TABLE}/schema`, type, body),
      get(`/${TABLE}/schema`),
      drop,
      drop,
      get(`/${TABLE}/exists`),
    ]),
  ),
)

/** Members of the family that a table is created with. */
const ATTRIBUTES = [
  '',
  ',"VERSIONS":7',
  ',"VERSIONS":"1"',
  ',"TTL":"86400"',
  ',"TTL":2147483647',
  ',"MIN_VERSIONS":"2","VERSIONS":"3"',
  ',"KEEP_DELETED_CELLS":"TRUE"',
  ',"BLOOMFILTER":"ROWCOL"',
  ',"BLOCKSIZE":"1024"',
  ',"IN_MEMORY":"true"',
  ',"BLOCKCACHE":"false"',
  ',"DATA_BLOCK_ENCODING":"FAST_DIFF"',
  ',"COMPRESSION":"NONE"',
  ',"REPLICATION_SCOPE":"1"',
  ',"MY_OWN":"x"',
  ',"my own":"y"',
  ',"MY_NUMBER":5',
] as const

const attributes: readonly NamedCase[] = ATTRIBUTES.map((members) =>
  named(members === '' ? 'none' : members.slice(1), [
    send('PUT', `/${TABLE}/schema`, JSON_TYPE, `{"ColumnSchema":[{"name":"f"${members}}]}`),
    ...DOCUMENT_TYPES.map((type) => get(`/${TABLE}/schema`, type)),
    drop,
  ]),
)

/** In order, on one table. */
const changes: readonly NamedCase[] = [
  named('put xml', [
    send(
      'PUT',
      `/${TABLE}/schema`,
      XML,
      '<TableSchema name="x" FOO="bar"><ColumnSchema name="i" VERSIONS="4"/></TableSchema>',
    ),
    get(`/${TABLE}/schema`),
    get(`/${TABLE}/schema`, TEXT),
  ]),
  named('put json', [
    send(
      'PUT',
      `/${TABLE}/schema`,
      JSON_TYPE,
      '{"ColumnSchema":[{"name":"f","ENCODE_ON_DISK":"true","KEY":"x"}],"xyz":true}',
    ),
    get(`/${TABLE}/schema`),
    get(`/${TABLE}/schema`, XML),
  ]),
  named('post json', [
    send(
      'POST',
      `/${TABLE}/schema`,
      JSON_TYPE,
      '{"ColumnSchema":[{"name":"f","VERSIONS":7},{"name":"h","TTL":"86400"}],"q":1}',
    ),
    get(`/${TABLE}/schema`),
  ]),
  named('post xml', [
    send('POST', `/${TABLE}/schema`, XML, '<TableSchema><ColumnSchema name="x"/></TableSchema>'),
    get(`/${TABLE}/schema`),
  ]),
  named('put protobuf', [
    send('PUT', `/${TABLE}/schema`, PROTOBUF, Buffer.from('\x1a\x07\x0a\x01p\x20\x05\x18\x0a', 'latin1')),
    get(`/${TABLE}/schema`),
  ]),
  named('drop', [drop, get(`/${TABLE}/schema`)]),
]

const BAD_JSON = [
  '',
  '{',
  'null',
  '5',
  '{}',
  '{"ColumnSchema":null}',
  '{"ColumnSchema":[]}',
  '{"ColumnSchema":[{}]}',
  '{"ColumnSchema":[{"name":""}]}',
  '{"ColumnSchema":[{"name":"a:b"}]}',
  '{"ColumnSchema":[null]}',
  '{"ColumnSchema":{"name":"f"}}',
] as const
const BAD_XML = [
  '',
  '<TableSchema',
  '<x/>',
  '<CellSet/>',
  '<TableSchema><ColumnSchema/></TableSchema>',
] as const
const BAD_PROTOBUF = ['\xff\xff', '\x1a\x05\x0a', '\x00'] as const

const bad: readonly Listed[] = ['PUT', 'POST'].flatMap((method) => [
  ...BAD_JSON.map((body) =>
    digested(`${method} json ${body}`, body, send(method, `/${NONE}/schema`, JSON_TYPE, body)),
  ),
  ...BAD_XML.map((body) =>
    digested(`${method} xml ${xmlWords(body)}`, body, send(method, `/${NONE}/schema`, XML, body)),
  ),
  ...BAD_PROTOBUF.map((body) =>
    digested(
      `${method} protobuf ${body}`,
      body,
      send(method, `/${NONE}/schema`, PROTOBUF, Buffer.from(body, 'latin1')),
    ),
  ),
  ...[TEXT, BINARY, 'image/png', 'garbage', 'application/xml'].map((type) =>
    named(`${method} ${type}`, send(method, `/${NONE}/schema`, type, 'x')),
  ),
  named(`${method} nothing`, rest(method, `/${NONE}/schema`)),
  named(`${method} untyped`, rest(method, `/${NONE}/schema`, {}, '{}')),
  named(
    `${method} table name with a space`,
    send(method, '/bad%20name/schema', JSON_TYPE, '{"ColumnSchema":[{"name":"f"}]}'),
  ),
])

const reads: readonly Listed[] = ['schema', 'exists', 'regions'].flatMap((resource) => [
  ...[READ, NONE, 'bad%20name', 'bad!name', '-bad', 'a:b:c', 'conf_rest_no_ns:t', '%ff'].map((table) =>
    get(`/${table}/${resource}`),
  ),
  ...[...DOCUMENT_TYPES, PROTOBUF_IETF].map((type) =>
    named(`${resource} as ${type}`, get(`/${READ}/${resource}`, type)),
  ),
  get(`/${READ}/${resource}/`),
  get(`/${READ}/${resource}/x`),
  get(`/${READ}/${resource}?x=y`),
  get(`/${READ};a=b/${resource}`),
])

const drops: readonly RestRequest[] = [
  rest('DELETE', `/${NONE}/schema`),
  rest('DELETE', '/bad%20name/schema'),
  rest('DELETE', '/conf_rest_no_ns:t/schema'),
]

export const restSchema: Scenario = {
  name: 'rest-schema',
  tables: [TABLE, READ],
  namespaces: [],
  setup: [createTable(READ)],
  cases: [
    ...listed('rest-schema-life', lives),
    ...listed('rest-schema-attribute', attributes),
    ...listed('rest-schema-change', changes),
    ...listed('rest-schema-bad', bad),
    ...listed('rest-schema-read', reads),
    ...listed('rest-schema-drop', drops),
  ],
}
