/** JSON schemas (2020-12) of the door's JSON documents, by their names in the OpenAPI document. */

export type JsonSchema = Readonly<Record<string, unknown>>

const STRING: JsonSchema = { type: 'string' }
const BASE64: JsonSchema = { type: 'string', contentEncoding: 'base64' }
const INT64: JsonSchema = { type: 'integer', format: 'int64' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }
const TEXT: JsonSchema = {
  type: 'string',
  description:
    'Bytes as text: UTF-8 that can be seen as it is, every other byte as \\xHH, a backslash as \\x5C.',
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

function object(
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: readonly string[]
): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** An object whose members are HBase attributes, which are too many to list. */
function attributed(
  properties: Readonly<Record<string, JsonSchema>>,
  ...required: readonly string[]
): JsonSchema {
  return {
    ...object(properties, ...required),
    additionalProperties: { type: ['string', 'number', 'boolean'] },
  }
}

export function named(name: SchemaName): JsonSchema {
  return { $ref: `#/components/schemas/${name}` }
}

const CELL = object({ column: BASE64, timestamp: INT64, $: BASE64 }, '$')
const TEXT_CELL = object({
  column: { ...TEXT, description: 'family:qualifier, as text.' },
  timestamp: {
    ...INT64,
    description: 'Milliseconds since 1970. All 64 bits: some readers of JSON round it.',
  },
  value: TEXT,
  int64: {
    type: ['string', 'integer'],
    pattern: '^-?\\d+$',
    description:
      'A value of eight bytes as its big-endian integer, a string in answers. In a body, in place of value.',
  },
})

export type SchemaName =
  | 'CellSet'
  | 'TextRow'
  | 'TextRows'
  | 'TableList'
  | 'TableSchema'
  | 'TableInfo'
  | 'Namespaces'
  | 'NamespaceProperties'
  | 'Version'
  | 'ClusterVersion'
  | 'ClusterStatus'
  | 'Scanner'
  | 'TextScanner'
  | 'Problem'
  | 'OpenApi'

export const SCHEMAS: Readonly<Record<SchemaName, JsonSchema>> = {
  CellSet: object({ Row: listOf(object({ key: BASE64, Cell: listOf(CELL) }, 'Cell')) }, 'Row'),
  TextRow: object({ key: TEXT, cells: listOf(TEXT_CELL) }, 'cells'),
  TextRows: object({ rows: listOf({ $ref: '#/components/schemas/TextRow' }) }, 'rows'),
  TableList: object({ table: listOf(object({ name: STRING }, 'name')) }, 'table'),
  TableSchema: attributed({
    name: STRING,
    ColumnSchema: listOf(attributed({ name: STRING }, 'name')),
  }),
  TableInfo: object(
    {
      name: STRING,
      Region: listOf(
        object(
          { name: STRING, id: COUNT, startKey: BASE64, endKey: BASE64, location: STRING },
          'id',
          'startKey',
          'endKey',
          'location',
        ),
      ),
    },
    'name',
    'Region',
  ),
  Namespaces: object({ Namespace: listOf(STRING) }, 'Namespace'),
  NamespaceProperties: object(
    { properties: { type: ['object', 'null'], additionalProperties: STRING } },
    'properties',
  ),
  Version: object(
    {
      REST: STRING,
      JVM: STRING,
      OS: STRING,
      Server: STRING,
      Jersey: STRING,
      Version: STRING,
      Revision: STRING,
    },
    'REST',
    'Server',
    'Version',
  ),
  ClusterVersion: object({ Version: STRING }, 'Version'),
  ClusterStatus: {
    type: 'object',
    properties: {
      LiveNodes: listOf({ type: 'object', required: ['name', 'Region'] }),
      DeadNodes: listOf(STRING),
      regions: COUNT,
      requests: COUNT,
      averageLoad: { type: 'number' },
    },
    required: ['LiveNodes', 'DeadNodes', 'regions', 'requests', 'averageLoad'],
    additionalProperties: false,
  },
  Scanner: object({
    startRow: BASE64,
    endRow: BASE64,
    column: listOf(BASE64),
    batch: { type: 'integer', description: 'Cells of one read.' },
    startTime: INT64,
    endTime: INT64,
    maxVersions: { type: 'integer' },
    caching: { type: 'integer' },
    cacheBlocks: { type: 'boolean' },
    filter: { ...STRING, description: "HBase's filter JSON, as a string." },
    labels: listOf(STRING),
  }),
  TextScanner: object({
    startRow: TEXT,
    endRow: TEXT,
    column: listOf(TEXT),
    batch: { type: 'integer', description: 'Cells of one read.' },
    startTime: INT64,
    endTime: INT64,
    maxVersions: { type: 'integer' },
    caching: { type: 'integer' },
    cacheBlocks: { type: 'boolean' },
    filter: { ...STRING, description: "In HBase's filter language: PrefixFilter('a')." },
    labels: listOf(STRING),
  }),
  Problem: object(
    {
      type: STRING,
      title: STRING,
      status: { type: 'integer' },
      detail: STRING,
      instance: STRING,
      code: STRING,
      exception: STRING,
      mayRetry: { type: 'boolean' },
    },
    'type',
    'title',
    'status',
    'detail',
    'instance',
  ),
  OpenApi: { type: 'object', required: ['openapi', 'info', 'paths'] },
}
