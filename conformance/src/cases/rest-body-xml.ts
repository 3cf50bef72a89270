/** Bodies in XML: each attribute and element missing, repeated, empty, of another type and at its extremes. */

import { rest, type Scenario } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { placed, type Texts } from './rest-body-texts.ts'
import { b64, createTable, createTableWrittenAgain, F_A, get, putRow, send, XML } from './rest-request.ts'

const TABLE = 'conf_rest_body_xml'
const SCANNED = 'conf_rest_body_scan'
const MADE = 'conf_rest_body_made'
const NAMESPACE = 'conf_rest_body'

const CELL_SET =
  '<CellSet><Row«key member: key="«key:{row}»"»><Cell«column member: column="«column:' +
  F_A +
  '»"»«time member: timestamp="«timestamp:3»"»>«value:eA==»</Cell></Row></CellSet>'

const SCANNER =
  '<Scanner startRow="«startRow:cjE=»" endRow="«endRow:cjk=»" startTime="«startTime:1»" endTime="«endTime:9»" ' +
  'maxVersions="«maxVersions:1»" batch="«batch:10»" caching="«caching:10»" cacheBlocks="«cacheBlocks:true»">' +
  '<column>«column:' +
  F_A +
  '»</column></Scanner>'

const SCHEMA =
  '<TableSchema«table name member: name="«table name:x»"» MINE="«attribute:y»">' +
  '<ColumnSchema«family name member: name="«family name:f»"» MY_OWN="«family attribute:z»" IN_MEMORY="«flag:true»"/></TableSchema>'

const PROPERTIES =
  '<NamespaceProperties>«properties member:<properties>«entry member:<entry>«key member:<key>«key:a»</key>»' +
  '«value member:<value>«value:b»</value>»</entry>»</properties>»</NamespaceProperties>'

/** Contents of an attribute or element. */
const XML_TEXTS: Texts = {
  empty: '',
  space: ' ',
  number: '5',
  'number between spaces': ' 5 ',
  'plus sign': '+5',
  negative: '-1',
  fraction: '1.5',
  exponent: '1e3',
  hexadecimal: '0x5',
  'too large for 32 bits': '2147483648',
  'largest of 64 bits': '9223372036854775807',
  'too large for 64 bits': '9223372036854775808',
  text: 'te:xt',
  'base64 without its end': 'Zjp',
  'base64 with an entity': 'Zj&#112;h',
  'base64 between spaces': ' Zj ph ',
  'no ASCII': '\u00e9',
}

const CELL = `<Cell column="${F_A}" timestamp="3">eA==</Cell>`
const SET = `<CellSet><Row key="{row}">${CELL}</Row></CellSet>`

/** Elements at other places, and XML's own forms of writing. */
const ODD_CELL_SETS: Texts = {
  'cell in two parts': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3">eA<b/>==</Cell></Row></CellSet>`,
  'value in CDATA': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3"><![CDATA[eA==]]></Cell></Row></CellSet>`,
  'value around a comment': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3">eA<!-- x -->==</Cell></Row></CellSet>`,
  'value around an instruction': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3">eA<?x y?>==</Cell></Row></CellSet>`,
  'value over lines': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3">\n  eA==\n</Cell></Row></CellSet>`,
  'self-closing cell': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3"/></Row></CellSet>`,
  'row without cells': '<CellSet><Row key="{row}"/></CellSet>',
  'set without rows': '<CellSet/>',
  'cell outside a row': `<CellSet>${CELL}</CellSet>`,
  'row in a row': `<CellSet><Row key="{row}"><Row key="{row}">${CELL}</Row></Row></CellSet>`,
  'cell in a cell': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3">eA==<Cell column="${F_A}">eQ==</Cell></Cell></Row></CellSet>`,
  'text between the elements': `<CellSet>a<Row key="{row}">b${CELL}c</Row>d</CellSet>`,
  'unknown elements': `<CellSet><x/><Row key="{row}"><y>1</y>${CELL}</Row></CellSet>`,
  'unknown attributes': `<CellSet a="1"><Row key="{row}" b="2"><Cell c="3" column="${F_A}" timestamp="3">eA==</Cell></Row></CellSet>`,
  'key as an element': `<CellSet><Row><key>{row}</key>${CELL}</Row></CellSet>`,
  'value as an attribute': `<CellSet><Row key="{row}"><Cell column="${F_A}" timestamp="3" value="eA=="/></Row></CellSet>`,
  'names in lower case': `<cellset><row key="{row}"></row></cellset>`,
  'names of rows in lower case': `<CellSet><row key="{row}">${CELL}</row></CellSet>`,
  'a default namespace': SET.replace('<CellSet>', '<CellSet xmlns="urn:x">'),
  'a prefix without a namespace': SET.replaceAll('CellSet', 'p:CellSet'),
  'a prefix and its namespace': SET.replace('<CellSet>', '<p:CellSet xmlns:p="urn:x">').replace(
    '</CellSet>',
    '</p:CellSet>',
  ),
  'an attribute in a namespace': SET.replace('<Row key=', '<Row xmlns:p="urn:x" p:key='),
  'a declaration': `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${SET}`,
  'a declaration after a space': ` <?xml version="1.0"?>${SET}`,
  'a declaration of XML 1.1': `<?xml version="1.1"?>${SET}`,
  'a declaration of XML 2': `<?xml version="2.0"?>${SET}`,
  'a declared Latin-1': `<?xml version="1.0" encoding="ISO-8859-1"?>${SET}`,
  'a declared ASCII': `<?xml version="1.0" encoding="US-ASCII"?>${SET}`,
  'a declared UTF-16': `<?xml version="1.0" encoding="UTF-16"?>${SET}`,
  'an unknown encoding': `<?xml version="1.0" encoding="none-such"?>${SET}`,
  'a comment before it': `<!-- x -->${SET}`,
  'an instruction before it': `<?x y?>${SET}`,
  'space before and behind it': `\n ${SET}\n `,
  'a comment behind it': `${SET}<!-- x -->`,
  'text before it': `x${SET}`,
  'text behind it': `${SET}x`,
  'two documents': SET + SET,
  'an attribute twice': '<CellSet><Row key="{row}" key="{row}"/></CellSet>',
  'an attribute without quotes': '<CellSet><Row key={row}/></CellSet>',
  'an attribute in single quotes': `<CellSet><Row key='{row}'>${CELL}</Row></CellSet>`,
  'an attribute without a value': '<CellSet><Row key/></CellSet>',
  'no space between attributes': `<CellSet><Row key="{row}"><Cell column="${F_A}"timestamp="3">eA==</Cell></Row></CellSet>`,
  'an ampersand': `<CellSet><Row key="{row}&">${CELL}</Row></CellSet>`,
  'an unknown entity': `<CellSet><Row key="&x;">${CELL}</Row></CellSet>`,
  'a reference to NUL': `<CellSet><Row key="{row}&#0;">${CELL}</Row></CellSet>`,
  'a control character': `<CellSet><Row key="{row}\x01">${CELL}</Row></CellSet>`,
  'a document type': `<!DOCTYPE CellSet>${SET}`,
  'the end of CDATA in text': `<CellSet>]]>${CELL}</CellSet>`,
  'two dashes in a comment': `<!-- a -- b -->${SET}`,
  'another end tag': '<CellSet><Row key="{row}"></CellSet></Row>',
  'no end': '<CellSet><Row key="{row}">',
  'white space only': ' \n',
}

function cellSetCase([label, body]: readonly [string, string]): NamedCase {
  const row = label.replace(/[^a-z\d]+/gi, '-')
  return named(label, [
    send('PUT', `/${TABLE}/${row}`, XML, body.replaceAll('{row}', b64(row))),
    get(`/${TABLE}/${row}?v=10`),
  ])
}

function scannerCase([label, body]: readonly [string, string]): NamedCase {
  return named(label, [
    send('PUT', `/${SCANNED}/scanner`, XML, body),
    get('{scanner}'),
    rest('DELETE', '{scanner}'),
  ])
}

function schemaCase([label, body]: readonly [string, string]): NamedCase {
  const path = `/${MADE}/schema`
  return named(label, [send('PUT', path, XML, body), get(path), rest('DELETE', path)])
}

function namespaceCase([label, body]: readonly [string, string]): NamedCase {
  const path = `/namespaces/${NAMESPACE}`
  return named(label, [send('POST', path, XML, body), get(path), rest('DELETE', path)])
}

/** HBase never answers to a property without a value. */
function isAnswered([label]: readonly [string, string]): boolean {
  return label !== 'no value member'
}

export const restBodyXml: Scenario = {
  name: 'rest-body-xml',
  tables: [TABLE, SCANNED, MADE],
  namespaces: [NAMESPACE],
  setup: [
    createTableWrittenAgain(TABLE),
    createTable(SCANNED),
    putRow(SCANNED, 'r1', ['f:a', 'x', 2], ['f:b', 'y', 9]),
  ],
  cases: [
    ...listed('rest-body-xml-set', placed(CELL_SET, XML_TEXTS).map(cellSetCase)),
    ...listed('rest-body-xml-odd', Object.entries(ODD_CELL_SETS).map(cellSetCase)),
    ...listed('rest-body-xml-scanner', placed(SCANNER, XML_TEXTS).map(scannerCase)),
    ...listed('rest-body-xml-schema', placed(SCHEMA, XML_TEXTS).map(schemaCase)),
    ...listed('rest-body-xml-ns', placed(PROPERTIES, XML_TEXTS).filter(isAnswered).map(namespaceCase)),
  ],
}
