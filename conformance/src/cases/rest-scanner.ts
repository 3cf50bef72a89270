/** Scanners with state: opened by every kind of body, read to their end in all forms, closed. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { bodyWords, formOf } from '../runner/rest-body-words.ts'
import {
  BINARY,
  b64,
  CELL_SET_TYPES,
  F_A,
  get,
  JSON_TYPE,
  PROTOBUF,
  PROTOBUF_IETF,
  send,
  TEXT,
  tableOfRows,
  XML,
} from './rest-request.ts'

const TABLE = 'conf_rest_scanner'
const READS = 8

type Body = readonly [contentType: string, body: string | Buffer]

const BODIES: readonly Body[] = [
  [JSON_TYPE, '{}'],
  [JSON_TYPE, '{"batch":2}'],
  [JSON_TYPE, '{"batch":"3"}'],
  [JSON_TYPE, '{"batch":0}'],
  [JSON_TYPE, `{"column":["${F_A}"],"batch":10}`],
  [JSON_TYPE, `{"column":["${F_A}","${b64('g')}"],"batch":10}`],
  [JSON_TYPE, `{"columns":["${F_A}"],"batch":10}`],
  [JSON_TYPE, `{"startRow":"${b64('r1')}","endRow":"${b64('r2')}","batch":10}`],
  [JSON_TYPE, `{"startRow":"${b64('r1')}","endRow":"${b64('r1')}","batch":10}`],
  [JSON_TYPE, `{"startRow":"${b64('r3')}","endRow":"${b64('r1')}","batch":10}`],
  [JSON_TYPE, '{"startTime":"5","endTime":6,"batch":100}'],
  [JSON_TYPE, '{"maxVersions":2,"batch":50}'],
  [JSON_TYPE, '{"maxVersions":0}'],
  [JSON_TYPE, '{"caching":5,"cacheBlocks":false}'],
  [JSON_TYPE, '{"labels":["a"]}'],
  [JSON_TYPE, '{"limit":5}'],
  [JSON_TYPE, '{"filter":""}'],
  [JSON_TYPE, '{"bogus":1}'],
  [JSON_TYPE, '{'],
  [JSON_TYPE, ''],
  [JSON_TYPE, 'null'],
  [JSON_TYPE, `{"column":"${F_A}"}`],
  [JSON_TYPE, `{"column":["${b64('zzz')}"]}`],
  [JSON_TYPE, '{"startRow":null}'],
  [JSON_TYPE, '{"startTime":9,"endTime":5}'],
  [JSON_TYPE, '{"startTime":-1}'],
  [JSON_TYPE, '{"batch":2147483648}'],
  [XML, '<Scanner batch="2"/>'],
  [
    XML,
    `<Scanner batch="10" startRow="${b64('r1')}" endRow="${b64('r2')}"><column>${F_A}</column></Scanner>`,
  ],
  [XML, '<Scanner/>'],
  [XML, '<Scanner batch="x"/>'],
  [XML, '<CellSet/>'],
  [PROTOBUF, Buffer.from('\x20\x02', 'latin1')],
  [PROTOBUF, ''],
  [TEXT, 'x'],
]

/** Reads that stop early at the reader's limits: `n` rows, `c` cells. */
const QUERIES = [
  '',
  '?n=1',
  '?c=2',
  '?n=2&c=3',
  '?n=0',
  '?c=0',
  '?n=-1',
  '?c=-1',
  '?n=x',
  '?c=',
  '?n=99',
  '?bogus=1',
]

function open(method: string, [type, body]: Body, query = ''): RestRequest {
  return send(method, `/${TABLE}/scanner${query}`, type, body)
}

/** The whole life of a scanner. Cases whose body opens no scanner do not read. */
function life(body: Body): NamedCase {
  const forms = [JSON_TYPE, XML, '*/*', PROTOBUF]
  const reads = Array.from({ length: READS }, (_, read) => {
    const query = read === 2 ? '?n=1' : read === 3 ? '?c=2' : ''
    return get(`{scanner}${query}`, forms[read % forms.length])
  })
  const requests = [open('PUT', body), ...reads, rest('DELETE', '{scanner}'), rest('GET', '{scanner}')]
  const [type, content] = body
  return named(`${formOf(type, '')} ${bodyWords(type, Buffer.from(content))}`, requests)
}

const queries = QUERIES.flatMap((query) =>
  [...CELL_SET_TYPES, BINARY].map((type) =>
    named(`${query === '' ? 'whole' : query} ${type.replace(/^.*[/-]/, '')}`, [
      open('POST', [JSON_TYPE, '{"batch":4}']),
      get(`{scanner}${query}`, type),
      get(`{scanner}${query}`, type),
      rest('DELETE', '{scanner}'),
    ]),
  ),
)

const others: readonly Listed[] = [
  rest('GET', `/${TABLE}/scanner`),
  rest('DELETE', `/${TABLE}/scanner`),
  rest('GET', `/${TABLE}/scanner/nope`),
  rest('DELETE', `/${TABLE}/scanner/nope`),
  named('put to a scanner', [
    open('PUT', [JSON_TYPE, '{"batch":3}']),
    rest('PUT', '{scanner}'),
    rest('DELETE', '{scanner}'),
  ]),
  named('post to a scanner', [
    open('PUT', [JSON_TYPE, '{"batch":3}']),
    rest('POST', '{scanner}'),
    rest('DELETE', '{scanner}'),
  ]),
  named('head of a scanner', [
    open('PUT', [JSON_TYPE, '{"batch":3}']),
    rest('HEAD', '{scanner}'),
    rest('DELETE', '{scanner}'),
  ]),
  named('read after the end', [
    open('PUT', [JSON_TYPE, '{"batch":1000}']),
    get('{scanner}'),
    get('{scanner}'),
    get('{scanner}'),
    get('{scanner}', XML),
    get('{scanner}', BINARY),
    rest('DELETE', '{scanner}'),
    rest('DELETE', '{scanner}'),
    get('{scanner}'),
  ]),
  named('read as text', [
    open('PUT', [JSON_TYPE, '{"batch":3}']),
    get('{scanner}', TEXT),
    rest('DELETE', '{scanner}'),
  ]),
  named('read as protobuf ietf', [
    open('PUT', [JSON_TYPE, '{"batch":3}']),
    get('{scanner}', PROTOBUF_IETF),
    rest('DELETE', '{scanner}'),
  ]),
  [open('PUT', [PROTOBUF_IETF, Buffer.of(0x20, 2)]), get('{scanner}'), rest('DELETE', '{scanner}')],
  [open('POST', [XML, '<Scanner batch="2"/>']), get('{scanner}'), rest('DELETE', '{scanner}')],
  [open('POST', [PROTOBUF, Buffer.of(0x20, 2)]), get('{scanner}'), rest('DELETE', '{scanner}')],
  send('PUT', '/conf_rest_none/scanner', JSON_TYPE, '{'),
  rest('PUT', `/${TABLE}/scanner`),
  rest('PUT', `/${TABLE}/scanner`, {}, '{}'),
  open('PUT', [BINARY, 'x']),
  open('POST', ['image/png', 'x']),
  open('PUT', ['application/xml', '<Scanner/>']),
  open('PUT', ['garbage', '{}']),
  open('PUT', [`${JSON_TYPE}; charset=utf-8`, '{"batch":1}']),
  rest('POST', `/${TABLE}/scanner`),
  [open('POST', [PROTOBUF_IETF, Buffer.of(0x20, 2)]), get('{scanner}'), rest('DELETE', '{scanner}')],
]

export const restScanner: Scenario = {
  name: 'rest-scanner',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...listed('rest-scanner-life', BODIES.map(life)),
    ...listed('rest-scanner-read', queries),
    ...listed('rest-scanner-other', others),
  ],
}
