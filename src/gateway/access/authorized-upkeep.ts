/** Upkeep that users may ask for. HBase: AccessController, as an observer of the master and of region servers. */

import { abbreviated } from '../../model/bytes.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Action } from '../../model/permission.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import { withMethods } from '../../store/decorate.ts'
import type { FileTrackers } from '../../store/file-trackers.ts'
import type { Quotas } from '../../store/quotas.ts'
import type { ReplicationPeers } from '../../store/replication-peers.ts'
import type {
  BulkLoads,
  Chores,
  Compactions,
  Flushes,
  RegionUpkeep,
  Switches,
  Upkeep,
} from '../../store/upkeep.ts'
import type { AdvertisedCatalog } from '../advertised.ts'
import { tableOfRegion } from '../region-owner.ts'
import type { Access, AccessChecker } from './access-checker.ts'
import { ACL_TABLE } from './acl-rows.ts'
import { ADMIN_OR_CREATE, requireOfSystemTable } from './authorized-catalog.ts'
import { authorizedSnapshots, type SnapshotParts } from './authorized-snapshots.ts'
import type { StoredPermissions } from './stored-permissions.ts'

const ADMIN: readonly Action[] = ['ADMIN']

interface Checks {
  /** Throws ACCESS_DENIED. One of the actions is enough. */
  readonly table: (table: TableName, actions: readonly Action[], call: Call) => Promise<void>
  /** Of the table that the region is of. Whoever may do everything may ask for regions that are not there. */
  readonly region: (region: Buffer, actions: readonly Action[], call: Call) => Promise<void>
  /**
   * As `region`, but whoever names a region that is not there hears that, as the store would say it: the name may be one of a table, which
   * a door asks for next. HBase's servers look for a region before anybody's permissions.
   */
  readonly presentRegion: (region: Buffer, actions: readonly Action[], call: Call) => Promise<void>
  /** Of what changes rows of a region past all checks of writes. */
  readonly contents: (region: Buffer, actions: readonly Action[], call: Call) => Promise<void>
  readonly global: (call: Call) => Promise<void>
}

export interface AuthorizedUpkeepParts extends SnapshotParts {
  readonly catalog: AdvertisedCatalog
}

export function authorizedUpkeep(upkeep: Upkeep, parts: AuthorizedUpkeepParts): Upkeep {
  const { catalog, checker, permissions } = parts
  const checks = checksOf(catalog, checker)
  const { flushes, compactions, regions, snapshots, files, bulkLoads, switches, chores, quotas } = upkeep
  const { fileTrackers, peers } = upkeep
  return {
    ...upkeep,
    ...(flushes && { flushes: authorizedFlushes(flushes, checks) }),
    ...(compactions && { compactions: authorizedCompactions(compactions, checks) }),
    ...(regions && { regions: authorizedRegions(regions, checks, permissions) }),
    ...(snapshots && { snapshots: authorizedSnapshots(snapshots, parts) }),
    ...(files && { files: authorizedFiles(files, checks) }),
    ...(fileTrackers && { fileTrackers: authorizedFileTrackers(fileTrackers, checks) }),
    ...(peers && { peers: authorizedPeers(peers, checks) }),
    ...(bulkLoads && { bulkLoads: authorizedBulkLoads(bulkLoads, checker, permissions) }),
    ...(switches && { switches: authorizedSwitches(switches, checks) }),
    ...(chores && { chores: authorizedChores(chores, checks) }),
    ...(quotas && { quotas: authorizedQuotas(quotas, checks) }),
    permissions,
  }
}

function checksOf(catalog: AdvertisedCatalog, checker: AccessChecker): Checks {
  const ofRegion =
    (require: typeof requireTable, requireMissing: typeof requireEverything = requireEverything) =>
    async (region: Buffer, actions: readonly Action[], call: Call): Promise<void> => {
      const access = await checker.of(call)
      if (access.subject.isSuperuser) return
      const table = await tableOfRegion(catalog, region, call)
      if (table === undefined) requireMissing(access, region)
      else require(access, table, actions)
    }
  return {
    table: async (table, actions, call) => {
      const access = await checker.of(call)
      access.requireTable(table, actions)
    },
    region: ofRegion(requireTable),
    presentRegion: ofRegion(requireTable, (_, region) => {
      throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${abbreviated(region)}`)
    }),
    contents: ofRegion(requireContents),
    global: async (call) => {
      const access = await checker.of(call)
      access.requireGlobal('ADMIN')
    },
  }
}

function requireEverything(access: Access, _region: Buffer): void {
  access.requireGlobal('ADMIN')
}

function requireTable(access: Access, table: TableName, actions: readonly Action[]): void {
  access.requireTable(table, actions)
}

function requireContents(access: Access, table: TableName, actions: readonly Action[]): void {
  access.requireTable(table, actions)
  requireOfSystemTable(access, table)
}

function authorizedFlushes(flushes: Flushes, checks: Checks): Flushes {
  return withMethods(flushes, {
    flushTable: async (table, call) => {
      await checks.table(table, ADMIN_OR_CREATE, call)
      await flushes.flushTable(table, call)
    },
    flushRegion: async (region, family, call) => {
      await checks.presentRegion(region, ADMIN_OR_CREATE, call)
      return flushes.flushRegion(region, family, call)
    },
  })
}

/** Paths of the server's disk. HBase tells them to everybody. */
function authorizedFiles(files: NonNullable<Upkeep['files']>, checks: Checks): NonNullable<Upkeep['files']> {
  return withMethods(files, {
    storeFiles: async (region, families, call) => {
      await checks.region(region, ADMIN, call)
      return files.storeFiles(region, families, call)
    },
  })
}

/** HBase: AccessController.preModifyTableStoreFileTracker. */
function authorizedFileTrackers(fileTrackers: FileTrackers, checks: Checks): FileTrackers {
  return withMethods(fileTrackers, {
    setTracker: async (table, family, tracker, call) => {
      await checks.table(table, ADMIN_OR_CREATE, call)
      await fileTrackers.setTracker(table, family, tracker, call)
    },
  })
}

/** HBase: AccessController.preAddReplicationPeer and its like. */
function authorizedPeers(peers: ReplicationPeers, checks: Checks): ReplicationPeers {
  return withMethods(peers, {
    changePeer: async (peerId, change, call) => {
      await checks.global(call)
      await peers.changePeer(peerId, change, call)
    },
    peerChanges: async (call) => {
      await checks.global(call)
      return peers.peerChanges(call)
    },
  })
}

function authorizedCompactions(compactions: Compactions, checks: Checks): Compactions {
  return withMethods(compactions, {
    compactTable: async (table, compaction, call) => {
      await checks.table(table, ADMIN_OR_CREATE, call)
      await compactions.compactTable(table, compaction, call)
    },
    compactRegion: async (region, compaction, call) => {
      await checks.presentRegion(region, ADMIN_OR_CREATE, call)
      await compactions.compactRegion(region, compaction, call)
    },
  })
}

function authorizedRegions(
  regions: RegionUpkeep,
  checks: Checks,
  permissions: StoredPermissions,
): RegionUpkeep {
  return withMethods(regions, {
    splitTable: async (table, at, call) => {
      await checks.table(table, ADMIN, call)
      await regions.splitTable(table, at, call)
    },
    splitRegion: async (region, at, call) => {
      await checks.region(region, ADMIN, call)
      await regions.splitRegion(region, at, call)
    },
    mergeRegions: async (merged, forcible, call) => {
      for (const region of merged) await checks.region(region, ADMIN, call)
      await regions.mergeRegions(merged, forcible, call)
    },
    moveRegion: async (region, target, call) => {
      await checks.region(region, ADMIN, call)
      await regions.moveRegion(region, target, call)
    },
    assignRegion: async (region, call) => {
      await checks.region(region, ADMIN, call)
      await regions.assignRegion(region, call)
    },
    unassignRegion: async (region, call) => {
      await checks.region(region, ADMIN, call)
      await regions.unassignRegion(region, call)
    },
    truncateRegion: async (region, call) => {
      await checks.contents(region, ADMIN_OR_CREATE, call)
      // It may be one of hbase:acl.
      await regions.truncateRegion(region, call).finally(() => permissions.changed())
    },
  })
}

function authorizedBulkLoads(
  bulkLoads: BulkLoads,
  checker: AccessChecker,
  permissions: StoredPermissions,
): BulkLoads {
  return withMethods(bulkLoads, {
    prepare: async (table, call) => {
      const access = await checker.of(call)
      access.requireSome(table, 'CREATE')
      requireOfSystemTable(access, table)
      await bulkLoads.prepare?.(table, call)
    },
    bulkLoad: async (region, files, call) => {
      const access = await checker.of(call)
      // A load of no file flushes the region all the same.
      if (files.length === 0) access.requireTable(region.table, ['CREATE'])
      for (const { family } of files) access.requireTable(region.table, ['CREATE'], { family })
      requireOfSystemTable(access, region.table)
      const loaded = bulkLoads.bulkLoad(region, files, call)
      return region.table === ACL_TABLE ? loaded.finally(() => permissions.changed()) : loaded
    },
  })
}

function authorizedSwitches(switches: Switches, checks: Checks): Switches {
  return withMethods(switches, {
    turn: async (name, on, call) => {
      await checks.global(call)
      return switches.turn(name, on, call)
    },
  })
}

function authorizedChores(chores: Chores, checks: Checks): Chores {
  return {
    balance: async (request, call) => {
      await checks.global(call)
      return chores.balance(request, call)
    },
    normalize: async (choice, call) => {
      await checks.global(call)
      return chores.normalize(choice, call)
    },
    scanCatalog: async (call) => {
      await checks.global(call)
      return chores.scanCatalog(call)
    },
    clean: async (call) => {
      await checks.global(call)
      return chores.clean(call)
    },
  }
}

function authorizedQuotas(quotas: Quotas, checks: Checks): Quotas {
  return withMethods(quotas, {
    setQuota: async (change, call) => {
      if (change.table === undefined) await checks.global(call)
      else await checks.table(change.table, ADMIN, call)
      await quotas.setQuota(change, call)
    },
    switchExceeding: async (on, call) => {
      await checks.global(call)
      return quotas.switchExceeding(on, call)
    },
  })
}
