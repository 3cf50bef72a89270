/** Cell sets as JSON, well and badly formed, read back. */

import type { Request, Scenario } from '../runner/case.ts'
import { digested, listed, type NamedCase } from '../runner/case-list.ts'
import { b64, createTable, F_A, get, JSON_TYPE, LONG_MAX, putRow, rowJson, send } from './rest-request.ts'

const TABLE = 'conf_rest_json'

const BAD: readonly string[] = [
  '',
  '{',
  '{}',
  'null',
  '[]',
  '"x"',
  '5',
  '{"Row":null}',
  '{"Row":{}}',
  '{"Row":[]}',
  '{"Row":[null]}',
  '{"Row":[{}]}',
  `{"Row":[{"key":"${b64('w1')}"}]}`,
  `{"Row":[{"key":"${b64('w1')}","Cell":[]}]}`,
  `{"Row":[{"key":"${b64('w1')}","Cell":null}]}`,
  `{"Row":[{"key":"${b64('w1')}","Cell":[null]}]}`,
  `{"Row":[{"key":"${b64('w1')}","Cell":[{}]}]}`,
  `{"row":[{"key":"${b64('w1')}"}]}`,
  `{"Row":[{"key":5}]}`,
  `{"Row":[{"key":"${b64('w1')}","Cell":{"column":"${F_A}","$":"eA=="}}]}`,
  `{"Row":{"key":"${b64('w1')}","Cell":[{"column":"${F_A}","$":"eA=="}]}}`,
  "{'Row':[]}",
]

/** Members of one cell. */
const CELL_MEMBERS: readonly string[] = [
  `"column":"${F_A}","timestamp":1`,
  `"column":"${F_A}","timestamp":2,"$":null`,
  `"column":"Zg==","$":"eA=="`,
  `"column":"${b64('f:')}","$":"eA==","timestamp":3`,
  `"column":"${b64(':a')}","$":"eA==","timestamp":3`,
  `"column":"${F_A}","$":"eA==","timestamp":"7"`,
  `"column":"${F_A}","$":"eA==","timestamp":" 8 "`,
  `"column":"${F_A}","$":"eA==","timestamp":9.9`,
  `"column":"${F_A}","$":"eA==","timestamp":1e3`,
  `"column":"${F_A}","$":"eA==","timestamp":-1`,
  `"column":"${F_A}","$":"eA==","timestamp":9223372036854775808`,
  `"column":"${F_A}","$":"eA==","timestamp":null`,
  `"column":"${F_A}","$":"eA==","timestamp":""`,
  `"column":"${F_A}","$":"eA==","timestamp":"x"`,
  `"column":"${F_A}","$":"eA==","timestamp":true`,
  `"column":"${F_A}","$":"eA==","timestamp":01`,
  `"column":"${F_A}","$":"!!!!","timestamp":11`,
  `"column":"${F_A}","$":"eA","timestamp":11`,
  `"column":"${F_A}","$":"eA=","timestamp":11`,
  `"column":"${F_A}","$":"e","timestamp":11`,
  `"column":"${F_A}","$":"eA == ","timestamp":11`,
  `"column":"${F_A}","$":"-_8=","timestamp":11`,
  `"column":"${F_A}","$":5,"timestamp":11`,
  `"column":"${F_A}","$":"eA==","timestamp":11,"extra":1`,
  `"timestamp":12,"$":"eQ==","column":"${F_A}"`,
  `"timestamp":13,"timestamp":14,"$":"eQ==","$":"eg==","column":"${F_A}"`,
  `"column":"Zjp\\u0068","$":"eA==","timestamp":15`,
  `"column":"${b64('zzz:a')}","$":"eA=="`,
  `"column":"${F_A}","$":"eA==","timestamp":1579132800000000000`,
  `"column":"${F_A}","$":"eA==","timestamp":9007199254740993`,
]

const limits: readonly (Request | readonly Request[])[] = [
  [
    send(
      'PUT',
      `/${TABLE}/w6/f:a,f:b`,
      JSON_TYPE,
      '{"Row":[{"Cell":[{"$":"MQ==","timestamp":1},{"$":"Mg==","timestamp":1}]}]}',
    ),
    get(`/${TABLE}/w6`),
  ],
  [
    send(
      'PUT',
      `/${TABLE}/w5/f:a`,
      JSON_TYPE,
      '{"Row":[{"Cell":[{"$":"MQ==","timestamp":1},{"$":"Mg==","timestamp":1}]}]}',
    ),
    get(`/${TABLE}/w5`),
  ],
  send('PUT', '/conf_rest_none/r1', JSON_TYPE, rowJson('r1', ['f:a', 'v', 1])),
  send('PUT', '/bad!name/r1', JSON_TYPE, rowJson('r1', ['f:a', 'v', 1])),
  putRow(TABLE, 'r'.repeat(32767), ['f:a', 'v', 1]),
  putRow(TABLE, 'r'.repeat(32768), ['f:a', 'v', 1]),
  [putRow(TABLE, 'max', ['f:a', 'v', LONG_MAX]), get(`/${TABLE}/max`)],
  [putRow(TABLE, 'zero', ['f:a', 'v', 0]), get(`/${TABLE}/zero`)],
  [putRow(TABLE, 'min', ['f:a', 'v', '-9223372036854775808']), get(`/${TABLE}/min`)],
]

const COLUMN = `"column":"${F_A}",`

function readBack(members: string, index: number): NamedCase {
  const body = `{"Row":[{"key":"${b64(`m${index}`)}","Cell":[{${members}}]}]}`
  return digested(members.replace(COLUMN, '').replace('"$":"eA==",', '').replace('"$"', 'value'), members, [
    send('PUT', `/${TABLE}/x`, JSON_TYPE, body),
    get(`/${TABLE}/m${index}?v=10`),
  ])
}

export const restWriteJson: Scenario = {
  name: 'rest-write-json',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE)],
  cases: [
    ...listed(
      'rest-write-json-bad',
      BAD.map((body) => digested(body, body, send('PUT', `/${TABLE}/w9`, JSON_TYPE, body))),
    ),
    ...listed(
      'rest-write-json-post',
      BAD.map((body) => digested(body, body, send('POST', `/${TABLE}/w8/f:a`, JSON_TYPE, body))),
    ),
    ...listed('rest-write-json-cell', CELL_MEMBERS.map(readBack)),
    ...listed('rest-write-json-limit', limits),
  ],
}
