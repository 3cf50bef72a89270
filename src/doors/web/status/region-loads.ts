/** The loads of regions, by their tables. */

import { advertised } from '../../../gateway/catalog/advertised.ts'
import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { clusterOf } from '../../../gateway/catalog/own-cluster.ts'
import { eachInTurns } from '../../../model/many-a-turn.ts'
import { tableOfRegion } from '../../../model/region-name.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { isShown } from '../../../model/shown-tables.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import type { ServerFacts } from './server-facts.ts'

/** Of regions that have no address of their own. */
const THIS_SERVER: ServerName = { host: 'localhost', port: 0, startCode: 0 }

export type LoadsByTable = ReadonlyMap<TableName, RegionLoad[]>

/** The loads of all open regions that the store keeps itself; empty where it keeps no loads or fails to return them. */
export async function loadsByTable(store: Store, call: Call): Promise<LoadsByTable> {
  const byTable = new Map<TableName, RegionLoad[]>()
  await eachInTurns(await loadsOf(store, call).catch(() => []), (load) => {
    const table = tableOfRegion(load.name) as TableName | undefined
    if (table === undefined) return
    const known = byTable.get(table)
    if (known === undefined) byTable.set(table, [load])
    else known.push(load)
  })
  return byTable
}

/** The loads of tables that the caller may list; of all tables where the server checks no permissions. */
export async function visibleLoads(
  store: Store,
  call: Call,
  { console }: Pick<ServerFacts, 'console'>,
): Promise<LoadsByTable> {
  if (console?.deciding === undefined) return loadsByTable(store, call)
  const [loads, seen] = await Promise.all([
    loadsByTable(store, call),
    allTables(store.catalog, call, 'names'),
  ])
  const names = new Set(seen.map(({ name }) => name))
  return new Map([...loads].filter(([name]) => names.has(name)))
}

/** The sum of a figure over regions. */
export function totalOf(loads: readonly RegionLoad[], figure: (load: RegionLoad) => number): number {
  return loads.reduce((total, load) => total + figure(load), 0)
}

/** The loads of all open regions, those of hbase:meta and of copies too, as `status` has them; empty where the store fails to return them. */
export async function allLoads(store: Store, call: Call): Promise<readonly RegionLoad[]> {
  const status = await clusterOf(advertised(store, THIS_SERVER))
    .status(call)
    .catch(() => undefined)
  return status?.liveServers.flatMap(({ regions }) => regions) ?? []
}

async function loadsOf({ upkeep }: Store, call: Call): Promise<readonly RegionLoad[]> {
  if (upkeep.loads !== undefined) return await upkeep.loads.regionLoads(call)
  const status = await upkeep.cluster?.status(call)
  return status?.liveServers.flatMap(({ regions }) => regions) ?? []
}

/** Open regions of a table. A table that is a view of the catalog has one, of which the store keeps no load. */
export function regionsOf(name: TableName, loads: readonly RegionLoad[] = []): number {
  return loads.length === 0 && isShown(name) ? 1 : loads.length
}
