/** The list of tables; whether one exists; its regions. */

import { compareBytes } from '../../model/bytes.ts'
import { HBaseError, isHBaseError } from '../../model/errors.ts'
import { namespaceOf, parseTableName, qualifierOf, type TableName } from '../../model/table-name.ts'
import { tableListDocument } from '../../wire/rest/name-lists.ts'
import { tableInfoDocument } from '../../wire/rest/table-info.ts'
import { type Answer, NO_CACHE } from './answer.ts'
import { documentAnswer } from './document-answer.ts'
import { notFound, Refusal } from './errors.ts'
import type { RestRequest } from './request.ts'
import type { RestService } from './service.ts'

/** Namespace by namespace, as HBase lists them. */
function compareTables(a: TableName, b: TableName): number {
  const namespaces = compareBytes(Buffer.from(namespaceOf(a)), Buffer.from(namespaceOf(b)))
  return namespaces !== 0
    ? namespaces
    : compareBytes(Buffer.from(qualifierOf(a)), Buffer.from(qualifierOf(b)))
}

export async function listTables({ store }: RestService, request: RestRequest): Promise<Answer> {
  const tables = await store.listTables()
  const names = tables.map(({ name }) => name).sort(compareTables)
  return documentAnswer(request.accept, tableListDocument(names), NO_CACHE)
}

/** Throws Refusal 500 for a name that no table can have: HBase parses it too late to say better. */
function lateTableName(text: string): TableName {
  try {
    return parseTableName(text)
  } catch (error) {
    throw error instanceof HBaseError ? new Refusal(500, error.message) : error
  }
}

export async function tableExists({ store }: RestService, table: string): Promise<Answer> {
  return (await store.tableExists(lateTableName(table))) ? { status: 200, headers: NO_CACHE } : notFound()
}

export async function tableRegions(
  { store }: RestService,
  request: RestRequest,
  table: string,
): Promise<Answer> {
  const name = lateTableName(table)
  try {
    const regions = await store.regions(name)
    const infos = regions.map(({ name, regionId, startKey, endKey, server }) => ({
      name: name.toString(),
      id: regionId,
      startKey,
      endKey,
      location: `${server.host}:${server.port}`,
    }))
    return documentAnswer(request.accept, tableInfoDocument(name, infos), NO_CACHE)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return notFound()
    throw error
  }
}
