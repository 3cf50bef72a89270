/**
 * Every operation of the door: those of the resources in routes.ts, by their patterns, and those of rows, which the door routes itself.
 * test/doors/rest/openapi.test.ts calls each operation and provokes each of its statuses.
 */

import { JSON_TYPE, PROTOBUF, PROTOBUF_IETF, TEXT } from '../http/media-type.ts'
import {
  answered,
  documentOf,
  error,
  inPath,
  inQuery,
  LOCATION,
  NAMESPACE,
  NOT_ACCEPTABLE,
  type Operation,
  type Parameter,
  READ_ONLY,
  ROWS_OR_VALUE,
  SCANNER_BODY,
  TABLE,
  UNAVAILABLE,
  UNSUPPORTED_TYPE,
} from './parts.ts'
import { COLUMNS, FORM_MULTIGET, type Methods, MULTIGET, rowMethods, SCAN, TIMES } from './row-operations.ts'
import { named, type SchemaName } from './schemas.ts'

export interface DescribedPath {
  /** The pattern of routes.ts; undefined for rows. */
  readonly route: string | undefined
  readonly methods: Methods
}

/** An operation that reads a document, and fails only with 406. */
function document(summary: string, name: SchemaName, ...without: readonly string[]): Operation {
  return { summary, answers: { 200: answered(summary, documentOf(name, ...without)), 406: NOT_ACCEPTABLE } }
}

const NO_TABLE = error('There is no such table.')
const MADE = { ...answered('It is made, or as described now.'), headers: LOCATION }

const SCHEMA_CHANGE: Pick<Operation, 'parameters' | 'body'> = {
  parameters: [TABLE],
  body: documentOf('TableSchema', TEXT),
}

const SCHEMA_REFUSALS = {
  400: error('The body has no schema, or one that no table can have.'),
  403: READ_ONLY,
  415: UNSUPPORTED_TYPE,
  503: UNAVAILABLE,
}

const OPEN_SCANNER: Operation = {
  summary: 'Opens a scanner, which the server keeps until it is deleted or not read for a while.',
  parameters: [TABLE],
  body: SCANNER_BODY,
  answers: {
    201: MADE,
    400: error('The scanner cannot be understood.'),
    415: UNSUPPORTED_TYPE,
    500: error('The body has no scanner.'),
  },
}

const SCANNER: readonly Parameter[] = [TABLE, inPath('scanner', 'From the Location of the scanner.')]

/** The operations by their paths in OpenAPI's syntax. */
export const OPERATIONS: ReadonlyMap<string, DescribedPath> = new Map<string, DescribedPath>([
  ['/', { route: '/', methods: { get: document('The tables.', 'TableList') } }],
  ['/openapi.json', { route: '/openapi.json', methods: { get: openApi() } }],
  ['/version', { route: '/version', methods: { get: document('The version of the server.', 'Version') } }],
  [
    '/version/rest',
    { route: '/version/rest', methods: { get: document('The version of the server.', 'Version') } },
  ],
  [
    '/version/cluster',
    {
      route: '/version/cluster',
      methods: { get: document('The version of HBase.', 'ClusterVersion', PROTOBUF, PROTOBUF_IETF) },
    },
  ],
  [
    '/status/cluster',
    { route: '/status/cluster', methods: { get: document('Servers and regions.', 'ClusterStatus') } },
  ],
  ['/namespaces', { route: '/namespaces', methods: { get: document('The namespaces.', 'Namespaces') } }],
  ['/namespaces/{namespace}', { route: '/namespaces/:name', methods: namespaceMethods() }],
  [
    '/namespaces/{namespace}/tables',
    {
      route: '/namespaces/:name/tables',
      methods: {
        ...namespaceMethods(),
        get: {
          summary: 'The tables of a namespace.',
          parameters: [NAMESPACE],
          answers: {
            200: answered('The tables, without their namespace.', documentOf('TableList')),
            406: NOT_ACCEPTABLE,
            500: error('There is no such namespace.'),
          },
        },
      },
    },
  ],
  ['/{table}/exists', { route: '/:name/exists', methods: tableExists() }],
  ['/{table}/regions', { route: '/:name/regions', methods: tableRegions() }],
  ['/{table}/schema', { route: '/:name/schema', methods: schemaMethods() }],
  ['/{table}/scanner', { route: '/:name/scanner', methods: { put: OPEN_SCANNER, post: OPEN_SCANNER } }],
  ['/{table}/scanner/{scanner}', { route: '/:name/scanner/:id', methods: scannerMethods() }],
  ['/{table}/multiget', { route: undefined, methods: { get: MULTIGET, post: FORM_MULTIGET } }],
  ['/{table}/{prefix}*', { route: undefined, methods: { get: SCAN } }],
  ['/{table}/{row}', { route: undefined, methods: rowMethods() }],
  ['/{table}/{row}/{columns}', { route: undefined, methods: rowMethods(COLUMNS) }],
  ['/{table}/{row}/{columns}/{timestamps}', { route: undefined, methods: rowMethods(COLUMNS, TIMES) }],
])

function openApi(): Operation {
  const summary = 'This document.'
  return { summary, answers: { 200: answered(summary, { [JSON_TYPE]: { schema: named('OpenApi') } }) } }
}

function namespaceMethods(): Methods {
  const parameters = [NAMESPACE]
  const body = documentOf('NamespaceProperties', TEXT)
  const bad = { 415: UNSUPPORTED_TYPE, 500: error('The JSON or protobuf of the body is malformed.') }
  return {
    get: {
      summary: 'The properties of a namespace.',
      parameters,
      answers: {
        200: answered('The properties.', documentOf('NamespaceProperties')),
        406: NOT_ACCEPTABLE,
        500: error('There is no such namespace.'),
      },
    },
    put: {
      summary: 'Replaces the properties of a namespace.',
      parameters,
      body,
      answers: {
        200: answered('Its address.', {
          [TEXT]: { schema: { type: 'string' } },
          [JSON_TYPE]: { schema: { type: 'string' } },
        }),
        403: error('There is no such namespace, or the server is read-only.'),
        406: NOT_ACCEPTABLE,
        ...bad,
      },
    },
    post: {
      summary: 'Creates a namespace.',
      parameters,
      body,
      answers: { 201: MADE, 403: error('It is there already, or the server is read-only.'), ...bad },
    },
    delete: {
      summary: 'Drops a namespace that has no tables.',
      parameters,
      answers: {
        200: answered('It is dropped.'),
        403: READ_ONLY,
        404: error('There is no such namespace.'),
        503: UNAVAILABLE,
      },
    },
  }
}

function tableExists(): Methods {
  const answers = {
    200: answered('There is such a table.'),
    404: NO_TABLE,
    406: NOT_ACCEPTABLE,
    500: error('No table can have the name.'),
  }
  return { get: { summary: 'Whether there is a table.', parameters: [TABLE], answers } }
}

function tableRegions(): Methods {
  const answers = {
    200: answered('The regions.', documentOf('TableInfo')),
    404: NO_TABLE,
    406: NOT_ACCEPTABLE,
    500: error('No table can have the name.'),
  }
  return { get: { summary: 'The regions of a table.', parameters: [TABLE], answers } }
}

function schemaMethods(): Methods {
  return {
    get: {
      summary: 'The schema of a table.',
      parameters: [TABLE],
      answers: {
        200: answered('The schema.', documentOf('TableSchema')),
        404: NO_TABLE,
        406: NOT_ACCEPTABLE,
      },
    },
    put: {
      summary: 'Creates a table, or replaces its schema.',
      ...SCHEMA_CHANGE,
      answers: { 201: MADE, ...SCHEMA_REFUSALS },
    },
    post: {
      summary: 'Creates a table, or adds to its families and their attributes.',
      ...SCHEMA_CHANGE,
      answers: { 200: answered('The families are added.'), 201: MADE, ...SCHEMA_REFUSALS },
    },
    delete: {
      summary: 'Drops a table with all of its rows.',
      parameters: [TABLE],
      answers: { 200: answered('It is dropped.'), 403: READ_ONLY, 404: NO_TABLE },
    },
  }
}

function scannerMethods(): Methods {
  return {
    get: {
      summary: 'Reads a batch of cells of a scanner, or one value.',
      parameters: [
        ...SCANNER,
        inQuery('n', 'At most so many rows.', { type: 'integer' }),
        inQuery('c', 'At most so many cells.', { type: 'integer' }),
      ],
      answers: {
        200: answered('The cells, or the next value.', ROWS_OR_VALUE),
        204: answered('The scanner is at its end.'),
        404: error('There is no such scanner, or no table any more.'),
        406: NOT_ACCEPTABLE,
        410: error('The table is disabled, and the scanner closed.'),
      },
    },
    delete: {
      summary: 'Closes a scanner.',
      parameters: SCANNER,
      answers: { 200: answered('It is closed.'), 404: error('There is no such scanner.') },
    },
  }
}
