/** Reads of rows by path, in every form of an answer. */

import { rest, type Scenario } from '../runner/case.ts'
import { type Listed, listed, named } from '../runner/case-list.ts'
import { pathWords } from '../runner/request-words.ts'
import { BINARY, CELL_SET_TYPES, get, JSON_TYPE, tableOfRows, XML } from './rest-request.ts'
import { ROW_PATHS } from './rest-row-paths.ts'

const TABLE = 'conf_rest_row'

const others: readonly Listed[] = [
  get(`/${TABLE}/cjE/Zjph`, BINARY, { Encoding: 'b64' }),
  get(`/${TABLE}/cjE/Zjph`, JSON_TYPE, { Encoding: 'base64' }),
  get(`/${TABLE}/cjE/Zjph?e=b64basic`, JSON_TYPE, { Encoding: 'b64' }),
  get(`/${TABLE}/r2/f:a`, BINARY),
  get(`/${TABLE}/nope/f:a`, BINARY),
  get(`/${TABLE}/r1,r3/f:a`, BINARY),
  get(`/${TABLE}/r1/f:a`, JSON_TYPE, { 'Accept-Encoding': 'gzip' }),
  get(`/${TABLE}/r1/f:a`, BINARY, { 'Accept-Encoding': 'gzip' }),
  get(`/${TABLE}/r1`, XML, { 'Accept-Encoding': 'gzip, deflate' }),
  get(`/${TABLE}/nope`, JSON_TYPE, { 'Accept-Encoding': 'gzip' }),
  get(`/${TABLE}/schema`, JSON_TYPE, { 'Accept-Encoding': 'gzip' }),
  rest('HEAD', `/${TABLE}/r1/f:a`),
  named('head r1 f:a as json', rest('HEAD', `/${TABLE}/r1/f:a`, { Accept: JSON_TYPE })),
  rest('HEAD', `/${TABLE}/nope/f:a`),
  rest('HEAD', `/${TABLE}/schema`),
]

export const restRow: Scenario = {
  name: 'rest-row',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...CELL_SET_TYPES.flatMap((type) =>
      listed(
        `rest-row-${type.replace(/^.*[/-]/, '')}`,
        ROW_PATHS.map((path) => named(pathWords(path), get(path, type))),
      ),
    ),
    ...listed(
      'rest-row-value',
      ROW_PATHS.map((path) => named(pathWords(path), get(path, BINARY))),
    ),
    ...listed('rest-row-header', others),
  ],
}
