/** Every verb on every resource, supported or not, and on tables that do not exist. */

import { type Case, type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import {
  BINARY,
  CELL_SET_TYPES,
  DOCUMENT_TYPES,
  get,
  JSON_TYPE,
  PROTOBUF,
  PROTOBUF_IETF,
  rowJson,
  send,
  TEXT,
  tableOfRows,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_verb'
const NONE = 'conf_rest_none'

/** The unsupported verbs of each resource, and verbs that no resource supports. */
const RESOURCES: Readonly<Record<string, readonly [path: string, ...verbs: string[]]>> = {
  tables: ['/', 'PUT', 'POST', 'DELETE'],
  version: ['/version', 'PUT', 'POST', 'DELETE'],
  'version-rest': ['/version/rest', 'PUT', 'POST', 'DELETE'],
  'version-cluster': ['/version/cluster', 'PUT', 'POST', 'DELETE'],
  status: ['/status/cluster', 'PUT', 'POST', 'DELETE'],
  namespaces: ['/namespaces', 'PUT', 'POST', 'DELETE'],
  namespace: ['/namespaces/conf_rest_no_ns'],
  'namespace-tables': ['/namespaces/conf_rest_no_ns/tables', 'PUT', 'DELETE'],
  exists: [`/${TABLE}/exists`, 'PUT', 'POST', 'DELETE'],
  regions: [`/${TABLE}/regions`, 'PUT', 'POST', 'DELETE'],
  schema: [`/${TABLE}/schema`],
  scanner: [`/${TABLE}/scanner`, 'GET', 'DELETE'],
  'open-scanner': [`/${TABLE}/scanner/none`, 'PUT', 'POST'],
  multiget: [`/${TABLE}/multiget?row=r1`, 'PUT', 'POST', 'DELETE'],
  scan: [`/${TABLE}/r*`, 'PUT', 'POST', 'DELETE'],
  row: [`/${TABLE}/r1`],
  table: [`/${TABLE}`, 'GET', 'PUT', 'POST', 'DELETE'],
}
const BODIES = [undefined, TEXT, JSON_TYPE, XML, PROTOBUF] as const

function refused([path, ...verbs]: readonly [path: string, ...verbs: string[]]): NamedCase[] {
  const read = verbs.includes('GET') ? [] : [named('head', rest('HEAD', path))]
  const missing = verbs.flatMap((verb) =>
    verb === 'PUT' || verb === 'POST'
      ? BODIES.map((type) =>
          type === undefined
            ? named(verb, rest(verb, path))
            : named(`${verb} ${type}`, send(verb, path, type, '{}')),
        )
      : [named(verb, rest(verb, path)), named(`get after ${verb}`, get(path, JSON_TYPE))],
  )
  return [...read, named('patch', rest('PATCH', path)), ...missing]
}

const verbs: Case[] = Object.entries(RESOURCES).flatMap(([name, resource]) =>
  listed(`rest-verb-${name}`, refused(resource)),
)

/** Well-formed requests about a table that does not, or cannot, exist. */
function onMissing(table: string): RestRequest[] {
  return [
    ...[...CELL_SET_TYPES, BINARY].flatMap((type) => [
      get(`/${table}/r1`, type),
      get(`/${table}/r1/f:a`, type),
      get(`/${table}/r1,r2/f:a`, type),
      get(`/${table}/*`, type),
      get(`/${table}/multiget?row=r1`, type),
    ]),
    ...['PUT', 'POST'].flatMap((verb) => [
      send(verb, `/${table}/r1`, JSON_TYPE, rowJson('r1', ['f:a', 'v', 1])),
      send(verb, `/${table}/r1/f:a`, BINARY, 'v'),
      send(verb, `/${table}/r1?check=put`, JSON_TYPE, rowJson('r1', ['f:a', 'v', 1], ['f:a', 'w'])),
      send(verb, `/${table}/r1?check=delete`, JSON_TYPE, rowJson('r1', ['f:a', 'w'])),
      send(verb, `/${table}/r1?check=increment`, JSON_TYPE, rowJson('r1', ['f:a', '1'])),
    ]),
    rest('DELETE', `/${table}/r1`),
    rest('DELETE', `/${table}/r1/f:a`),
    rest('DELETE', `/${table}/r1/f:a/5`),
  ]
}

const missing: readonly (readonly [name: string, table: string])[] = [
  ['none', NONE],
  ['name', 'bad!name'],
  ['dash', '-bad'],
  ['colons', 'a:b:c'],
]

/** Server-wide answers in every form, and paths beside them. */
const server: readonly Listed[] = [
  ...['/', '/version', '/version/rest', '/version/cluster', '/status/cluster'].flatMap((path) =>
    [...DOCUMENT_TYPES, PROTOBUF_IETF, '*/*', BINARY, 'image/png'].map((type) => get(path, type)),
  ),
  ...[
    '/version/',
    '/version/cluster/',
    '/version/nope',
    '/status/nope',
    '/status/cluster/',
    '/status',
    '//',
  ].map((path) => get(path)),
  get('/version/cluster/x'),
  get('/version?x=y'),
  named('version with a matrix parameter', get('/version;x=y')),
  get('/status/cluster?x=y'),
]

export const restVerb: Scenario = {
  name: 'rest-verb',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...verbs,
    ...missing.flatMap(([name, table]) => listed(`rest-missing-${name}`, onMissing(table))),
    ...listed('rest-server', server),
  ],
}
