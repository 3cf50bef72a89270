/** Schemas that name a family twice, hbase:meta's schema, and changes of a namespace's list of tables. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { createTable, get, JSON_TYPE, PROTOBUF, PROTOBUF_IETF, send, TEXT, XML } from './rest-request.ts'

const TABLE = 'conf_rest_twice'
const MADE = 'conf_rest_twice_MADE'
const SPACE = 'conf_rest_twice_ns'

type Body = readonly [name: string, type: string, body: string | Buffer]

const TWICE: readonly Body[] = [
  [
    'f twice as json',
    JSON_TYPE,
    '{"ColumnSchema":[{"name":"f","VERSIONS":"2"},{"name":"f","VERSIONS":"5"}]}',
  ],
  ['f twice alike as json', JSON_TYPE, '{"ColumnSchema":[{"name":"f"},{"name":"f"}]}'],
  ['f g f as json', JSON_TYPE, '{"ColumnSchema":[{"name":"f"},{"name":"g"},{"name":"f","TTL":"9"}]}'],
  [
    'f twice as xml',
    XML,
    '<TableSchema><ColumnSchema name="f"/><ColumnSchema name="f" VERSIONS="4"/></TableSchema>',
  ],
  [
    'f twice as protobuf',
    PROTOBUF,
    Buffer.from('\x1a\x05\x0a\x01f\x20\x03\x1a\x05\x0a\x01f\x20\x04', 'latin1'),
  ],
  ['f twice as protobuf ietf', PROTOBUF_IETF, Buffer.from('\x1a\x03\x0a\x01f\x1a\x03\x0a\x01f', 'latin1')],
]

function sent(method: string, table: string, [, type, body]: Body): RestRequest {
  return send(method, `/${table}/schema`, type, body)
}

const created: readonly Listed[] = ['PUT', 'POST'].flatMap((method) =>
  TWICE.map((body) => named(`${method} ${body[0]}`, [sent(method, MADE, body), get(`/${MADE}/exists`)])),
)

/** On a table with f and g. A POST that changes f twice takes the last. */
const altered: readonly Listed[] = [
  ...TWICE.map((body) => named(`put ${body[0]}`, [sent('PUT', TABLE, body), get(`/${TABLE}/schema`)])),
  ...TWICE.map((body) => named(`post ${body[0]}`, [sent('POST', TABLE, body), get(`/${TABLE}/schema`)])),
  named('post h twice', [
    send(
      'POST',
      `/${TABLE}/schema`,
      JSON_TYPE,
      '{"ColumnSchema":[{"name":"h"},{"name":"h","VERSIONS":"5"}]}',
    ),
    get(`/${TABLE}/schema`),
  ]),
]

const META = '{"ColumnSchema":[{"name":"f"}]}'
const meta: readonly RestRequest[] = ['PUT', 'POST'].flatMap((method) => [
  send(method, '/hbase:meta/schema', JSON_TYPE, META),
  send(method, '/hbase:meta/schema', XML, '<TableSchema><ColumnSchema name="info"/></TableSchema>'),
])

const ofSpace = `/namespaces/${SPACE}`
const LIST = `${ofSpace}/tables`
const properties = get(ofSpace)

const lists: readonly Listed[] = [
  named('read before', get(LIST)),
  named('put before', send('PUT', LIST, JSON_TYPE, '{"properties":{"a":"1"}}')),
  named('delete before', rest('DELETE', LIST)),
  named('post', [send('POST', LIST, JSON_TYPE, '{"properties":{"a":"1"}}'), properties, get(LIST)]),
  named('post again', send('POST', LIST, JSON_TYPE, '{}')),
  named('put', [send('PUT', LIST, JSON_TYPE, '{"properties":{"a":"2"}}'), properties]),
  named('put nothing', [rest('PUT', LIST), properties]),
  named('put xml', [
    send(
      'PUT',
      LIST,
      XML,
      '<NamespaceProperties><properties><entry><key>b</key><value>3</value></entry></properties></NamespaceProperties>',
    ),
    properties,
  ]),
  ...[PROTOBUF, PROTOBUF_IETF].map((type) => named(`put ${type}`, [send('PUT', LIST, type, ''), properties])),
  named('put text', send('PUT', LIST, TEXT, 'x')),
  named('put malformed', send('PUT', LIST, JSON_TYPE, '{')),
  named('patch', rest('PATCH', LIST)),
  named('head', rest('HEAD', LIST)),
  named('delete', [rest('DELETE', LIST), properties]),
  named('post nothing', [rest('POST', LIST), rest('DELETE', LIST)]),
  ...[XML, PROTOBUF, PROTOBUF_IETF].map((type) =>
    named(`post ${type}`, [
      send('POST', LIST, type, type === XML ? '<NamespaceProperties/>' : ''),
      properties,
      rest('DELETE', LIST),
    ]),
  ),
  named('below it', get(`${LIST}/x`)),
]

export const restNamedTwice: Scenario = {
  name: 'rest-named-twice',
  tables: [TABLE, MADE],
  namespaces: [SPACE],
  setup: [createTable(TABLE)],
  cases: [
    ...listed('rest-twice-created', created),
    ...listed('rest-twice-altered', altered),
    ...listed('rest-meta-schema', meta),
    ...listed('rest-tables-of-namespace', lists),
  ],
}
