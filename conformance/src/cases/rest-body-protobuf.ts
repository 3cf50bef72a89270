/** Bodies in protobuf: each field missing, repeated, of each other wire type, at its extremes and broken off. */

import { rest, type Scenario } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import {
  BROKEN,
  bytesField,
  type Field,
  groups,
  messageOf,
  NUMBERS,
  numberField,
  OTHER_TYPES,
  TEXTS,
  varied,
  varint,
} from './rest-body-fields.ts'
import { createTable, createTableWrittenAgain, get, PROTOBUF, putRow, send } from './rest-request.ts'

const TABLE = 'conf_rest_body_protobuf'
const SCANNED = 'conf_rest_body_scan'
const MADE = 'conf_rest_body_made'
const NAMESPACE = 'conf_rest_body'

type Message = readonly [label: string, message: Buffer]

const ANY_FIELD = { ...OTHER_TYPES, ...BROKEN }
/** Rows are written under this key, and read back after each case. */
const KEY = 'pb'

const CELL: readonly Field[] = [
  ['row', 1, bytesField(1, 'zz')],
  ['column', 2, bytesField(2, 'f:a')],
  ['timestamp', 3, numberField(3, 3)],
  ['data', 4, bytesField(4, 'v')],
]

function rowOf(cell: Buffer): readonly Field[] {
  return [
    ['key', 1, bytesField(1, KEY)],
    ['values', 2, bytesField(2, cell)],
  ]
}

function setOf(row: Buffer): readonly Field[] {
  return [['rows', 1, bytesField(1, row)]]
}

const WHOLE_ROW = messageOf(rowOf(messageOf(CELL)))
const WHOLE_SET = messageOf(setOf(WHOLE_ROW))

function inRow([label, row]: Message): Message {
  return [label, messageOf(setOf(row))]
}

function inCell([label, cell]: Message): Message {
  return inRow([label, messageOf(rowOf(cell))])
}

const cellSets: readonly Message[] = [
  ['whole', WHOLE_SET],
  ...varied(setOf(WHOLE_ROW), ANY_FIELD),
  ...varied(rowOf(messageOf(CELL)), ANY_FIELD).map(inRow),
  ...varied(CELL, ANY_FIELD).map(inCell),
  ...varied(CELL, NUMBERS, ['timestamp']).map(inCell),
  ['tag 0', Buffer.concat([WHOLE_SET, Buffer.of(0)])],
  ['cut tag', Buffer.concat([WHOLE_SET, Buffer.of(0x80)])],
  ['field of the largest number', Buffer.concat([WHOLE_SET, numberField(0x1fff_ffff, 1)])],
  ['tag padded to five bytes', Buffer.concat([Buffer.of(0x8a, 0x80, 0x80, 0x80, 0), varint(0)])],
  ['groups within each other', Buffer.concat([WHOLE_SET, groups(9, 50)])],
  ['end of another group', Buffer.concat([WHOLE_SET, Buffer.of(0x4b, 0x54)])],
]

const SCANNER: readonly Field[] = [
  ['start row', 1, bytesField(1, 'r1')],
  ['end row', 2, bytesField(2, 'r9')],
  ['columns', 3, bytesField(3, 'f:a')],
  ['batch', 4, numberField(4, 10)],
  ['start time', 5, numberField(5, 1)],
  ['end time', 6, numberField(6, 9)],
  ['max versions', 7, numberField(7, 1)],
  ['filter', 8, bytesField(8, '')],
  ['caching', 9, numberField(9, 10)],
  ['labels', 10, bytesField(10, 'a')],
  ['cache blocks', 11, numberField(11, 1)],
]
const SCANNER_NUMBERS = ['batch', 'start time', 'end time', 'max versions', 'caching', 'cache blocks']

const scanners: readonly Message[] = [
  ['whole', messageOf(SCANNER)],
  ...varied(SCANNER, ANY_FIELD),
  ...varied(SCANNER, NUMBERS, SCANNER_NUMBERS),
  ...varied(SCANNER, TEXTS, ['filter', 'labels']),
]

const ATTRIBUTE: readonly Field[] = [
  ['attribute name', 1, bytesField(1, 'MINE')],
  ['attribute value', 2, bytesField(2, 'y')],
]

const FAMILY: readonly Field[] = [
  ['family name', 1, bytesField(1, 'f')],
  ['family attributes', 2, bytesField(2, messageOf(ATTRIBUTE))],
  ['ttl', 3, numberField(3, 9)],
  ['versions', 4, numberField(4, 2)],
]

const SCHEMA: readonly Field[] = [
  ['name', 1, bytesField(1, 'x')],
  ['attributes', 2, bytesField(2, messageOf(ATTRIBUTE))],
  ['families', 3, bytesField(3, messageOf(FAMILY))],
  ['in memory', 4, numberField(4, 1)],
  ['read only', 5, numberField(5, 0)],
]

function inFamily([label, family]: Message): Message {
  return [label, Buffer.concat([bytesField(3, family)])]
}

const schemas: readonly Message[] = [
  ['whole', messageOf(SCHEMA)],
  ...varied(SCHEMA, OTHER_TYPES),
  ...varied(FAMILY, OTHER_TYPES).map(inFamily),
  ...varied(ATTRIBUTE, { ...OTHER_TYPES, ...TEXTS }).map(([label, attribute]): Message => {
    return [label, Buffer.concat([bytesField(2, attribute), bytesField(3, bytesField(1, 'f'))])]
  }),
  ...varied(FAMILY, NUMBERS, ['ttl', 'versions']).map(inFamily),
]

const PROPERTY: readonly Field[] = [
  ['key', 1, bytesField(1, 'a')],
  ['value', 2, bytesField(2, 'b')],
]
const NAMESPACE_FIELDS: readonly Field[] = [['property', 1, bytesField(1, messageOf(PROPERTY))]]

const namespaces: readonly Message[] = [
  ['whole', messageOf(NAMESPACE_FIELDS)],
  ...varied(NAMESPACE_FIELDS, ANY_FIELD),
  ...varied(PROPERTY, { ...ANY_FIELD, ...TEXTS }).map(([label, property]): Message => {
    return [label, bytesField(1, property)]
  }),
]

function cellSetCase([label, body]: Message): NamedCase {
  return named(label, [
    send('PUT', `/${TABLE}/path`, PROTOBUF, body),
    get(`/${TABLE}/multiget?row=${KEY}&row=path&row=zz&v=2`),
    rest('DELETE', `/${TABLE}/${KEY}`),
    rest('DELETE', `/${TABLE}/path`),
    rest('DELETE', `/${TABLE}/zz`),
  ])
}

function scannerCase([label, body]: Message): NamedCase {
  return named(label, [
    send('PUT', `/${SCANNED}/scanner`, PROTOBUF, body),
    get('{scanner}'),
    rest('DELETE', '{scanner}'),
  ])
}

function schemaCase([label, body]: Message): NamedCase {
  const path = `/${MADE}/schema`
  return named(label, [send('PUT', path, PROTOBUF, body), get(path), rest('DELETE', path)])
}

function namespaceCase([label, body]: Message): NamedCase {
  const path = `/namespaces/${NAMESPACE}`
  return named(label, [send('POST', path, PROTOBUF, body), get(path), rest('DELETE', path)])
}

export const restBodyProtobuf: Scenario = {
  name: 'rest-body-protobuf',
  tables: [TABLE, SCANNED, MADE],
  namespaces: [NAMESPACE],
  setup: [
    createTableWrittenAgain(TABLE),
    createTable(SCANNED),
    putRow(SCANNED, 'r1', ['f:a', 'x', 2], ['f:b', 'y', 9]),
  ],
  cases: [
    ...listed('rest-body-protobuf-set', cellSets.map(cellSetCase)),
    ...listed('rest-body-protobuf-scanner', scanners.map(scannerCase)),
    ...listed('rest-body-protobuf-schema', schemas.map(schemaCase)),
    ...listed('rest-body-protobuf-ns', namespaces.map(namespaceCase)),
  ],
}
