/** The media types that a client accepts, for each resource. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { listed, named, withCase } from '../runner/case-list.ts'
import { BINARY, get, JSON_TYPE, PROTOBUF, TEXT, tableOfRows, XML } from './rest-request.ts'

const TABLE = 'conf_rest_accept'
const NONE = 'conf_rest_none'

const ACCEPTS: readonly string[] = [
  JSON_TYPE,
  XML,
  TEXT,
  '*/*',
  BINARY,
  PROTOBUF,
  'application/protobuf',
  'image/png',
  'application/xml',
  'text/*',
  'application/*',
  `${XML};q=0.1, ${JSON_TYPE};q=0.9`,
  `${XML}, ${JSON_TYPE}`,
  `${JSON_TYPE}, ${XML}`,
  `${JSON_TYPE};q=0`,
  `${JSON_TYPE};q=0, ${XML};q=0.5`,
  'garbage',
  `${JSON_TYPE}; charset=utf-8`,
  'TEXT/XML',
  `${JSON_TYPE};q=abc`,
  `${BINARY}, ${JSON_TYPE}`,
  `${JSON_TYPE}, ${BINARY}`,
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  '*',
  'text/plain, */*;q=0.5',
]

const RESOURCES: Readonly<Record<string, string>> = {
  row: `/${TABLE}/r1`,
  cell: `/${TABLE}/r1/f:a`,
  rows: `/${TABLE}/r1,r3`,
  prefix: `/${TABLE}/r*`,
  multiget: `/${TABLE}/multiget?row=r1&row=r2`,
  missing: `/${NONE}/r1/f:a`,
  schema: `/${TABLE}/schema`,
  regions: `/${TABLE}/regions`,
  exists: `/${TABLE}/exists`,
  namespaces: '/namespaces',
  namespace: '/namespaces/default',
  tables: '/',
  version: '/version',
  'version-rest': '/version/rest',
  'version-cluster': '/version/cluster',
  status: '/status/cluster',
}

/** Without any Accept. */
function plain(path: string): RestRequest {
  return rest('GET', path)
}

export const restNegotiation: Scenario = {
  name: 'rest-negotiation',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: Object.entries(RESOURCES).flatMap(([name, path]) =>
    listed(`rest-accept-${name}`, [
      named('no accept', plain(path)),
      ...ACCEPTS.map((accept) => named(withCase(accept), get(path, accept))),
    ]),
  ),
}
