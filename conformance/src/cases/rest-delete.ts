/** Deletes by path, and time as a dimension of the query. */

import { rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { createTable, get, JSON_TYPE, LONG_MAX, putRow, rowJson, send } from './rest-request.ts'

const TABLE = 'conf_rest_delete'

const deletes: readonly Listed[] = [
  send(
    'PUT',
    '/conf_rest_delete/d1',
    JSON_TYPE,
    rowJson(
      'd1',
      ['f:a', '1', 10],
      ['f:a', '2', 20],
      ['f:b', '1', 10],
      ['g:', '1', 10],
      ['g:c', '1', LONG_MAX],
    ),
  ),
  rest('DELETE', '/conf_rest_delete/d1/f:a/10'),
  named('f after delete of a version', get('/conf_rest_delete/d1/f?v=10')),
  rest('DELETE', '/conf_rest_delete/d1/f:b'),
  named('f after delete of a column', get('/conf_rest_delete/d1/f?v=10')),
  rest('DELETE', '/conf_rest_delete/d1/g:'),
  rest('DELETE', '/conf_rest_delete/d1/g'),
  named('d1 after delete of a family', get('/conf_rest_delete/d1?v=10')),
  rest('DELETE', '/conf_rest_delete/d1/f:a/5,15'),
  rest('DELETE', '/conf_rest_delete/d1/f:a/x'),
  rest('DELETE', '/conf_rest_delete/d1/f:a/-5'),
  rest('DELETE', '/conf_rest_delete/d1'),
  named('d1 after delete of the row', get('/conf_rest_delete/d1?v=10')),
  rest('DELETE', '/conf_rest_delete/nope'),
  rest('DELETE', '/conf_rest_delete/d1/zz:a'),
  rest('DELETE', '/conf_rest_none/d1'),
  rest('DELETE', '/conf_rest_delete/d*'),
  rest('DELETE', '/bad!name/d1'),
]

/** The shifted cell of a house beside its indices. */
const farFuture: readonly Listed[] = [
  send(
    'PUT',
    '/conf_rest_delete/e',
    JSON_TYPE,
    rowJson('e', ['f:v', '0.98', 2009], ['f:v', '1.09', 2013], ['f:v', '0.87', 2012]),
  ),
  send('PUT', '/conf_rest_delete/e', JSON_TYPE, rowJson('e', ['g:label', 'house', 52011])),
  get('/conf_rest_delete/e/f:v,g:label/2012,2014?v=100'),
  get(`/conf_rest_delete/e/f:v,g:label/2012,${LONG_MAX}?v=100`),
  send('PUT', '/conf_rest_delete/e', JSON_TYPE, rowJson('e', ['g:label', 'far', '1579141440000000'])),
  rest('DELETE', '/conf_rest_delete/e'),
  rest('DELETE', '/conf_rest_delete/e/g'),
  rest('DELETE', '/conf_rest_delete/e/g:label'),
  get(`/conf_rest_delete/e/g:label/0,${LONG_MAX}?v=100`),
  send('PUT', '/conf_rest_delete/e', JSON_TYPE, rowJson('e', ['g:label', 'hidden'])),
  named('label after a put before the delete', get('/conf_rest_delete/e/g:label')),
  rest('DELETE', '/conf_rest_delete/e/g:label/1579141440000000'),
  named('label after delete of the version', get('/conf_rest_delete/e/g:label')),
]

/** Forms of a delete's path, each on a row of its own. */
const PATHS = [
  '',
  '/',
  '/f',
  '/f:',
  '/f:a',
  '/f:a,f:b',
  '/f,g',
  '/g:',
  '/:a',
  '/f:a/10',
  '/f:a/15',
  '/f:a/0',
  '/f/10',
  '/f/15',
  '/f:a/5,15',
  '/f:a/15,5',
  '/f:a/,15',
  '/f:a/10,',
  `/f:a/${LONG_MAX}`,
  '/f:a/9223372036854775808',
  '/f:none',
  '/zz',
  '?e=b64',
  '?v=1',
  '?check=delete',
] as const

const onePath: readonly NamedCase[] = PATHS.map((path, index) =>
  named(path === '' ? 'row' : path, [
    putRow(
      TABLE,
      `p${index}`,
      ['f:a', '1', 10],
      ['f:a', '2', 20],
      ['f:b', '3', 10],
      ['f:', '4', 10],
      ['g:', '5', 10],
    ),
    rest('DELETE', `/${TABLE}/p${index}${path}`),
    get(`/${TABLE}/p${index}?v=10`),
  ]),
)

export const restDelete: Scenario = {
  name: 'rest-delete',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE)],
  cases: [
    ...listed('rest-delete', deletes),
    ...listed('rest-delete-future', farFuture),
    ...listed('rest-delete-path', onePath),
  ],
}
