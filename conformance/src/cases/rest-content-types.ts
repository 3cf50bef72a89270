/** How the type of a body may be spelled, on every resource that takes one. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { digested, type Listed, listed, withCase } from '../runner/case-list.ts'
import { createTable, get, rowJson } from './rest-request.ts'

const TABLE = 'conf_rest_types'
const MADE = 'conf_rest_types_MADE'
const SPACE = 'conf_rest_types_ns'

const OF_JSON = [
  'application/json;charset=UTF-8',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  ' application/json ',
  'application/json;',
  'application/json;q=0.5',
] as const
const OF_XML = ['Text/XML', 'text/xml;charset=utf-8', 'text/xml; a=b', 'text/*'] as const
const REFUSED = [
  'application/xml',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain;charset=utf-8',
  'application/vnd.api+json',
  'application/json, text/xml',
  'application/json;charset',
  'application / json',
  'application/',
  'json',
  '',
] as const

interface Bodies {
  readonly json: string
  readonly xml: string
}

/** Sends the bodies in every spelling; what a request made is looked at and undone. */
function spelled(
  method: string,
  path: string,
  { json, xml }: Bodies,
  after: readonly RestRequest[],
): Listed[] {
  const request = (type: string, body: string): Listed =>
    digested(`${method} ${withCase(type)}`, type, [
      rest(method, path, { 'Content-Type': type, Accept: 'application/json' }, body),
      ...after,
    ])
  return [
    ...[...OF_JSON, ...REFUSED].map((type) => request(type, json)),
    ...OF_XML.map((type) => request(type, xml)),
  ]
}

const row: Bodies = {
  json: rowJson('r', ['f:a', 'json', 1]),
  xml: '<CellSet><Row key="cg=="><Cell column="Zjph" timestamp="1">eG1s</Cell></Row></CellSet>',
}
const schema: Bodies = {
  json: '{"ColumnSchema":[{"name":"f"}]}',
  xml: '<TableSchema><ColumnSchema name="f"/></TableSchema>',
}
const namespace: Bodies = {
  json: '{"properties":{"a":"1"}}',
  xml: '<NamespaceProperties><properties><entry><key>a</key><value>1</value></entry></properties></NamespaceProperties>',
}
const scanner: Bodies = { json: '{"batch":1}', xml: '<Scanner batch="1"/>' }

export const restContentTypes: Scenario = {
  name: 'rest-content-types',
  tables: [TABLE, MADE],
  namespaces: [SPACE],
  setup: [createTable(TABLE)],
  cases: [
    ...['PUT', 'POST'].flatMap((method) =>
      listed(
        `rest-typed-row-${method.toLowerCase()}`,
        spelled(method, `/${TABLE}/r/f:a`, row, [get(`/${TABLE}/r`), rest('DELETE', `/${TABLE}/r`)]),
      ),
    ),
    ...listed(
      'rest-typed-schema',
      spelled('PUT', `/${MADE}/schema`, schema, [rest('DELETE', `/${MADE}/schema`)]),
    ),
    ...listed(
      'rest-typed-namespace',
      spelled('POST', `/namespaces/${SPACE}`, namespace, [rest('DELETE', `/namespaces/${SPACE}`)]),
    ),
    ...listed('rest-typed-scanner', spelled('POST', `/${TABLE}/scanner`, scanner, [])),
  ],
}
