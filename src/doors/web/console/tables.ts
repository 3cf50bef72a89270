/** The data of the pages of tables, of one table with its regions, and of compactions. */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { toStringBinary } from '../../../model/bytes.ts'
import type { TableDescriptor } from '../../../model/descriptor.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { eachInTurns } from '../../../model/many-a-turn.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionLocation } from '../../../store/catalog.ts'
import type { Store } from '../../../store/store.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import { loadsByTable, regionsOf, totalOf, visibleLoads } from '../status/region-loads.ts'
import { type ConsoleRequest, named } from './console-request.ts'
import { damageOf } from './damaged-rows.ts'

/** The most tables whose states the list shows: each state takes a request. */
const STATES_MAX = 200
/** The most regions that a table's page shows. */
const REGIONS_MAX = 1000

export async function tables({ store, call }: ConsoleRequest): Promise<object> {
  const { catalog } = store
  // In parallel: with a cluster each is a request to its master.
  const [names, schemas, systemNames, systemSchemas, loads, damage] = await Promise.all([
    catalog.listTables(call, 'names'),
    catalog.listTables(call),
    catalog.listSystemTables(call, 'names'),
    catalog.listSystemTables(call),
    loadsByTable(store, call),
    store.damage(),
  ])
  const [users, systems] = [withSchemas(names, schemas), withSchemas(systemNames, systemSchemas)]
  const hasStates = users.length <= STATES_MAX
  const userTables = await Promise.all(
    users.map(async (table) => ({
      ...summaryOf(table, loads.get(table.name)),
      damagedFiles: damage.filter((each) => each.table === table.name).length,
      state: hasStates ? await catalog.tableState(table.name, call).catch(() => undefined) : undefined,
    })),
  )
  return {
    tables: userTables,
    systemTables: systems.map((table) => summaryOf(table, loads.get(table.name))),
  }
}

interface SeenTable {
  readonly name: TableName
  /** Undefined where the user has a permission for the table, but not one to read its schema. */
  readonly schema: TableDescriptor | undefined
}

function withSchemas(
  named: readonly TableDescriptor[],
  described: readonly TableDescriptor[],
): readonly SeenTable[] {
  const schemas = new Map(described.map((schema) => [schema.name, schema]))
  return named.map(({ name }) => ({ name, schema: schemas.get(name) }))
}

function summaryOf({ name, schema }: SeenTable, loads: readonly RegionLoad[] = []): object {
  return { name, families: schema?.families.length, ...sums(loads), regions: regionsOf(name, loads) }
}

function sums(loads: readonly RegionLoad[]): object {
  return {
    storeFileBytes: totalOf(loads, bytesOfFiles),
    memStoreSizeMB: totalOf(loads, (load) => load.memStoreSizeMB),
    reads: totalOf(loads, (load) => load.readRequests),
    writes: totalOf(loads, (load) => load.writeRequests),
  }
}

/** HBase counts whole megabytes; the weight of the files' blocks is their bytes, where the store reports it. */
function bytesOfFiles({ figures, storeFileSizeMB }: RegionLoad): number {
  const bytes = Number(figures?.blocksTotalWeight ?? 0n)
  return bytes > 0 ? bytes : storeFileSizeMB * 1024 * 1024
}

export async function table(request: ConsoleRequest): Promise<object> {
  const { store, call } = request
  const name = parseTableName(named(request, 'name'))
  const schema = await visibleSchema(store, name, call)
  const [state, regions, all, damage] = await Promise.all([
    store.catalog.tableState(name, call),
    store.catalog.regions(name, call),
    loadsByTable(store, call),
    damageOf(store, name),
  ])
  const shownRegions = regions.slice(0, REGIONS_MAX)
  const ofTable = all.get(name) ?? []
  const loads = await loadsOf(shownRegions, ofTable)
  const { compactions, flushes, regions: splits } = store.upkeep
  return {
    name,
    state,
    ...(schema && shownSchema(schema)),
    ...sums(ofTable),
    damage,
    regionsTotal: regions.length,
    regions: shownRegions.map((region) => shown(region, loads.get(keyOf(region)))),
    compaction: await compactions?.compactionState(name, call).catch(() => undefined),
    can: { flush: flushes !== undefined, compact: compactions !== undefined, split: splits !== undefined },
  }
}

/** The loads of these regions only, by keyOf: the table may have many more. */
async function loadsOf(
  regions: readonly RegionLocation[],
  loads: readonly RegionLoad[],
): Promise<ReadonlyMap<string, RegionLoad>> {
  const keys = new Set(regions.map(keyOf))
  const found = new Map<string, RegionLoad>()
  await eachInTurns(loads, (load) => {
    const key = keyOf(load)
    if (keys.has(key)) found.set(key, load)
  })
  return found
}

function keyOf({ name }: Pick<RegionLoad, 'name'>): string {
  return name.toString('latin1')
}

/** The schema; undefined where the user's permissions for the table do not include it. Throws ACCESS_DENIED for a user without permissions. */
async function visibleSchema(
  { catalog }: Store,
  name: TableName,
  call: Call,
): Promise<TableDescriptor | undefined> {
  try {
    return await catalog.table(name, call)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'ACCESS_DENIED') throw error
    const seen = await allTables(catalog, call, 'names')
    if (!seen.some((table) => table.name === name)) throw error
    return undefined
  }
}

function shownSchema({ attributes, families }: TableDescriptor): object {
  return {
    attributes: Object.fromEntries(attributes),
    families: families.map((family) => ({
      name: family.name.toString('base64'),
      attributes: Object.fromEntries([...family.attributes, ...(family.configuration ?? [])]),
    })),
  }
}

function shown({ name, encodedName, startKey, endKey, server }: RegionLocation, load?: RegionLoad): object {
  return {
    name: toStringBinary(name),
    encodedName,
    startKey: startKey.toString('base64'),
    endKey: endKey.toString('base64'),
    server: server && `${server.host}:${server.port}`,
    load: load && {
      ...load,
      storeFileBytes: bytesOfFiles(load),
      // The other figures have numbers that JSON does not.
      name: undefined,
      figures: undefined,
    },
  }
}

/** The tables with a running or queued compaction, with their compacting regions. */
export async function compactions({ store, call, facts }: ConsoleRequest): Promise<object> {
  const { upkeep } = store
  if (upkeep.compactions === undefined) return { isThere: false, tables: [] }
  const running = []
  for (const [name, loads] of await visibleLoads(store, call, facts)) {
    const busy = loads.filter(({ compactingCells, compactedCells }) => compactingCells > compactedCells)
    // With a cluster each state is a request to its servers, so only those of compacting tables are read.
    const isAsked = busy.length > 0 || upkeep.loads !== undefined
    const state = isAsked
      ? await upkeep.compactions.compactionState(name, call).catch(() => undefined)
      : undefined
    if (busy.length === 0 && (state === undefined || state === 'NONE')) continue
    const regions = busy.map(({ name: region, compactingCells, compactedCells }) => ({
      region: toStringBinary(region),
      compactingCells,
      compactedCells,
    }))
    running.push({ table: name, state, regions })
  }
  return { isThere: true, tables: running }
}
