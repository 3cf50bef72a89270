/** Namespaces with their tables, properties and quotas, as far as the user may see them. */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { CellCursor } from '../../../model/cell-block.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { gathered } from '../../../model/results.ts'
import { namespaceOf, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { QUOTA_TABLE, quotaScan, quotaSettingsOf } from '../../../store/quota-description.ts'
import type { QuotaStates } from '../../../store/quotas.ts'
import type { Store } from '../../../store/store.ts'
import type { ConsoleRequest } from './console-request.ts'

/** The most tables that the page names of one namespace. */
const TABLES_MAX = 200
/** The most quotas that the page shows, and the most bytes of their settings. */
const QUOTAS_MAX = 500
const QUOTA_BYTES = 256 * 1024

export async function namespaces({ store, call, facts }: ConsoleRequest): Promise<object> {
  const { catalog, upkeep } = store
  const [described, named, tables] = await Promise.all([
    catalog.listNamespaces(call),
    catalog.listNamespaces(call, 'names'),
    allTables(catalog, call, 'names'),
  ])
  const descriptors = new Map(described.map((each) => [each.name, each]))
  const tablesOf = new Map<string, TableName[]>()
  for (const { name } of tables) {
    const namespace = namespaceOf(name)
    const own = tablesOf.get(namespace)
    if (own === undefined) tablesOf.set(namespace, [name])
    else own.push(name)
  }
  // Names of others' namespaces are not shown, though clients of HBase may list them.
  const isChecked = facts.console?.deciding !== undefined
  const seen = named.filter(({ name }) => !isChecked || descriptors.has(name) || tablesOf.has(name))
  const uses = await upkeep.quotas?.quotaStates(call).catch(noneIfDenied)
  const [namespaceUses, tableUses] = [
    new Map(uses?.namespaces.map((use) => [use.namespace, use])),
    new Map(uses?.tables.map((use) => [use.table, use])),
  ]
  const settings = await quotaSettings(store, call)
  return {
    hasQuotas: settings !== undefined || upkeep.quotas !== undefined,
    quotas: settings,
    namespaces: seen.map(({ name }) => {
      const own = tablesOf.get(name) ?? []
      const properties = descriptors.get(name)?.properties
      return {
        name,
        tablesTotal: own.length,
        tables: own.slice(0, TABLES_MAX),
        properties: properties && Object.fromEntries(properties),
        quota: properties && spaceOf(namespaceUses.get(name)),
        tableQuotas: own.flatMap((table) => shownUse(table, tableUses.get(table))),
      }
    }),
  }
}

/** A quota of space with its used bytes. */
type Use = Omit<QuotaStates['tables'][number], 'table'>

function spaceOf(use: Use | undefined): object | undefined {
  return (
    use && { usedBytes: Number(use.usedBytes), limitBytes: Number(use.limitBytes), violated: use.violated }
  )
}

function shownUse(table: TableName, use: Use | undefined): object[] {
  return use === undefined ? [] : [{ table, ...spaceOf(use) }]
}

/** The settings of hbase:quota; undefined for a user who may not read it, and where there are no quotas. */
async function quotaSettings({ catalog, rows, handouts }: Store, call: Call): Promise<object[] | undefined> {
  try {
    if (!(await catalog.tableExists(QUOTA_TABLE, call))) return undefined
    const { id } = await rows.openScanner(QUOTA_TABLE, quotaScan(), call)
    try {
      const { results } = await handouts.next(
        id,
        { rows: QUOTAS_MAX, bytes: QUOTA_BYTES, allowPartial: false },
        call,
      )
      const { cells } = gathered(results)
      const cursor = new CellCursor(cells)
      const found: object[] = []
      while (found.length < QUOTAS_MAX && cursor.next())
        for (const { owner, text } of quotaSettingsOf(cursor.parts())) found.push({ ...owner, text })
      if (results.loan !== undefined) handouts.release(results.loan)
      return found
    } finally {
      await handouts.closeScanner(id)
    }
  } catch (error) {
    if (isHBaseError(error) && (error.code === 'ACCESS_DENIED' || error.code === 'TABLE_NOT_FOUND'))
      return undefined
    throw error
  }
}

function noneIfDenied(error: unknown): undefined {
  if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return undefined
  throw error
}
