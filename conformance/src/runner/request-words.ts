/** The subject of a request, as text for its case's id; words that every case of its kind has are left out. */

import type { StructSchema, ThriftType } from '../../../src/wire/thrift/schema.ts'
import { LAST_SCANNER, type Request, type RestRequest, type ThriftRequest, type ThriftValue } from './case.ts'
import { protobufWords } from './protobuf-words.ts'
import { bodyWords, formOf } from './rest-body-words.ts'
import { methodSchema } from './thrift-client.ts'

/** Fields whose values say enough. */
const PLAIN_FIELDS: readonly string[] = `
  table tableName tableNames row rows column columns family qualifier value mutations mutation mput
  name ns columnValues columnFamilies column_names tget tgets tput tputs tscan scan tdelete tdeletes
  tincrement tappend desc increment increments append values rowBatches rowMutations put amount
  ammount deleteSingle deleteType compareOp operator namespaceDesc filterString startAndPrefix
  filterBytes regex tableNameOrRegionName colFamTimeRangeMap labels columnFamily
  columnFamilyDescriptor id scannerId authorizations pattern
`
  .trim()
  .split(/\s+/)

/** The names of fields; empty where the value says enough. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PLAIN_FIELDS.map((name) => [name, ''])),
  timestamp: 'at',
  maxVersions: 'versions',
  numVersions: 'versions',
  startRow: 'from',
  stopRow: 'to',
  minStamp: 'since',
  maxStamp: 'before',
  timeRange: 'time',
  numRows: 'rows',
  nbRows: 'rows',
  isDelete: 'delete',
}

/** Calls that scan, as most cases of their areas do. */
const UNSAID_METHODS = new Set(['getScannerResults', 'scannerOpenWithScan'])
/** Numbers of rows that mean all rows. */
const ALL_ROWS = [100, 1000]

/** Tables of the suite are called conf_AREA_SCENARIO or conf_SCENARIO, and _WHICH where there are several. */
const TABLE = /\bconf_(?:(?:rest|filter|t1|t2|PROD)_)?[A-Za-z]+(?:\b:?(?=\b|$)|(?=_))/g
/** The same as a whole segment of a path, with the slash before it. */
const TABLE_SEGMENT =
  /\/conf_(?!(?:rest|filter)_no)(?:PROD_COW|(?:(?:rest|filter)_)?[a-z]+(?=[/?]|$))(?:_[A-Z]+)?/g

/** Only WHICH is left, and the names of tables and namespaces that are not there. */
function withoutTable(text: string): string {
  return text
    .replace(TABLE_SEGMENT, '')
    .replace(/\bconf_PROD_COW_[A-Z]+/g, '')
    .replace(/\bconf_(?:rest|filter)_none\b/g, 'none')
    .replace(/\bconf_rest_no_ns\b/g, 'no-ns')
    .replace(TABLE, '')
}

/** Requests that only read do not name a case that has others. */
export function caseWords(requests: readonly Request[]): string {
  const telling = requests.filter((request) => !isLook(request))
  return (telling.length === 0 ? requests : telling).map(requestWords).join(' then ')
}

function isLook(request: Request): boolean {
  return request.door === 'rest'
    ? request.method === 'GET' || (request.method === 'DELETE' && request.path.startsWith('{scanner}'))
    : /^(?:get|exists|scannerGet|scannerClose|closeScanner)/.test(request.method)
}

export function requestWords(request: Request): string {
  if (request.door === 'rpc') return `${request.service} ${request.method}`
  return request.door === 'rest' ? restWords(request) : thriftWords(request)
}

function restWords({ method, path, headers, body }: RestRequest): string {
  const verb = method === 'GET' ? '' : method.toLowerCase()
  const given = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  const type = given.get('content-type')
  const accept = given.get('accept')
  const others = [...given].filter(([name]) => name !== 'accept' && name !== 'content-type')
  return [
    verb,
    pathWords(path),
    ...others.map(([name, value]) => `${name} ${value === '' ? 'empty' : value}`),
    accept === undefined ? (method === 'GET' ? 'accept none' : '') : formOf(accept, 'as '),
    type === undefined ? (body === undefined ? '' : 'untyped') : formOf(type, 'of '),
    body === undefined ? '' : bodyWords(type, body),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** A path without the name of its table. */
export function pathWords(path: string): string {
  const place = withoutTable(filterDecoded(path)).replace('{scanner}', 'scanner')
  return place === '' ? 'table' : place
}

/** A filter in a query, decoded. */
function filterDecoded(path: string): string {
  return path.replace(/\bfilter=([^&]*)/g, (whole, filter: string) => {
    try {
      return `filter=${decodeURIComponent(filter)}`
    } catch {
      return whole
    }
  })
}

function thriftWords({ door, method, args }: ThriftRequest): string {
  const schema = methodSchema({ door, method, args: {} }).args
  const words = schema.fields
    .filter(({ name }) => name in args)
    .map(({ name, type }) => {
      const value = args[name]
      if (value === undefined) return `without ${name}`
      return isUnsaid(name, value) ? '' : fieldWords(name, type, value)
    })
  const text = words.filter((part) => part !== '').join(' ')
  return UNSAID_METHODS.has(method) && text !== '' ? text : `${method} ${text}`
}

function isUnsaid(name: string, value: ThriftValue): boolean {
  if (name === 'numRows') return ALL_ROWS.includes(Number(value))
  return name === 'attributes' && isEmpty(value)
}

function isEmpty(value: ThriftValue): boolean {
  if (value instanceof Map) return value.size === 0
  return Array.isArray(value) && value.length === 0
}

function fieldWords(name: string, type: ThriftType, value: ThriftValue): string {
  if (value === LAST_SCANNER) return ''
  if (isEmpty(value)) return `no ${name}`
  if (value === true) return FIELD_WORDS[name] || name
  const words = valueWords(type, value)
  const label = FIELD_WORDS[name] ?? name
  if (words === '' && isText(value) && latin1Text(value) === '')
    return label === '' ? `empty ${name}` : `${label} empty`
  return label === '' ? words : `${label} ${words}`
}

function isText(value: ThriftValue): value is string | Buffer {
  return typeof value === 'string' || Buffer.isBuffer(value)
}

function latin1Text(value: string | Buffer): string {
  return typeof value === 'string' ? value : value.toString('latin1')
}

function valueWords(type: ThriftType, value: ThriftValue): string {
  switch (type.kind) {
    case 'enum':
      return (
        [...type.enum.members].find(([, number]) => number === value)?.[0].replaceAll('_', ' ') ??
        plainWords(value)
      )
    case 'struct':
      return structWords(type.struct, value as ThriftRequest['args'])
    case 'list':
    case 'set':
      return (value as readonly ThriftValue[]).map((each) => elementWords(type.element, each)).join(' ')
    case 'map':
      return [...(value as ReadonlyMap<ThriftValue, ThriftValue>)]
        .map(([key, each]) => `${valueWords(type.key, key)} ${valueWords(type.value, each) || 'empty'}`)
        .join(' ')
    case 'string':
    case 'binary':
      return withoutTable(latin1Text(value as string | Buffer))
    case 'bool':
    case 'i8':
    case 'i16':
    case 'i32':
    case 'i64':
    case 'double':
      return plainWords(value)
  }
}

function plainWords(value: ThriftValue): string {
  const isPlain = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
  return isPlain ? value.toString() : ''
}

/** The words for an element without any: an empty element, or the name of a table. */
function elementWords(type: ThriftType, value: ThriftValue): string {
  const words = valueWords(type, value)
  if (words !== '') return words
  const isNothing = isText(value) ? latin1Text(value) === '' : Object.keys(value as object).length === 0
  return isNothing ? 'empty' : 'table'
}

function structWords(struct: StructSchema, value: ThriftRequest['args']): string {
  const stated = struct.fields.filter(({ name }) => value[name] !== undefined)
  const words = stated.map(({ name, type }) => {
    const each = value[name]
    return name === 'filterBytes'
      ? protobufWords(each as Buffer) || 'empty filterBytes'
      : fieldWords(name, type, each)
  })
  return words.filter((part) => part !== '').join(' ')
}
