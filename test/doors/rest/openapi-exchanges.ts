/** One request for each status of each operation of the OpenAPI document, in the order in which they are sent. */

import { rowJson } from './rest-server.ts'

export interface Exchange {
  /** `get /{table}/schema` */
  readonly operation: string
  readonly status: number
  /** `{scanner}` stands for the id of a scanner that is open. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** To the server that is read-only. */
  readonly isReadOnly?: boolean
  /** False where the same request would be answered otherwise. */
  readonly isRepeatable?: boolean
}

const JSON_TYPE = 'application/json'
const TEXT_JSON = 'application/json;cells=text'
const PICTURE = { Accept: 'image/png' }
const SCHEMA = '{"ColumnSchema":[{"name":"f","VERSIONS":"3"}]}'
const ROW = rowJson('r', ['f:q', 'v', 1])
const TEXT_ROW = '{"key":"r","cells":[{"column":"f:q","value":"Zürich"},{"column":"f:n","int64":"5"}]}'

type Options = Omit<Exchange, 'operation' | 'status' | 'path'>

function one(operation: string, status: number, path: string, options: Options = {}): Exchange {
  return { operation, status, path, ...options }
}

function sent(body: string, type: string = JSON_TYPE, more: Readonly<Record<string, string>> = {}): Options {
  return { headers: { 'Content-Type': type, ...more }, body }
}

function accepted(accept: string): Options {
  return { headers: { Accept: accept } }
}

function documentOf(path: string, at: string = path): readonly Exchange[] {
  const types = [JSON_TYPE, 'text/xml', 'text/plain']
  const read = types.map((type) => one(`get ${path}`, 200, at, accepted(type)))
  return [...read, one(`get ${path}`, 406, at, { headers: PICTURE })]
}

const SERVER: readonly Exchange[] = [
  ...['/', '/version', '/version/rest', '/version/cluster', '/status/cluster', '/namespaces'].flatMap(
    (path) => documentOf(path),
  ),
  one('get /openapi.json', 200, '/openapi.json'),
]

/** A namespace's own resource, and that of its tables: changes are the same at both. */
function namespace(path: string, name: string, tail: string): readonly Exchange[] {
  const at = (of: string): string => `/namespaces/${of}${tail}`
  const [post, get, put, drop] = ['post', 'get', 'put', 'delete'].map((method) => `${method} ${path}`) as [
    string,
    string,
    string,
    string,
  ]
  return [
    one(post, 201, at(name), sent('{"properties":{"k":"v"}}')),
    one(post, 403, at(name)),
    one(post, 415, at('other'), sent('x', 'image/png')),
    one(post, 500, at('other'), sent('{')),
    ...documentOf(path, at(name)),
    one(get, 500, at('none')),
    one(put, 200, at(name), sent('{"properties":{"k":"w"}}', JSON_TYPE, { Accept: JSON_TYPE })),
    one(put, 403, at('none')),
    one(put, 406, at(name), { headers: PICTURE }),
    one(put, 415, at(name), sent('x', 'image/png')),
    one(put, 500, at(name), sent('{')),
    one(drop, 503, at('taken')),
    one(drop, 403, at('default'), { isReadOnly: true }),
    one(drop, 200, at(name)),
    one(drop, 404, at(name)),
  ]
}

const NAMESPACES: readonly Exchange[] = [
  ...namespace('/namespaces/{namespace}', 'ns', ''),
  ...namespace('/namespaces/{namespace}/tables', 'ns2', '/tables'),
]

const OF_SCHEMA = '/{table}/schema'
const TABLES: readonly Exchange[] = [
  one('get /{table}/exists', 200, '/t/exists'),
  one('get /{table}/exists', 404, '/none/exists'),
  one('get /{table}/exists', 406, '/t/exists', { headers: PICTURE }),
  one('get /{table}/exists', 500, '/.bad/exists'),
  ...documentOf('/{table}/regions', '/t/regions'),
  one('get /{table}/regions', 404, '/none/regions'),
  one('get /{table}/regions', 500, '/.bad/regions'),
  ...documentOf(OF_SCHEMA, '/t/schema'),
  one(`get ${OF_SCHEMA}`, 404, '/none/schema'),
  ...['put', 'post'].flatMap((method) => [
    one(`${method} ${OF_SCHEMA}`, 201, `/made-by-${method}/schema`, sent(SCHEMA)),
    one(`${method} ${OF_SCHEMA}`, 400, '/t/schema'),
    one(`${method} ${OF_SCHEMA}`, 403, '/t/schema', { ...sent(SCHEMA), isReadOnly: true }),
    one(`${method} ${OF_SCHEMA}`, 415, '/t/schema', sent('x', 'image/png')),
    one(`${method} ${OF_SCHEMA}`, 503, '/nowhere:t/schema', sent(SCHEMA)),
  ]),
  one(`post ${OF_SCHEMA}`, 200, '/made-by-post/schema', sent(SCHEMA)),
  one(`delete ${OF_SCHEMA}`, 200, '/dropped/schema'),
  one(`delete ${OF_SCHEMA}`, 403, '/t/schema', { isReadOnly: true }),
  one(`delete ${OF_SCHEMA}`, 404, '/dropped/schema'),
]

const OF_SCANNER = '/{table}/scanner/{scanner}'
const SCANNERS: readonly Exchange[] = [
  ...['put', 'post'].flatMap((method) => [
    one(`${method} /{table}/scanner`, 201, '/t/scanner', sent('{"startRow":"cg==","batch":5}')),
    one(
      `${method} /{table}/scanner`,
      201,
      '/t/scanner',
      sent('{"startRow":"r","filter":"KeyOnlyFilter()"}', TEXT_JSON),
    ),
    one(`${method} /{table}/scanner`, 400, '/t/scanner', sent('{"startRow":"\\\\"}', TEXT_JSON)),
    one(`${method} /{table}/scanner`, 415, '/t/scanner', sent('x', 'image/png')),
    one(`${method} /{table}/scanner`, 500, '/t/scanner'),
  ]),
  ...[JSON_TYPE, TEXT_JSON, 'application/x-ndjson', 'text/xml', 'application/octet-stream'].map((type) =>
    one(`get ${OF_SCANNER}`, 200, '/t/scanner/{scanner}', accepted(type)),
  ),
  one(`get ${OF_SCANNER}`, 204, '/t/scanner/{at-its-end}'),
  one(`get ${OF_SCANNER}`, 404, '/t/scanner/none'),
  one(`get ${OF_SCANNER}`, 406, '/t/scanner/{scanner}', { headers: PICTURE }),
  one(`get ${OF_SCANNER}`, 410, '/off/scanner/{of-the-disabled}', { isRepeatable: false }),
  one(`delete ${OF_SCANNER}`, 200, '/t/scanner/{scanner}'),
  one(`delete ${OF_SCANNER}`, 404, '/t/scanner/none'),
]

const ROW_TYPES = [
  JSON_TYPE,
  TEXT_JSON,
  'application/x-ndjson',
  'application/x-ndjson;cells=text',
  'text/xml',
  'application/x-protobuf',
]

function rows(path: string, tail: string, timestamps: boolean): readonly Exchange[] {
  const at = (row: string, table = 't'): string => `/${table}/${row}${tail}`
  const written = (method: string): readonly Exchange[] => {
    const operation = `${method} ${path}`
    return [
      one(operation, 200, at('r'), sent(ROW)),
      one(operation, 200, at('r'), sent(TEXT_ROW, TEXT_JSON)),
      one(operation, 200, `${at('r')}?check=append&rr=true`, sent(ROW, JSON_TYPE, { Accept: JSON_TYPE })),
      one(operation, 304, `${at('r')}?check=put`, sent(rowJson('r', ['f:z', 'v'], ['f:z', 'not']))),
      one(operation, 400, at('r'), sent('{"cells":[{"value":"\\\\"}]}', TEXT_JSON)),
      one(operation, 403, at('r'), { ...sent(ROW), isReadOnly: true }),
      one(operation, 404, at('r', 'none'), sent(ROW)),
      one(operation, 413, at('r'), sent('x'.repeat(10_001))),
      one(operation, 415, at('r'), sent('x', 'image/png')),
      one(operation, 500, at('r'), sent('{')),
      one(operation, 503, at('r', 'off'), sent(ROW)),
    ]
  }
  return [
    ...written('put'),
    ...written('post'),
    ...ROW_TYPES.map((type) => one(`get ${path}`, 200, at('r'), accepted(type))),
    ...(tail === '' ? [] : [one(`get ${path}`, 200, at('r'), accepted('application/octet-stream'))]),
    one(`get ${path}`, 400, at('r').replace('f:q', 'f:q,f:n'), accepted('application/octet-stream')),
    one(`get ${path}`, 404, at('none')),
    one(`get ${path}`, 406, at('r'), { headers: PICTURE }),
    one(`get ${path}`, 500, `${at('r')}?v=x`),
    one(`get ${path}`, 503, `${at('r')}?v=0`),
    one(`delete ${path}`, 200, at('unknown')),
    one(`delete ${path}`, 403, at('r'), { isReadOnly: true }),
    one(`delete ${path}`, 404, at('r', 'none')),
    one(`delete ${path}`, 500, timestamps ? `/t/r/f:q/x` : `${at('r')}?e=rot13`),
    one(`delete ${path}`, 503, at('r', 'off')),
  ]
}

const OF_SCAN = 'get /{table}/{prefix}*'
const OF_MULTIGET = 'get /{table}/multiget'
const OF_FORM = 'post /{table}/multiget'
const FORM = 'application/x-www-form-urlencoded'
const READS: readonly Exchange[] = [
  ...ROW_TYPES.map((type) => one(OF_SCAN, 200, '/t/*?limit=1', accepted(type))),
  one(OF_SCAN, 400, '/t/*?page=0'),
  one(OF_SCAN, 404, '/t/*?limit=x'),
  one(OF_SCAN, 406, '/t/*', { headers: PICTURE }),
  one(OF_SCAN, 500, '/none/*'),
  one(OF_SCAN, 501, '/t/*?changes='),
  ...ROW_TYPES.map((type) => one(OF_MULTIGET, 200, '/t/multiget?row=r&row=s', accepted(type))),
  one(OF_MULTIGET, 404, '/t/multiget?row=none'),
  one(OF_MULTIGET, 406, '/t/multiget?row=r', { headers: PICTURE }),
  one(OF_MULTIGET, 413, '/t/multiget?row=1&row=2&row=3&row=4'),
  one(OF_MULTIGET, 500, '/none/multiget?row=r'),
  ...ROW_TYPES.map((type) => one(OF_FORM, 200, '/t/multiget', sent('row=r&row=s', FORM, { Accept: type }))),
  one(OF_FORM, 404, '/t/multiget', sent('row=none', FORM)),
  one(OF_FORM, 406, '/t/multiget', sent('row=r', FORM, PICTURE)),
  one(OF_FORM, 413, '/t/multiget', sent('row=1&row=2&row=3&row=4', FORM)),
  one(OF_FORM, 500, '/none/multiget', sent('row=r', FORM)),
]

export const EXCHANGES: readonly Exchange[] = [
  ...SERVER,
  ...NAMESPACES,
  ...TABLES,
  ...SCANNERS,
  ...rows('/{table}/{row}', '', false),
  ...rows('/{table}/{row}/{columns}', '/f:q', false),
  ...rows('/{table}/{row}/{columns}/{timestamps}', '/f:q/0,9999999999999', true),
  ...READS,
]
