/** Names of tables, namespaces and scanners in URLs, and tables and namespaces that are called so. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { get, JSON_TYPE, rowJson, send, TEXT } from './rest-request.ts'
import { ASCII, codeOf, LATIN1, OTHERS, percent, raw } from './rest-url-characters.ts'

const TABLE = 'conf_rest_urlé'
const NAMESPACE = 'conf_ürl'
const IN_NAMESPACE = `${NAMESPACE}:t€`
const HEBREW = 'conf_rest_url_א'
const TABLES = [TABLE, IN_NAMESPACE, HEBREW, 'conf_rest_url_ø']

const SCHEMA = '{"ColumnSchema":[{"name":"f"}]}'
const NEVER_RAW: ReadonlySet<string> = new Set([' ', '\t', '\n', '\r'])
/** A slash ends the name, and what follows is a row. */
const ENDS_NAME = '/'

/** Characters that may be part of a name, or may not: nothing of that name is there. */
function inNames(text: string): RestRequest[] {
  return [
    rest('GET', `/conf_rest_no${text}/exists`),
    get(`/conf_rest_no${text}/schema`),
    get(`/conf_rest_no${text}/r1`),
    get(`/conf_rest_no${text}:t/schema`),
    get(`/namespaces/conf_no${text}`),
  ]
}

/** The life of a table whose name is written so. */
function life(name: string, text: string): NamedCase {
  return named(name, [
    rest('GET', `/${text}/exists`),
    send('PUT', `/${text}/schema`, JSON_TYPE, SCHEMA),
    rest('GET', `/${text}/exists`),
    get(`/${text}/schema`),
    get(`/${text}/regions`),
    send('PUT', `/${text}/x`, JSON_TYPE, rowJson('r', ['f:a', 'v', 1])),
    get(`/${text}/r/f:a`),
    get(`/${text}/*`),
    get(`/${text}/multiget?row=r`),
    send('PUT', `/${text}/scanner`, JSON_TYPE, '{"batch":1}'),
    get('{scanner}'),
    rest('DELETE', '{scanner}'),
    send('POST', `/${text}/schema`, JSON_TYPE, '{"ColumnSchema":[{"name":"ü"}]}'),
    get(`/${text}/schema`),
    rest('DELETE', `/${text}/r`),
    get(`/${text}/*`),
    rest('DELETE', `/${text}/schema`),
    rest('GET', `/${text}/exists`),
  ])
}

function namespaceLife(name: string, text: string): NamedCase {
  const table = percent('t€')
  return named(name, [
    rest('POST', `/namespaces/${text}`),
    get(`/namespaces/${text}`),
    send('PUT', `/namespaces/${text}`, JSON_TYPE, '{"properties":{"ü":"ö"}}'),
    get(`/namespaces/${text}`),
    send('PUT', `/${text}:${table}/schema`, JSON_TYPE, SCHEMA),
    get(`/namespaces/${text}/tables`),
    get(`/namespaces/${text}/tables`, TEXT),
    rest('GET', `/${text}%3A${table}/exists`),
    get(`/${text}:${table}/*`),
    rest('DELETE', `/${text}:${table}/schema`),
    rest('DELETE', `/namespaces/${text}`),
    get(`/namespaces/${text}`),
  ])
}

const others: readonly Listed[] = [
  named('slash in a table', get('/conf_rest_no%2Fr1/r1')),
  named('backslash in a namespace', get('/namespaces/conf_no\\')),
  named('resource in escapes', get('/%76ersion')),
  named('version in escapes', get('/version/%72est')),
  named('namespaces in escapes', get('/names%70aces')),
  named('tables in escapes', get('/namespaces/default/t%61bles')),
  named('name of a variable as schema', get('/:name/schema')),
  named('scanner not utf8', get('/conf_rest_none/scanner/%FF')),
  named('scanner raw', get(`/conf_rest_none/scanner/${raw('é')}`)),
  named('schema not utf8', get('/conf_rest_no%FF/schema')),
  named('namespace not utf8', get('/namespaces/conf_no%FF')),
  named('brace in a table', get('/conf_rest_no{/schema')),
  named('brace in a namespace', get('/namespaces/conf_no{')),
  named('fragment behind exists', get('/conf_rest_none/exists#x')),
]

export const restUrlNames: Scenario = {
  name: 'rest-url-names',
  tables: TABLES,
  namespaces: [],
  setup: [],
  cases: [
    ...listed(
      'rest-url-name-percent',
      [...ASCII, ...LATIN1, ...OTHERS].map((each) => named(codeOf(each), inNames(percent(each)))),
    ),
    ...listed(
      'rest-url-name-raw',
      [...ASCII, ...OTHERS]
        .filter((each) => each !== ENDS_NAME && !NEVER_RAW.has(each))
        .map((each) => named(codeOf(each), inNames(raw(each)))),
    ),
    ...listed('rest-url-table', [
      life('percent', percent(TABLE)),
      life('raw', raw(TABLE)),
      life('hebrew percent', percent(HEBREW)),
      life('hebrew raw', raw(HEBREW)),
      life('partly percent', 'conf_rest_url_%C3%B8'),
    ]),
    ...listed('rest-url-namespace', [
      namespaceLife('percent', percent(NAMESPACE)),
      namespaceLife('raw', raw(NAMESPACE)),
    ]),
    ...listed('rest-url-name-other', others),
  ],
}
