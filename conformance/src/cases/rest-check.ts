/** Puts and deletes under a condition, appends and increments; in order, on one row. */

import type { Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named, withCase } from '../runner/case-list.ts'
import {
  BINARY,
  b64,
  createTable,
  F_A,
  get,
  JSON_TYPE,
  PROTOBUF,
  rowJson,
  send,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_check'

function check(kind: string, ...cells: [string, string, (number | string)?][]): NamedCase {
  const label = `${withCase(kind) || 'no kind'} ${cells
    .flat()
    .map((part) => part || 'empty')
    .join(' ')}`
  return named(label, send('PUT', `/${TABLE}/c1?check=${kind}`, JSON_TYPE, rowJson('c1', ...cells)))
}

const checks: readonly Listed[] = [
  named(
    'row that is checked',
    send(
      'PUT',
      '/conf_rest_check/c1',
      JSON_TYPE,
      rowJson('c1', ['f:a', 'one', 10], ['f:b', 'b', 10], ['g:', 'g', 10]),
    ),
  ),
  check('put', ['f:a', 'two', 20], ['f:a', 'wrong']),
  check('put', ['f:a', 'two', 20], ['f:a', 'one']),
  check('PUT', ['f:a', 'three', 30], ['f:a', 'two']),
  check('put', ['f:a', 'three', 30]),
  check('put', ['f:b', 'three', 30], ['f:a', 'three']),
  check('put', ['f:a', 'three', 30], ['f', 'three']),
  check('put', ['f:a', 'three', 30], ['f:', 'three']),
  check('put', ['zz:a', 'three', 30], ['zz:a', 'three']),
  named('c1 after puts', get('/conf_rest_check/c1?v=10')),
  check('delete', ['f:a', 'wrong']),
  check('delete', ['f:b', 'b']),
  named('c1 after refused deletes', get('/conf_rest_check/c1?v=10')),
  check('delete', ['f:a', '', 20], ['f:a', 'three']),
  named('c1 after delete of a version', get('/conf_rest_check/c1?v=10')),
  check('delete', ['f', 'three']),
  check('delete', ['g:', 'g']),
  check('bogus', ['g:', 'g']),
  check('', ['g:', 'g', 40]),
  named('c1 after deletes', get('/conf_rest_check/c1?v=10')),
  send('PUT', '/conf_rest_check/c1?check=put', JSON_TYPE, '{"Row":[]}'),
  send('PUT', '/conf_rest_check/c1?check=delete', JSON_TYPE, '{"Row":[{"Cell":[]}]}'),
  check('append', ['g:ap', 'x']),
  check('append', ['g:ap', 'y']),
  get('/conf_rest_check/c1/g:ap', BINARY),
  check('increment', ['g:in', '5']),
  check('increment', ['g:in', '-7']),
  check('increment', ['g:in', 'x']),
  check('increment', ['g:', '1']),
  named('counter', get('/conf_rest_check/c1/g:in', BINARY)),
  send('PUT', '/conf_rest_check/c1?check=append&rr=true', JSON_TYPE, rowJson('c1', ['g:ap', 'z'])),
  named(
    'increment with results',
    send('PUT', '/conf_rest_check/c1?check=increment&rr=true', JSON_TYPE, rowJson('c1', ['g:in', '3'])),
  ),
  named('counter after rr', get('/conf_rest_check/c1/g:in', BINARY)),
  send('PUT', '/conf_rest_check/c1/g:ap?check=append&rr=x', JSON_TYPE, '{"Row":[{"Cell":[{"$":"eA=="}]}]}'),
  send(
    'PUT',
    '/conf_rest_check/c1?check=append&rr=true',
    XML,
    `<CellSet><Row><Cell column="${b64('g:ap')}">eA==</Cell></Row></CellSet>`,
  ),
  named('append of nothing', send('PUT', '/conf_rest_check/c1?check=append', JSON_TYPE, rowJson('c1'))),
  send('PUT', '/conf_rest_check/c1?check=append', JSON_TYPE, rowJson('c1', ['g', 'x'])),
  send('PUT', '/conf_rest_check/c1?check=increment', JSON_TYPE, rowJson('c1', ['zz:g', '1'])),
  send('PUT', '/conf_rest_check/*?check=append', JSON_TYPE, rowJson('c1', ['g:ap', 'z'])),
  send('PUT', '/conf_rest_none/c1?check=append', JSON_TYPE, rowJson('c1', ['g:ap', 'z'])),
]

const FORM_NAMES = ['json', 'xml', 'protobuf']
const KINDS = ['put', 'delete', 'append', 'increment', 'PUT', 'Append', 'none'] as const

/** Each kind of check in each form of body, with and without a wanted result, on a row of its own. */
const forms: readonly NamedCase[] = KINDS.flatMap((kind, index) =>
  [JSON_TYPE, XML, PROTOBUF].flatMap((type, form) =>
    ['', '&rr=true', '&rr=false'].map((query, asked) => {
      const row = `k${index}-${form}-${asked}`
      return named(`${withCase(kind)} ${FORM_NAMES[form]!}${query}`, [
        send('PUT', `/${TABLE}/${row}`, JSON_TYPE, rowJson(row, ['f:n', '1', 10], ['f:a', 'x', 10])),
        send('POST', `/${TABLE}/${row}?check=${kind}${query}`, type, bodyOf(type, kind)),
        get(`/${TABLE}/${row}/f:a,f:b,f:n/0,9000?v=9`),
      ])
    }),
  ),
)

/** Puts and deletes compare with the last cell; the row is the path's. */
function bodyOf(type: string, kind: string): string | Buffer {
  const kept = kind.toLowerCase() === 'put'
  const value = kind === 'increment' ? '5' : 'x'
  const column = kind === 'increment' ? 'f:i' : 'f:a'
  if (type === JSON_TYPE) {
    const first = kept ? `{"column":"${F_A}","timestamp":20,"$":"${b64('new')}"},` : ''
    return `{"Row":[{"Cell":[${first}{"column":"${b64(column)}","$":"${b64(value)}"}]}]}`
  }
  if (type === XML) {
    const first = kept ? `<Cell column="${F_A}" timestamp="20">${b64('new')}</Cell>` : ''
    return `<CellSet><Row>${first}<Cell column="${b64(column)}">${b64(value)}</Cell></Row></CellSet>`
  }
  const first = kept ? '\x12\x0c\x12\x03f:a\x18\x14\x22\x03new' : ''
  const cells = `${first}\x12\x08\x12\x03${column}\x22\x01${value}`
  return Buffer.from(`\x0a${String.fromCharCode(cells.length)}${cells}`, 'latin1')
}

export const restCheck: Scenario = {
  name: 'rest-check',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE)],
  cases: [...listed('rest-check', checks, { leaveOut: ['put c1'] }), ...listed('rest-check-form', forms)],
}
