/** A table's schema: GET reads it, PUT creates or replaces it, POST extends it, DELETE drops the table. */

import {
  blockSizeBytesOf,
  checkFamiliesDiffer,
  type FamilyDescriptor,
  familyDescriptor,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
  type TableDescriptor,
  tableDescriptor,
  timeToLiveSecondsOf,
} from '../../../model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type Call, toTheEnd } from '../../../store/call.ts'
import type { Catalog } from '../../../store/catalog.ts'
import { FAMILY_ATTRIBUTES, javaHashOrder, TABLE_ATTRIBUTES } from '../../../wire/rest/java-hash-order.ts'
import { type FamilySchema, type TableSchema, tableSchemaDocument } from '../../../wire/rest/table-schema.ts'
import {
  decodeTableSchemaJson,
  decodeTableSchemaProtobuf,
  decodeTableSchemaXml,
} from '../../../wire/rest/table-schema-decoder.ts'
import { type Answer, NO_CACHE, OK } from '../http/answer.ts'
import { documentAnswer } from '../http/document-answer.ts'
import { Refusal, withStatus } from '../http/errors.ts'
import { readDocument } from '../http/read-body.ts'
import type { RestRequest } from '../http/request.ts'
import type { RestService } from '../service/rest-service.ts'

const DECODERS = {
  json: decodeTableSchemaJson,
  xml: decodeTableSchemaXml,
  protobuf: decodeTableSchemaProtobuf,
}

/** QUIRK rest-schema-read-read-schema: every table shows this attribute besides its own. */
const IS_META = 'IS_META'

const DATA_BLOCK_ENCODINGS: ReadonlySet<string> = new Set([
  'NONE',
  'PREFIX',
  'DIFF',
  'FAST_DIFF',
  'ROW_INDEX_V1',
])

export async function getSchema(service: RestService, request: RestRequest, table: string): Promise<Answer> {
  const descriptor = await service.store.catalog.table(parseTableName(table), request.call)
  return documentAnswer(request.accept, tableSchemaDocument(shownSchema(descriptor)), NO_CACHE)
}

/** HBase: TableSchemaModel prints attributes in the order of its HashMaps. */
function shownSchema({ name, attributes, families }: TableDescriptor): TableSchema {
  const own = new Map([...attributes, [IS_META, String(name === META_TABLE)]])
  return {
    name,
    attributes: javaHashOrder(own, TABLE_ATTRIBUTES),
    families: families.map((family) => ({
      name: family.name.toString(),
      attributes: javaHashOrder(family.attributes, FAMILY_ATTRIBUTES),
    })),
  }
}

export async function putSchema(service: RestService, request: RestRequest, table: string): Promise<Answer> {
  const { catalog } = service.store
  const { call } = request
  const schema = await readSchema(service, request)
  const name = parseTableName(table)
  const descriptor = descriptorOf(name, schema)
  refuseMeta(name)
  if (await catalog.tableExists(name, call)) {
    await requireEnabled(catalog, name, call)
    // A replaced table keeps only the attributes of the new schema, without defaults.
    const attributes = new Map(statedAttributes(schema))
    await catalog.modifyTable({ ...descriptor, attributes }, call)
    return { status: 201, headers: { Location: request.address } }
  }
  return await createTable(service, request, descriptor)
}

/** Adds families to an existing table, or sets their attributes. Creates a table that does not exist. */
export async function postSchema(service: RestService, request: RestRequest, table: string): Promise<Answer> {
  const { catalog } = service.store
  const { call } = request
  const schema = await readSchema(service, request)
  const name = parseTableName(table)
  refuseMeta(name)
  if (!(await catalog.tableExists(name, call))) {
    return await createTable(service, request, descriptorOf(name, schema))
  }
  // A user who may not alter the table is refused here, with another status than a refused alteration.
  await catalog.table(name, call)
  await requireEnabled(catalog, name, call)
  const families = schema.families.map(checkedFamily)
  try {
    await catalog.modifyTable({ name, alteration: { kind: 'putFamilies', families } }, call)
  } catch (error) {
    if (!isHBaseError(error) || error.code === 'READ_ONLY') throw error
    throw withStatus(503, error, 'Unavailable')
  }
  return OK
}

/** Drops the table. Once it is disabled, the drop continues even if the client hangs up. */
export async function deleteSchema(
  { store: { catalog } }: RestService,
  { call }: RestRequest,
  table: string,
): Promise<Answer> {
  const name = parseTableName(table)
  try {
    await catalog.disableTable(name, call)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'TABLE_NOT_ENABLED') throw error
  }
  await catalog.deleteTable(name, toTheEnd(call))
  return OK
}

async function readSchema({ limits }: RestService, request: RestRequest): Promise<TableSchema> {
  const schema = await readDocument(request, limits, DECODERS)
  if (schema === undefined) throw new Refusal(400, 'the body has no table schema')
  if (schema.fault !== undefined) throw new Refusal(400, schema.fault)
  return schema
}

async function createTable(
  { store }: RestService,
  request: RestRequest,
  descriptor: TableDescriptor,
): Promise<Answer> {
  try {
    await store.catalog.createTable(descriptor, [], request.call)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_EXISTS') return { status: 304 }
    throw error
  }
  return { status: 201, headers: { Location: request.address } }
}

/** HBase's SchemaResource disables a table before it changes it, which fails for hbase:meta. */
function refuseMeta(name: TableName): void {
  if (name === META_TABLE) throw new HBaseError('CONSTRAINT', `Cannot disable ${name}`)
}

/** HBase's SchemaResource.update disables the table before it changes it, which fails for a disabled one. */
async function requireEnabled(catalog: Catalog, name: TableName, call: Call): Promise<void> {
  if ((await catalog.tableState(name, call)) !== 'ENABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
}

/** Throws ILLEGAL_ARGUMENT for an invalid family, or one that is named twice. */
function descriptorOf(name: TableName, schema: TableSchema): TableDescriptor {
  const families = schema.families.map(checkedFamily)
  checkFamiliesDiffer(families)
  return tableDescriptor(name, families, statedAttributes(schema))
}

function statedAttributes({ attributes }: TableSchema): TableSchema['attributes'] {
  return attributes.filter(([key]) => key !== IS_META)
}

/** Throws ILLEGAL_ARGUMENT for invalid attributes. HBase never answers for some of them. */
function checkedFamily({ name, attributes }: FamilySchema): FamilyDescriptor {
  const family = familyDescriptor(name, attributes)
  maxVersionsOf(family)
  minVersionsOf(family)
  timeToLiveSecondsOf(family)
  keepDeletedCellsOf(family)
  blockSizeBytesOf(family)
  const encoding = family.attributes.get('DATA_BLOCK_ENCODING') ?? 'NONE'
  if (!DATA_BLOCK_ENCODINGS.has(encoding.toUpperCase())) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `DATA_BLOCK_ENCODING of column family ${name} must be one of ${[...DATA_BLOCK_ENCODINGS].join(', ')}, ` +
        `not "${encoding}"`,
    )
  }
  return family
}
