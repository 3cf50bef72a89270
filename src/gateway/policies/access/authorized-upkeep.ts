/** Upkeep whose access rule depends on more than its target. HBase: AccessController, as an observer of the master and of region servers. */

import type { Call } from '../../../store/call.ts'
import type { Changes } from '../../../store/changes.ts'
import type { Quotas } from '../../../store/quotas.ts'
import type { BulkLoads, RegionUpkeep } from '../../../store/upkeep.ts'
import type { AdvertisedCatalog } from '../../catalog/advertised.ts'
import { withoutTags } from '../own-tables/without-tags.ts'
import type { AccessChecker } from './access-checker.ts'
import { ADMIN_OR_CREATE, requireOfSystemTable } from './authorized-catalog.ts'
import { ownerOf } from './operation-rules.ts'

export interface UpkeepParts {
  readonly catalog: AdvertisedCatalog
  readonly checker: AccessChecker
}

/** Truncating a region deletes rows without checks of writes, and the region may be of a system table. */
export function authorizedRegions(
  regions: RegionUpkeep,
  { catalog, checker }: UpkeepParts,
): Pick<RegionUpkeep, 'truncateRegion'> {
  return {
    truncateRegion: async (region, call) => {
      const access = await checker.accessOf(call)
      const table = await ownerOf(region, access, { catalog, call })
      if (table !== undefined) {
        access.requireTable(table, ADMIN_OR_CREATE)
        requireOfSystemTable(access, table)
      }
      await regions.truncateRegion(region, call)
    },
  }
}

export function authorizedBulkLoads(
  bulkLoads: BulkLoads,
  { checker }: UpkeepParts,
): Required<Pick<BulkLoads, 'prepare' | 'bulkLoad'>> {
  return {
    prepare: async (table, call) => {
      const access = await checker.accessOf(call)
      access.requireSome(table, 'CREATE')
      requireOfSystemTable(access, table)
      await bulkLoads.prepare?.(table, call)
    },
    bulkLoad: async (region, files, call) => {
      const access = await checker.accessOf(call)
      // A load without files still flushes the region.
      if (files.length === 0) access.requireTable(region.table, ['CREATE'])
      for (const { family } of files) access.requireTable(region.table, ['CREATE'], { family })
      requireOfSystemTable(access, region.table)
      return bulkLoads.bulkLoad(region, files, call)
    },
  }
}

export function authorizedQuotas(quotas: Quotas, { checker }: UpkeepParts): Pick<Quotas, 'setQuota'> {
  return {
    setQuota: async (change, call: Call) => {
      const access = await checker.accessOf(call)
      if (change.table === undefined) access.requireGlobal('ADMIN')
      else access.requireTable(change.table, ['ADMIN'])
      await quotas.setQuota(change, call)
    },
  }
}

/**
 * Changes of all tables are for administrators, and those of one for users who may read all of it, or all of the families that they ask for. ACLs of
 * single cells change nothing of that: they take nothing from users who may read the family, and a right to single cells is none to a family's changes.
 * Tags of cells are for administrators.
 */
export function authorizedChanges(changes: Changes, { checker }: UpkeepParts): Pick<Changes, 'readChanges'> {
  return {
    readChanges: async (position, wanted, call) => {
      const access = await checker.accessOf(call)
      const { table, families } = wanted
      if (table === undefined || wanted.ofSystem === true) access.requireGlobal('ADMIN')
      else if (families === undefined) access.requireTable(table, ['READ'])
      else for (const family of families) access.requireTable(table, ['READ'], { family })
      const part = await changes.readChanges(position, wanted, call)
      if (access.grants.allowsGlobal(access.subject, 'ADMIN')) return part
      return {
        ...part,
        changes: part.changes.map((change) => ({ ...change, cells: withoutTags(change.cells) })),
      }
    },
  }
}
