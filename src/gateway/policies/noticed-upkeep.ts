import type { TableName } from '../../model/table-name.ts'
import { withMethods } from '../../store/decorate.ts'
import type { Upkeep } from '../../store/upkeep.ts'

/** Upkeep that tells of the ways in which a table of Tidegate's own may change that are not writes of rows. `changed`: called after each. */
export function noticedUpkeep(upkeep: Upkeep, noticed: TableName, changed: () => void): Upkeep {
  const { regions, snapshots, bulkLoads } = upkeep
  return {
    ...upkeep,
    ...(regions && {
      regions: withMethods(regions, {
        // The region's name may be a digest, so that only the store knows its table.
        truncateRegion: (region, call) => regions.truncateRegion(region, call).finally(changed),
      }),
    }),
    ...(snapshots && {
      snapshots: withMethods(snapshots, {
        restoreSnapshot: (name, call, options) =>
          snapshots.restoreSnapshot(name, call, options).finally(changed),
        cloneSnapshot: (name, table, call, options) =>
          snapshots.cloneSnapshot(name, table, call, options).finally(changed),
      }),
    }),
    ...(bulkLoads && {
      bulkLoads: withMethods(bulkLoads, {
        bulkLoad: (region, files, call) => {
          const loaded = bulkLoads.bulkLoad(region, files, call)
          return region.table === noticed ? loaded.finally(changed) : loaded
        },
      }),
    }),
  }
}
