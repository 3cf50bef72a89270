/** Bodies in JSON: each member missing, stated twice, null, of another type and at its extremes. */

import { type Request, rest, type Scenario } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { JSON_TEXTS, placed, type Texts } from './rest-body-texts.ts'
import {
  b64,
  createTable,
  createTableWrittenAgain,
  F_A,
  get,
  JSON_TYPE,
  putRow,
  send,
} from './rest-request.ts'

const TABLE = 'conf_rest_body_json'
const SCANNED = 'conf_rest_body_scan'
const MADE = 'conf_rest_body_made'
const NAMESPACE = 'conf_rest_body'

/** A cell set whose parts are marked by `«place:text»`; the row and the cell are whole members of their lists. */
const CELL_SET =
  '«set:{"Row":«rows:[«row:{«key member:"key":«key:"{row}"»,»"Cell":«cells:[«cell:{«column member:"column":«column:"' +
  F_A +
  '"»,»«time member:"timestamp":«timestamp:3»,»"$":«value:"eA=="»}»]»}»]»}»'

const SCANNER =
  '«scanner:{"startRow":«startRow:"cjE="»,"endRow":«endRow:"cjk="»,"column":«columns:[«column:"' +
  F_A +
  '"»]»,"startTime":«startTime:1»,"endTime":«endTime:9»,"maxVersions":«maxVersions:1»,"batch":«batch:10»,' +
  '"caching":«caching:10»,"cacheBlocks":«cacheBlocks:true»,"filter":«filter:""»,"labels":«labels:["a"]»}»'

const SCHEMA =
  '«schema:{"name":«name:"x"»,"MINE":«attribute:"y"»,"ColumnSchema":«families:[«family:{"name":«family name:"f"»,' +
  '"MY_OWN":«family attribute:"z"»,"IN_MEMORY":«flag:"true"»}»]»}»'

const PROPERTIES = '«namespace:{"properties":«properties:{"a":«property:"b"»}»}»'

/** Members that are there twice, or under another name; texts that nearly are JSON. */
const ODD_CELL_SETS: Texts = {
  'two lists of rows': `{"Row":[],"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}]}]}`,
  'two lists of cells': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}],"Cell":[{"column":"${F_A}","$":"eQ==","timestamp":2}]}]}`,
  'two full lists of rows': `{"Row":[{"key":"YQ==","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}]}],"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eQ==","timestamp":1}]}]}`,
  'a row by its text and more': `{"Row":["a text that is longer than the rest",{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}]}]}`,
  'base64 behind padding': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==eA==eXk=eA==","timestamp":1}]}]}`,
  'base64 between spaces': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":" Zjph \t eXl5 ","timestamp":1}]}]}`,
  'base64 with a space inside': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"Zj ph","timestamp":1}]}]}`,
  'base64 with padding inside': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"Zj=h","timestamp":1}]}]}`,
  'value of numbers': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":[0,1,127,128,255,-128,-1,1.9,"7"],"timestamp":1}]}]}`,
  'value of a number too large': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":[256],"timestamp":1}]}]}`,
  'value of a number too small': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":[-129],"timestamp":1}]}]}`,
  'column of numbers': '{"Row":[{"key":"{row}","Cell":[{"column":[102,58,97],"$":"eA==","timestamp":1}]}]}',
  'two keys': `{"Row":[{"key":"YQ==","key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}]}]}`,
  'two columns': `{"Row":[{"key":"{row}","Cell":[{"column":"YQ==","column":"${F_A}","$":"eA==","timestamp":1}]}]}`,
  'cells before the key': `{"Row":[{"Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}],"key":"{row}"}]}`,
  'member in capitals': `{"ROW":[{"KEY":"{row}"}]}`,
  'value by its name': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","value":"eA==","timestamp":1}]}]}`,
  'unknown member of a row': `{"Row":[{"key":"{row}","more":1,"Cell":[]}]}`,
  'unknown member of the set': '{"more":1}',
  'trailing comma': `{"Row":[{"key":"{row}","Cell":[],}]}`,
  'more behind it': '{"Row":[]} x',
  'another document behind it': '{"Row":[]}{"Row":[]}',
  'comma behind it': '{"Row":[]},',
  'closing bracket behind it': '{"Row":[]}]',
  comment: '/* x */{"Row":[]}',
  'line comment': '{"Row":[]} // x',
  'single quotes': "{'Row':[]}",
  'names without quotes': '{Row:[]}',
  'not a number': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":NaN}]}]}`,
  infinity: `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":Infinity}]}]}`,
  hexadecimal: `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":0x10}]}]}`,
  'plus sign': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":+5}]}]}`,
  'leading point': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":.5}]}]}`,
  'trailing point': `{"Row":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":5.}]}]}`,
  'escaped name': `{"\\u0052ow":[{"key":"{row}","Cell":[{"column":"${F_A}","$":"eA==","timestamp":1}]}]}`,
  'escaped slash': '{"Row":[{"key":"{row}","Cell":[{"column":"Zjp\\/","$":"eA==","timestamp":1}]}]}',
  'control character': `{"Row":[{"key":"{row}\n","Cell":[]}]}`,
  'escaped line feed in base64': `{"Row":[{"key":"{row}","Cell":[{"column":"Zjph\\n","$":"eA==","timestamp":1}]}]}`,
  'white space only': ' \n\t',
  'NUL byte': '\0',
  'form feed around it': '\f{"Row":[]}',
  'no-break space around it': '\u00a0{"Row":[]}',
}

function cellSetCase([label, body]: readonly [string, string]): NamedCase {
  const row = label.replace(/[^a-z\d]+/gi, '-')
  return named(label, [
    send('PUT', `/${TABLE}/${row}`, JSON_TYPE, body.replaceAll('{row}', b64(row))),
    get(`/${TABLE}/${row}?v=10`),
  ])
}

function scannerCase([label, body]: readonly [string, string]): NamedCase {
  return named(label, [
    send('PUT', `/${SCANNED}/scanner`, JSON_TYPE, body),
    get('{scanner}'),
    rest('DELETE', '{scanner}'),
  ])
}

const drop: Request = rest('DELETE', `/${MADE}/schema`)

function schemaCase([label, body]: readonly [string, string]): NamedCase {
  return named(label, [send('PUT', `/${MADE}/schema`, JSON_TYPE, body), get(`/${MADE}/schema`), drop])
}

function namespaceCase([label, body]: readonly [string, string]): NamedCase {
  const path = `/namespaces/${NAMESPACE}`
  return named(label, [send('POST', path, JSON_TYPE, body), get(path), rest('DELETE', path)])
}

/** HBase never answers to a null property. */
function isAnswered([label]: readonly [string, string]): boolean {
  return label !== 'property null'
}

/** Attributes that the master refuses, or that one may think it does. */
const REFUSED: readonly string[] = [
  '"REPLICATION_SCOPE":"1"',
  '"REPLICATION_SCOPE":"2"',
  '"REPLICATION_SCOPE":"3"',
  '"REPLICATION_SCOPE":"-1"',
  '"TTL":"0"',
  '"TTL":"-1"',
  '"MIN_VERSIONS":"-1"',
  '"VERSIONS":"-1"',
  '"BLOCKSIZE":"1"',
  '"BLOOMFILTER":"X"',
  '"DFS_REPLICATION":"-1"',
]

const refused: readonly NamedCase[] = REFUSED.flatMap((attribute) => {
  const path = `/${MADE}/schema`
  const plain = send('PUT', path, JSON_TYPE, '{"ColumnSchema":[{"name":"f"}]}')
  const odd = `{"ColumnSchema":[{"name":"f",${attribute}}]}`
  return [
    named(`create ${attribute}`, [send('PUT', path, JSON_TYPE, odd), get(path), drop]),
    named(`alter ${attribute}`, [plain, send('POST', path, JSON_TYPE, odd), get(path), drop]),
  ]
})

const FAMILY_TWICE = '{"ColumnSchema":[{"name":"f"},{"name":"f"}]}'

export const restBodyJson: Scenario = {
  name: 'rest-body-json',
  tables: [TABLE, SCANNED, MADE],
  namespaces: [NAMESPACE],
  setup: [
    createTableWrittenAgain(TABLE),
    createTable(SCANNED),
    putRow(SCANNED, 'r1', ['f:a', 'x', 2], ['f:b', 'y', 9]),
  ],
  cases: [
    ...listed('rest-body-json-set', placed(CELL_SET, JSON_TEXTS).map(cellSetCase)),
    ...listed('rest-body-json-odd', Object.entries(ODD_CELL_SETS).map(cellSetCase)),
    ...listed('rest-body-json-scanner', placed(SCANNER, JSON_TEXTS).map(scannerCase)),
    ...listed('rest-body-json-schema', placed(SCHEMA, JSON_TEXTS).map(schemaCase)),
    ...listed('rest-body-json-attribute', [...refused, schemaCase(['family twice', FAMILY_TWICE])]),
    ...listed('rest-body-json-ns', placed(PROPERTIES, JSON_TEXTS).filter(isAnswered).map(namespaceCase)),
  ],
}
