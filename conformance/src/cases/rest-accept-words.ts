/** How an Accept header may be spelled: qualities, case, blanks, empty elements, parameters. */

import { type RestRequest, rest, type Scenario } from '../runner/case.ts'
import { digested, listed, withCase } from '../runner/case-list.ts'
import { get, tableOfRows } from './rest-request.ts'

const TABLE = 'conf_rest_accept_words'

/** None of them accepts every type: which answer that gets is another question. */
const SPELLINGS: readonly string[] = [
  'text/xml;q=.5',
  'text/xml;q=.123',
  'text/xml;q=0.',
  'text/xml;q=1.',
  'text/xml;q=1.000',
  'text/xml;q=1.0000',
  'text/xml;q=1.5',
  'text/xml;q=0.12345',
  'text/xml;q=2',
  'text/xml;q=-1',
  'text/xml;q=.',
  'text/xml;q=',
  'text/xml;q',
  'text/xml;q="0.5"',
  'text/xml;Q=0.5',
  'text/xml ;q=0.5',
  'text/xml; q =0.5',
  'text/xml; q= 0.5',
  'text/xml;q=0.5 , application/json',
  'text/xml;q=0.001, application/json;q=0.002',
  'text/xml;q=.1, application/json;q=.2',
  'text/xml;q=0.9, application/json;q=1.',
  'text/xml;q=0.3, application/json;q=0.30',
  'text/*;q=0.3, application/json;q=0.3',
  'text/*, application/json;q=0.9',
  'text/*;q=0.9, application/x-protobuf;q=0.2, application/json',
  'TEXT/XML, Application/JSON;q=0.5',
  'Application/X-Protobuf',
  'APPLICATION/JSON;q=0.5, text/XML;q=0.6',
  'text/xml,application/json',
  'text/xml,',
  'text/xml , ',
  ',text/xml',
  'text/xml,,application/json',
  ' text/xml ',
  'text / xml',
  'text/ xml',
  'text',
  'text/',
  '/xml',
  'text/xml;',
  'text/xml;;q=1',
  'text/xml;=x',
  'text/xml;a',
  'text/xml;a=',
  'text/xml;a=b',
  'text/xml;a="x,y"',
  'text/xml;a="x\\"y"',
  'text/xml;a="x',
  'text/xml;level=1;q=0.5',
  'text/xml;q=0.5;level=1',
  'text/xml;b=2;a=1',
  'text/xml;charset=UTF-8',
  'text/xml;charset="utf-8"',
  'text/xml;CharSet=utf-8',
  'text/xml;charset=iso-8859-1',
  'application/json;charset=us-ascii',
  'application/json;charset=utf-8, text/xml',
  'application/x-protobuf;proto=x',
  'text/xml text/plain',
  '(comment) text/xml',
  'text/xml+x',
  'application/vnd.x+json',
  'application/problem+json, application/json;q=0.5',
  'image/png, image/*;q=0.8, text/xml;q=0.1',
  'image/*',
  'application/xhtml+xml, application/xml, text/xml;q=0.3',
]

const OF_DOCUMENTS: readonly string[] = [
  'text/plain;charset=utf-8',
  'text/plain;charset=iso-8859-1',
  'text/plain;q=.2, text/xml;q=.3',
  'text/plain;q=0.5, text/*;q=0.6',
  'text/*',
  'application/*',
  '*/*;charset=utf-8',
  '*/*;q=0',
  '*;q=.2',
  '*/xml',
  ',',
  '',
]

function spelled(path: string, accepts: readonly string[]): ReturnType<typeof digested>[] {
  return accepts.map((accept) => digested(withCase(accept), accept, get(path, accept)))
}

/** Accept in several lines: Node sends them as one, joined by commas. */
const lines: readonly (readonly [name: string, request: RestRequest])[] = [
  ['json after xml', rest('GET', `/${TABLE}/r1`, { Accept: 'text/xml;q=0.3, application/json;q=0.9' })],
  ['xml after a picture', rest('GET', `/${TABLE}/r1`, { Accept: 'image/png, text/xml' })],
]

export const restAcceptWords: Scenario = {
  name: 'rest-accept-words',
  tables: [TABLE],
  namespaces: [],
  setup: tableOfRows(TABLE),
  cases: [
    ...listed('rest-spelled-row', spelled(`/${TABLE}/r1`, SPELLINGS)),
    ...listed('rest-spelled-schema', spelled(`/${TABLE}/schema`, OF_DOCUMENTS)),
    ...listed('rest-spelled-version', spelled('/version', OF_DOCUMENTS)),
    ...listed(
      'rest-spelled-lines',
      lines.map(([name, request]) => ({ label: name, requests: [request] })),
    ),
  ],
}
