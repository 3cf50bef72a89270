/** The parts from which descriptions of operations are built. */

import { BINARY, JSON_TYPE, PROTOBUF, PROTOBUF_IETF, TEXT, XML } from '../http/media-type.ts'
import { PROBLEM_TYPE } from '../http/problem.ts'
import { NDJSON, TEXT_JSON, TEXT_NDJSON } from '../http/rows-type.ts'
import { type JsonSchema, named, type SchemaName } from './schemas.ts'

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

export interface Answered {
  readonly description: string
  readonly content?: Content
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>
}

export interface Operation {
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  readonly body?: Content
  /** The answers by status. */
  readonly answers: Readonly<Record<number, Answered>>
}

const BYTES: JsonSchema = {}
const STRING: JsonSchema = { type: 'string' }
const INTEGER: JsonSchema = { type: 'integer' }
const ONE_LINE: JsonSchema = { type: 'string' }
const LINES: JsonSchema = {
  type: 'string',
  description: 'A JSON document a line; a last line with a member error reports that the rows broke off.',
}

/** A JSON document with HBase's other formats of it. */
export function documentOf(name: SchemaName, ...without: readonly string[]): Content {
  const all: Content = {
    [TEXT]: { schema: STRING },
    [XML]: { schema: STRING },
    [JSON_TYPE]: { schema: named(name) },
    [PROTOBUF]: { schema: BYTES },
    [PROTOBUF_IETF]: { schema: BYTES },
  }
  return Object.fromEntries(Object.entries(all).filter(([type]) => !without.includes(type)))
}

/** Rows in all formats except the bytes of a single value. */
export const ROWS: Content = {
  [XML]: { schema: STRING },
  [JSON_TYPE]: { schema: named('CellSet') },
  [TEXT_JSON]: { schema: named('TextRows') },
  [NDJSON]: { schema: LINES },
  [TEXT_NDJSON]: { schema: LINES },
  [PROTOBUF]: { schema: BYTES },
  [PROTOBUF_IETF]: { schema: BYTES },
}
export const ROWS_OR_VALUE: Content = { ...ROWS, [BINARY]: { schema: BYTES } }

export const ROWS_BODY: Content = {
  [BINARY]: { schema: BYTES },
  [XML]: { schema: STRING },
  [JSON_TYPE]: { schema: named('CellSet') },
  [TEXT_JSON]: { schema: { anyOf: [named('TextRows'), named('TextRow')] } },
  [PROTOBUF]: { schema: BYTES },
  [PROTOBUF_IETF]: { schema: BYTES },
}

export const SCANNER_BODY: Content = {
  [XML]: { schema: STRING },
  [JSON_TYPE]: { schema: named('Scanner') },
  [TEXT_JSON]: { schema: named('TextScanner') },
  [PROTOBUF]: { schema: BYTES },
  [PROTOBUF_IETF]: { schema: BYTES },
}

/** A form in the body, with parameters of the query. */
export const FORM_BODY: Content = { 'application/x-www-form-urlencoded': { schema: STRING } }

export function answered(description: string, content?: Content): Answered {
  return content === undefined ? { description } : { description, content }
}

const ERROR: Content = { [TEXT]: { schema: ONE_LINE }, [PROBLEM_TYPE]: { schema: named('Problem') } }

/** The answer to an error. */
export function error(description: string): Answered {
  return { description, content: ERROR }
}

export const READ_ONLY: Answered = error('The server is read-only (--read-only).')
export const NOT_ACCEPTABLE: Answered = error('None of the types that the client accepts can be had.')
export const UNSUPPORTED_TYPE: Answered = error('The body is of no type that is taken here.')
export const UNAVAILABLE: Answered = {
  ...error('The store cannot do it now, or refuses it. Retry-After is there where it passes by itself.'),
  headers: { 'Retry-After': { description: 'Seconds.', schema: INTEGER } },
}

export const LOCATION: NonNullable<Answered['headers']> = {
  Location: { description: 'The address of what was made.', schema: STRING },
}

export function inPath(name: string, description: string): Parameter {
  return { name, in: 'path', required: true, description, schema: STRING }
}

export function inQuery(name: string, description: string, schema: JsonSchema = STRING): Parameter {
  return { name, in: 'query', description, schema }
}

export const TABLE: Parameter = inPath(
  'table',
  'The name, with its namespace and a colon unless that is default.',
)
export const NAMESPACE: Parameter = inPath('namespace', 'The name of a namespace.')
export const ROW: Parameter = inPath('row', 'The key, percent-encoded; from,to for a range.')
export const ENCODING: Parameter = inQuery(
  'e',
  'How keys and columns of the path are encoded besides: text, b64, b64basic.',
)
export const VERSIONS: Parameter = inQuery('v', 'At most so many versions of a column.', INTEGER)
export const CHECK: Parameter = inQuery(
  'check',
  'put or delete: only where a column has the value of the last cell. append, increment: adds to the values.',
)
export const RESULTS: Parameter = inQuery(
  'rr',
  'true: answers the new cells of check=append and check=increment.',
)
export const SCAN_PARAMETERS: readonly Parameter[] = [
  inQuery('changes', 'A token: the changes that follow it, instead of the rows. docs/change-feed.md.'),
  inQuery('startrow', 'The first row.'),
  inQuery('endrow', 'The row before which the scan ends.'),
  inQuery('column', 'family or family:qualifier; may be repeated.'),
  inQuery('starttime', 'The first timestamp.', INTEGER),
  inQuery('endtime', 'The timestamp before which the time range ends.', INTEGER),
  inQuery('maxversions', 'At most so many versions of a column.', INTEGER),
  inQuery('batchsize', 'At most so many cells of a row in one result.', INTEGER),
  inQuery('limit', 'At most so many results; with page, of all pages together.', INTEGER),
  inQuery('page', 'At most so many results in this answer; Link names the next.', {
    type: 'integer',
    minimum: 1,
  }),
  inQuery('token', 'From a Link: where to go on.'),
  inQuery('reversed', 'true: from the greatest row down.'),
  inQuery('filter', "In HBase's filter language."),
  inQuery('filter_b64', 'The same in base64 for URLs.'),
  inQuery('cacheblocks', 'false: leaves what is read out of the cache.'),
]
