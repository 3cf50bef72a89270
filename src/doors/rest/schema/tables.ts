/** The list of tables, the existence of one table, and its regions. */

import { replicasOf } from '../../../gateway/catalog/replicas.ts'
import { compareBytes } from '../../../model/bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { mapInSteps } from '../../../model/steps.ts'
import { isSystemTable, namespaceOf, qualifierOf, type TableName } from '../../../model/table-name.ts'
import { tableListDocument } from '../../../wire/rest/name-lists.ts'
import { tableInfoDocument } from '../../../wire/rest/table-info.ts'
import { type Answer, NO_CACHE } from '../http/answer.ts'
import { documentAnswer, longDocumentAnswer } from '../http/document-answer.ts'
import { asNotFound, nothingFound } from '../http/errors.ts'
import { BINARY, JSON_TYPE, negotiate, PROTOBUF, PROTOBUF_IETF, TEXT, XML } from '../http/media-type.ts'
import type { RestRequest } from '../http/request.ts'
import { lateTableName } from '../parameters/late-table-name.ts'
import type { RestService } from '../service/rest-service.ts'

/** HBase's RootResource lists tables by namespace, then by name. */
function compareTables(a: TableName, b: TableName): number {
  const namespaces = compareBytes(Buffer.from(namespaceOf(a)), Buffer.from(namespaceOf(b)))
  return namespaces !== 0
    ? namespaces
    : compareBytes(Buffer.from(qualifierOf(a)), Buffer.from(qualifierOf(b)))
}

export async function listTables({ store }: RestService, request: RestRequest): Promise<Answer> {
  const tables = await store.catalog.listTables(request.call, 'names')
  const names = tables.map(({ name }) => name).sort(compareTables)
  return documentAnswer(request.accept, tableListDocument(names), NO_CACHE)
}

/** The answer has no body, but HBase negotiates its type. */
const EXISTS_TYPES = [TEXT, XML, JSON_TYPE, PROTOBUF, PROTOBUF_IETF, BINARY] as const

export async function tableExists(
  { store }: RestService,
  request: RestRequest,
  table: string,
): Promise<Answer> {
  negotiate(request.accept, EXISTS_TYPES)
  const exists = await store.catalog.tableExists(lateTableName(table), request.call)
  return exists ? { status: 200, headers: NO_CACHE } : nothingFound()
}

export async function tableRegions(
  { store }: RestService,
  request: RestRequest,
  table: string,
): Promise<Answer> {
  const name = lateTableName(table)
  try {
    const regions = await replicasOf(store.catalog, name, request.call)
    // QUIRK system-told-rest-hbase-namespace-regions: HBase leaves out the hash of a system table's region.
    // HBase gives a replica of a region the name of the region.
    const infos = mapInSteps(regions, ({ first, regionId, startKey, endKey, server }) => ({
      name: isSystemTable(name) ? `${name},${startKey.toString()},${regionId}` : first.name.toString(),
      id: regionId,
      startKey,
      endKey,
      location: `${server.host}:${server.port}`,
    }))
    return await longDocumentAnswer(request.accept, tableInfoDocument(name, await manyATurn(infos)), NO_CACHE)
  } catch (error) {
    throw isHBaseError(error) && error.code === 'TABLE_NOT_FOUND' ? asNotFound(error) : error
  }
}
