/** The loads of regions, by their tables. */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { eachInTurns } from '../../../model/many-a-turn.ts'
import { parseRegionName } from '../../../model/region-name.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Store } from '../../../store/store.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import type { ServerFacts } from './server-facts.ts'

export type LoadsByTable = ReadonlyMap<TableName, RegionLoad[]>

/** The loads of all open regions; empty where the store keeps no loads or fails to return them. */
export async function loadsByTable(store: Store, call: Call): Promise<LoadsByTable> {
  const byTable = new Map<TableName, RegionLoad[]>()
  await eachInTurns(await loadsOf(store, call).catch(() => []), (load) => {
    const table = parseRegionName(load.name)?.table as TableName | undefined
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

async function loadsOf({ upkeep }: Store, call: Call): Promise<readonly RegionLoad[]> {
  if (upkeep.loads !== undefined) return await upkeep.loads.regionLoads(call)
  const status = await upkeep.cluster?.status(call)
  return status?.liveServers.flatMap(({ regions }) => regions) ?? []
}
