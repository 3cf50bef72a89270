/** Flushes and compactions of hbase:meta and hbase:namespace as views: they do nothing, since views have no memstores and no files. */

import type { ServerName } from '../../../model/server-name.ts'
import { isShown, SHOWN_TABLES } from '../../../model/shown-tables.ts'
import { withMethods } from '../../../store/decorate.ts'
import type { Compactions, Flushes, Upkeep } from '../../../store/upkeep.ts'
import { systemRegion } from './system-rows.ts'

/** `server`: the server of the two tables. */
export function withSystemUpkeep(upkeep: Upkeep, server: ServerName): Upkeep {
  const { flushes, compactions } = upkeep
  const names = new Set(
    [...SHOWN_TABLES.keys()].map((table) => systemRegion(table, server).name.toString('latin1')),
  )
  const isShownRegion = (region: Buffer): boolean => names.has(region.toString('latin1'))
  return {
    ...upkeep,
    ...(flushes && { flushes: flushesOf(flushes, isShownRegion) }),
    ...(compactions && { compactions: compactionsOf(compactions, isShownRegion) }),
  }
}

type IsShownRegion = (region: Buffer) => boolean

function flushesOf(flushes: Flushes, isShownRegion: IsShownRegion): Flushes {
  const replaced: Flushes = {
    flushTable: async (table, call) => {
      if (!isShown(table)) await flushes.flushTable(table, call)
    },
    flushRegion: async (region, family, call) =>
      !isShownRegion(region) && (await flushes.flushRegion(region, family, call)),
  }
  return withMethods(flushes, replaced)
}

function compactionsOf(compactions: Compactions, isShownRegion: IsShownRegion): Compactions {
  const replaced: Compactions = {
    compactTable: async (table, compaction, call) => {
      if (!isShown(table)) await compactions.compactTable(table, compaction, call)
    },
    compactRegion: async (region, compaction, call) => {
      if (!isShownRegion(region)) await compactions.compactRegion(region, compaction, call)
    },
    compactionState: async (table, call) =>
      isShown(table) ? 'NONE' : compactions.compactionState(table, call),
  }
  return withMethods(compactions, replaced)
}
