/** Namespaces, in order: made, altered, read in every form, filled, emptied, dropped. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import {
  BINARY,
  DOCUMENT_TYPES,
  get,
  JSON_TYPE,
  PROTOBUF,
  PROTOBUF_IETF,
  send,
  TEXT,
  XML,
} from './rest-request.ts'

const NAMESPACE = 'conf_rest_ns'
const PATH = `/namespaces/${NAMESPACE}`
const TABLE = `${NAMESPACE}:t`

const PROPERTIES = '{"properties":{"a":"1","hbase.x":"y","key2":"v"}}'
const XML_PROPERTIES =
  '<NamespaceProperties><properties><entry><key>q</key><value>w</value></entry></properties></NamespaceProperties>'
const PROTOBUF_PROPERTIES: Buffer = Buffer.from('\x0a\x06\x0a\x01k\x12\x01v', 'latin1')

const readAll: readonly RestRequest[] = [...DOCUMENT_TYPES, PROTOBUF_IETF, '*/*', BINARY].flatMap((type) => [
  get(PATH, type),
  get(`${PATH}/tables`, type),
])

/** Bodies that are no namespace's properties, for a namespace that does not exist. */
const bad: readonly RestRequest[] = [
  send('POST', PATH, JSON_TYPE, '{"bogus":1}'),
  send('POST', PATH, JSON_TYPE, '{'),
  send('POST', PATH, JSON_TYPE, 'null'),
  send('POST', PATH, JSON_TYPE, ''),
  send('POST', PATH, XML, '<x/>'),
  send('POST', PATH, XML, '<CellSet/>'),
  send('POST', PATH, XML, '<'),
  send('POST', PATH, PROTOBUF, Buffer.from('\xff\xff', 'latin1')),
  ...[TEXT, BINARY, 'image/png', 'garbage', 'application/xml'].map((type) => send('POST', PATH, type, 'x')),
  ...[TEXT, BINARY, 'image/png', 'garbage', 'application/xml'].map((type) => send('PUT', PATH, type, 'x')),
  send('PUT', PATH, JSON_TYPE, PROPERTIES),
  send('PUT', PATH, XML, XML_PROPERTIES),
  send('PUT', PATH, PROTOBUF, PROTOBUF_PROPERTIES),
  rest('DELETE', PATH),
]

function life(label: string, type: string, body?: string | Buffer): NamedCase {
  const path = `${PATH}_${type.replace(/\W/g, '')}`
  const form = type === '' ? {} : { 'Content-Type': type }
  return named(label, [
    rest('POST', path, form, body),
    get(path),
    rest('POST', path, form, body),
    rest('PUT', path, form, body),
    get(path, PROTOBUF),
    rest('DELETE', path),
    rest('DELETE', path),
    get(path),
  ])
}

const inForms: readonly NamedCase[] = [
  life('json', JSON_TYPE, PROPERTIES),
  life('xml', XML, XML_PROPERTIES),
  life('protobuf', PROTOBUF, PROTOBUF_PROPERTIES),
  life('protobuf ietf', PROTOBUF_IETF, PROTOBUF_PROPERTIES),
  life('no body', ''),
]

/** One slash may follow a path, two may not. */
const ENDS_IN_SLASHES: readonly string[] = [
  '//',
  '/version//',
  '/version/rest//',
  '/status/cluster//',
  '/namespaces//',
  `${PATH}//`,
  `${PATH}/tables//`,
]

const changes: readonly Listed[] = [
  named('post', send('POST', PATH, JSON_TYPE, PROPERTIES)),
  named('post again', send('POST', PATH, JSON_TYPE, PROPERTIES)),
  ...readAll,
  get(`${PATH}/`),
  get(`${PATH}/tables/`),
  get(`${PATH}/tables/tables`),
  get(`${PATH}/tables/tables/tables/`),
  get(`${PATH}/tables/tables/bogus`),
  get(`${PATH}/bogus`),
  ...ENDS_IN_SLASHES.map((path) => named(`slashes ${path}`, get(path))),
  named('put json', send('PUT', PATH, JSON_TYPE, '{"properties":{"b":"2"}}')),
  named('after put json', get(PATH)),
  named('put xml', send('PUT', PATH, XML, XML_PROPERTIES)),
  named('after put xml', get(PATH)),
  named('put protobuf', send('PUT', PATH, PROTOBUF, PROTOBUF_PROPERTIES)),
  named('after put protobuf', get(PATH)),
  named('put nothing', rest('PUT', PATH)),
  named('after put nothing', get(PATH)),
  named('put accepting text', rest('PUT', PATH, { 'Content-Type': JSON_TYPE, Accept: TEXT }, PROPERTIES)),
  named('put accepting xml', rest('PUT', PATH, { 'Content-Type': JSON_TYPE, Accept: XML }, PROPERTIES)),
  send('PUT', `/${TABLE}/schema`, JSON_TYPE, '{"ColumnSchema":[{"name":"i"}]}'),
  get(`/${TABLE}/schema`),
  get(`/${TABLE}/schema`, TEXT),
  get(`/${TABLE}/regions`),
  get(`/${TABLE}/exists`),
  send(
    'PUT',
    `/${TABLE}/r1`,
    JSON_TYPE,
    '{"Row":[{"key":"cjE=","Cell":[{"column":"aTph","timestamp":1,"$":"eA=="}]}]}',
  ),
  get(`/${TABLE}/r1`),
  get(`/${TABLE}/*`),
  ...DOCUMENT_TYPES.map((type) => named(`tables with one ${type}`, get(`${PATH}/tables`, type))),
  named('delete with a table', rest('DELETE', PATH)),
  named('delete table', rest('DELETE', `/${TABLE}/schema`)),
  named('delete table again', rest('DELETE', `/${TABLE}/schema`)),
  named('delete', rest('DELETE', PATH)),
  named('delete again', rest('DELETE', PATH)),
  named('post to tables of tables', rest('POST', `${PATH}/tables/tables`)),
  named('put to tables of tables', rest('PUT', `${PATH}/tables/tables`)),
  named('delete of tables of tables', rest('DELETE', `${PATH}/tables/tables`)),
  rest('DELETE', '/namespaces/hbase'),
]

const others: readonly RestRequest[] = ['default', 'hbase', 'conf_rest_no_ns', 'bad%20name', 'a:b'].flatMap(
  (name) => [get(`/namespaces/${name}`), get(`/namespaces/${name}`, XML)],
)

export const restNamespace: Scenario = {
  name: 'rest-namespace',
  tables: [TABLE],
  namespaces: [],
  setup: [],
  cases: [
    ...listed('rest-namespace-bad', bad),
    ...listed('rest-namespace-form', inForms),
    ...listed('rest-namespace', changes),
    ...listed('rest-namespace-other', others),
    ...listed(
      'rest-namespace-list',
      [...DOCUMENT_TYPES, PROTOBUF_IETF, '*/*', BINARY].map((type) => get('/namespaces', type)),
    ),
  ],
}
