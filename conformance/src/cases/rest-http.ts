/** Around a resource: zipped answers, bodies where none belongs, expectations and unusual methods. */

import { gzipSync } from 'node:zlib'
import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { BINARY, createTable, get, JSON_TYPE, PROTOBUF, putRow, rowJson, TEXT, XML } from './rest-request.ts'

const TABLE = 'conf_rest_http'

const ACCEPTED = [
  'gzip',
  'GZIP',
  'x-gzip',
  'deflate, gzip;q=1.0, *;q=0.5',
  'gzip;q=0',
  '*',
  'identity',
  'deflate',
  'br',
  '',
]

/** Answers of every kind, each asked for under `Accept-Encoding: gzip` and others. */
const ANSWERS: readonly (readonly [label: string, path: string, headers: Record<string, string>])[] = [
  ['row', `/${TABLE}/r1`, { Accept: JSON_TYPE }],
  ['value', `/${TABLE}/r1/f:a`, { Accept: BINARY }],
  ['scan', `/${TABLE}/*`, { Accept: JSON_TYPE }],
  ['scan xml', `/${TABLE}/*`, { Accept: XML }],
  ['scan protobuf', `/${TABLE}/*`, { Accept: PROTOBUF }],
  ['multiget', `/${TABLE}/multiget?row=r1`, { Accept: JSON_TYPE }],
  ['no row', `/${TABLE}/none`, { Accept: JSON_TYPE }],
  ['schema', `/${TABLE}/schema`, { Accept: JSON_TYPE }],
  ['exists', `/${TABLE}/exists`, { Accept: JSON_TYPE }],
  ['namespace', '/namespaces/default', { Accept: TEXT }],
  ['no namespace', '/namespaces/conf_rest_no_ns', { Accept: TEXT }],
  ['nowhere', `/${TABLE}/schema/x`, { Accept: TEXT }],
  ['not acceptable', `/${TABLE}/r1`, { Accept: 'image/png' }],
]

const zippedAnswers: readonly NamedCase[] = [
  ...ANSWERS.map(([label, path, headers]) =>
    named(label, rest('GET', path, { ...headers, 'Accept-Encoding': 'gzip' })),
  ),
  ...ANSWERS.filter(([label]) => label !== 'row').map(([label, path, headers]) =>
    named(`head of ${label}`, rest('HEAD', path, { ...headers, 'Accept-Encoding': 'gzip' })),
  ),
  ...ACCEPTED.slice(1).map((accepted) =>
    named(
      `row accepted ${accepted === 'GZIP' ? 'upper case' : accepted || 'nothing'}`,
      rest('GET', `/${TABLE}/r1`, { Accept: JSON_TYPE, 'Accept-Encoding': accepted }),
    ),
  ),
  named(
    'put',
    rest('PUT', `/${TABLE}/r2`, { ...ofJson(), 'Accept-Encoding': 'gzip' }, rowJson('r2', ['f:a', 'v', 3])),
  ),
  named(
    'refused put',
    rest('PUT', `/${TABLE}/r2`, { ...ofJson(), 'Accept-Encoding': 'gzip' }, rowJson('r2', ['zz:a', 'v', 3])),
  ),
  named(
    'condition that fails',
    rest(
      'PUT',
      `/${TABLE}/r2?check=delete`,
      { ...ofJson(), 'Accept-Encoding': 'gzip' },
      rowJson('r2', ['f:a', 'none']),
    ),
  ),
  named('delete', rest('DELETE', `/${TABLE}/r2`, { 'Accept-Encoding': 'gzip' })),
  named('scanner', [
    rest('PUT', `/${TABLE}/scanner`, { ...ofJson(), 'Accept-Encoding': 'gzip' }, '{"batch":9}'),
    rest('GET', '{scanner}', { Accept: JSON_TYPE, 'Accept-Encoding': 'gzip' }),
    rest('GET', '{scanner}', { Accept: JSON_TYPE, 'Accept-Encoding': 'gzip' }),
    rest('DELETE', '{scanner}', { 'Accept-Encoding': 'gzip' }),
  ]),
]

function ofJson(): Record<string, string> {
  return { 'Content-Type': JSON_TYPE, Accept: JSON_TYPE }
}

/** Bodies of requests that need none. */
const needless: readonly Listed[] = [
  named('get of a row', rest('GET', `/${TABLE}/r1`, ofJson(), '{"x":1}')),
  named('get of a row broken', rest('GET', `/${TABLE}/r1`, ofJson(), '{')),
  named(
    'get of a row zipped',
    rest('GET', `/${TABLE}/r1`, { ...ofJson(), 'Content-Encoding': 'gzip' }, gzipSync('{}')),
  ),
  named('get of a scan', rest('GET', `/${TABLE}/*`, ofJson(), 'x'.repeat(100_000))),
  named('get of a schema', rest('GET', `/${TABLE}/schema`, ofJson(), 'x')),
  named('get of an image', rest('GET', `/${TABLE}/r1`, { ...ofJson(), 'Content-Type': 'image/png' }, 'x')),
  named('get of a type that is none', rest('GET', `/${TABLE}/r1`, { ...ofJson(), 'Content-Type': 'x' }, 'x')),
  named('delete of a row', [
    putRow(TABLE, 'del', ['f:a', 'v', 3]),
    rest('DELETE', `/${TABLE}/del`, ofJson(), rowJson('del', ['f:a', 'v', 3])),
    get(`/${TABLE}/del`),
  ]),
  named('delete of a scanner', rest('DELETE', `/${TABLE}/scanner/none`, ofJson(), 'x')),
  named('delete of a schema', rest('DELETE', `/${TABLE}_none/schema`, ofJson(), 'x')),
]

const PATHS: Readonly<Record<string, string>> = {
  row: `/${TABLE}/r1`,
  scan: `/${TABLE}/*`,
  multiget: `/${TABLE}/multiget?row=r1`,
  schema: `/${TABLE}/schema`,
  scanner: `/${TABLE}/scanner`,
  'open scanner': `/${TABLE}/scanner/none`,
  exists: `/${TABLE}/exists`,
  tables: '/',
  version: '/version/cluster',
  namespace: '/namespaces/default',
  nowhere: `/${TABLE}/schema/x`,
}

/** Changes that answer cells, in a form that the client does not take. */
const unanswerable: readonly NamedCase[] = ['append', 'increment'].map((kind) =>
  named(`${kind} as an image`, [
    rest(
      'PUT',
      `/${TABLE}/${kind}?check=${kind}&rr=true`,
      { 'Content-Type': JSON_TYPE, Accept: 'image/png' },
      rowJson(kind, ['f:a', '5']),
    ),
    rest('HEAD', `/${TABLE}/${kind}`, { Accept: JSON_TYPE }),
  ]),
)

/** Methods that Node's parser knows, then methods that it does not. */
const METHODS = ['PATCH', 'TRACE', 'PROPFIND', 'LOCK', 'SUBSCRIBE', 'M-SEARCH', 'FOO', 'QUERYX', '!#$']

const methods: readonly NamedCase[] = Object.entries(PATHS).flatMap(([label, path]) =>
  METHODS.map((method) => named(`${label} ${method}`, rest(method, path, { Accept: JSON_TYPE }))),
)

const withBody: readonly RestRequest[] = ['PATCH', 'FOO', 'PROPFIND'].map((method) =>
  rest(method, `/${TABLE}/r1`, ofJson(), rowJson('r1', ['f:a', 'other', 9])),
)

const expectations: readonly NamedCase[] = [
  named('continue', [
    rest('PUT', `/${TABLE}/exp`, { ...ofJson(), Expect: '100-continue' }, rowJson('exp', ['f:a', 'v', 3])),
    get(`/${TABLE}/exp`),
  ]),
  named('continue in capitals', [
    rest('PUT', `/${TABLE}/exp2`, { ...ofJson(), Expect: '100-CONTINUE' }, rowJson('exp2', ['f:a', 'v', 3])),
    get(`/${TABLE}/exp2`),
  ]),
  named('something else', rest('GET', `/${TABLE}/r1`, { Accept: JSON_TYPE, Expect: 'a-miracle' })),
]

export const restHttp: Scenario = {
  name: 'rest-http',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE), putRow(TABLE, 'r1', ['f:a', 'v'.repeat(100), 3])],
  cases: [
    ...listed('rest-http-zip', zippedAnswers),
    ...listed('rest-http-needless', needless),
    ...listed('rest-http-expect', expectations),
    ...listed('rest-http-unanswerable', unanswerable),
    ...listed('rest-http-method', [
      ...methods,
      ...withBody.map((each) => named(`${each.method} with a body`, each)),
    ]),
  ],
}
