/** Cell sets as XML, well and badly formed, read back. */

import type { Scenario } from '../runner/case.ts'
import { digested, listed, type NamedCase } from '../runner/case-list.ts'
import { xmlWords } from '../runner/rest-body-words.ts'
import { b64, createTable, F_A, get, send, XML } from './rest-request.ts'

const TABLE = 'conf_rest_xml'

/** From a cell's attributes to before its end tag. */
const CELLS: readonly string[] = [
  `column="${F_A}" timestamp="21">eA==`,
  `column="${F_A}" timestamp="x">eA==`,
  `column="${F_A}" timestamp="9223372036854775808">eA==`,
  `column="${F_A}" timestamp=" 22 ">eA==`,
  `column="${F_A}" timestamp="">eA==`,
  `column="${F_A}" timestamp="23">!!`,
  `column="${F_A}" timestamp="24">eA`,
  `column="${F_A}" timestamp="25"> e\nA== `,
  `column="${F_A}" timestamp="26">e-A=_=`,
  `column="${F_A}" timestamp="27">eHl6eA==eA==`,
  `column="${F_A}" timestamp="28">`,
  `timestamp="29">eA==`,
  `column="${F_A}" timestamp="9007199254740993">eA==`,
  `column="${F_A}" timestamp="30" bar="2">eA==<z/>`,
  `column="${F_A}" timestamp="31"><![CDATA[eA==]]>`,
  `column="&#90;jph" timestamp="32">&#x65;A==`,
  `column='${F_A}' timestamp='33'>eA==`,
  `column="${F_A}" timestamp="-1">eA==`,
]

const BAD: readonly string[] = [
  '',
  '<',
  '<x/>',
  '<CellSet/>',
  '<CellSet></CellSet>',
  `<CellSet><Row><Cell column="${F_A}" timestamp="41">eA==</Cell></Row></CellSet>`,
  `<CellSet><Row key="${b64('w1')}"/></CellSet>`,
  `<CellSet><Row key=""><Cell column="${F_A}">eA==</Cell></Row></CellSet>`,
  `<CellSet><bogus/><Row key="${b64('w1')}" foo="1"><Cell column="${F_A}" timestamp="42">eA==</Cell></Row></CellSet>`,
  `<CellSet xmlns="urn:x"><Row key="${b64('w1')}"/></CellSet>`,
  '<a:CellSet xmlns:a="urn:x"/>',
  `<!DOCTYPE CellSet [<!ENTITY a "eA==">]><CellSet><Row key="${b64('w1')}"><Cell column="${F_A}">&a;</Cell></Row></CellSet>`,
  '<!DOCTYPE CellSet><CellSet/>',
  `<CellSet><Row key="${b64('w1')}"><Cell column="${F_A}">eA==</Row></CellSet>`,
  '<CellSet/> x',
  '<CellSet/><CellSet/>',
  '<!-- c --><CellSet/>',
  '<?xml version="1.0"?><CellSet/>',
  ' <?xml version="1.0"?><CellSet/>',
  'cellset',
  '<cellset/>',
  `<CellSet><row key="${b64('w1')}"/></CellSet>`,
  '<CellSet>&nope;</CellSet>',
  '<CellSet>text</CellSet>',
  '<CellSet a=1/>',
  '<CellSet a="1" a="2"/>',
]

const COLUMN = `column="${F_A}" `

function readBack(cell: string, index: number): NamedCase {
  const body = `<CellSet><Row key="${b64(`y${index}`)}"><Cell ${cell}</Cell></Row></CellSet>`
  return digested(xmlWords(cell.replace(COLUMN, '')), cell, [
    send('PUT', `/${TABLE}/x`, XML, body),
    get(`/${TABLE}/y${index}?v=10`, XML),
  ])
}

export const restWriteXml: Scenario = {
  name: 'rest-write-xml',
  tables: [TABLE],
  namespaces: [],
  setup: [createTable(TABLE)],
  cases: [
    ...listed('rest-write-xml-cell', CELLS.map(readBack)),
    ...listed(
      'rest-write-xml-bad',
      BAD.map((body) => digested(xmlWords(body), body, send('PUT', `/${TABLE}/w9`, XML, body))),
    ),
    ...listed(
      'rest-write-xml-post',
      BAD.map((body) => digested(xmlWords(body), body, send('POST', `/${TABLE}/w8/f:a`, XML, body))),
    ),
  ],
}
