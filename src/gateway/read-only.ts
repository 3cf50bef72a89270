/** A store that can only be read: each change is READ_ONLY, before the store behind hears of it. */

import { HBaseError } from '../model/errors.ts'
import type { Catalog } from '../store/catalog.ts'
import { withFacets, withMethods } from '../store/decorate.ts'
import type { Permissions } from '../store/permissions.ts'
import type { Quotas } from '../store/quotas.ts'
import type { Rows } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type {
  BulkLoads,
  Chores,
  Compactions,
  Flushes,
  RegionUpkeep,
  Snapshots,
  Switches,
  Upkeep,
} from '../store/upkeep.ts'

// Each list is total: a facet's new method does not compile before it stands here as a change or as a read.
const ROWS: Changes<Rows> = {
  get: false,
  openScanner: false,
  mutate: true,
  mutateRow: true,
  mutateRows: true,
}
const CATALOG: Changes<Catalog> = {
  hasSystemTables: false,
  listNamespaces: false,
  namespace: false,
  createNamespace: true,
  modifyNamespace: true,
  deleteNamespace: true,
  listTables: false,
  listSystemTables: false,
  table: false,
  tableExists: false,
  tableState: false,
  createTable: true,
  modifyTable: true,
  deleteTable: true,
  truncateTable: true,
  enableTable: true,
  disableTable: true,
  regions: false,
  watch: false,
}
const FLUSHES: Changes<Flushes> = { flushTable: true, flushRegion: true }
const COMPACTIONS: Changes<Compactions> = { compactTable: true, compactRegion: true, compactionState: false }
const REGIONS: Changes<RegionUpkeep> = {
  splitTable: true,
  splitRegion: true,
  mergeRegions: true,
  moveRegion: true,
  assignRegion: true,
  unassignRegion: true,
  truncateRegion: true,
}
const SNAPSHOTS: Changes<Snapshots> = {
  listSnapshots: false,
  createSnapshot: true,
  deleteSnapshot: true,
  restoreSnapshot: true,
  cloneSnapshot: true,
}
const BULK_LOADS: Changes<BulkLoads> = { prepare: true, bulkLoad: true }
const SWITCHES: Changes<Switches> = { isOn: false, turn: true }
const QUOTAS: Changes<Quotas> = {
  setQuota: true,
  quotaStates: false,
  tableSizes: false,
  serverSpaceUses: false,
  switchExceeding: true,
}
const PERMISSIONS: Changes<Permissions> = {
  areEnforced: false,
  areOfCells: false,
  grant: true,
  revoke: true,
  userPermissions: false,
  hasPermissions: false,
  checkPermissions: false,
  requireAdmin: false,
}
const CHORES: Changes<Chores> = { balance: true, normalize: true, scanCatalog: true, clean: true }

/** By method of a facet, whether it changes anything. */
type Changes<Facet> = { readonly [Method in keyof Facet]-?: boolean }

export function readOnly<Own extends Store>(store: Own): Store & Pick<Own, 'catalog'> {
  const { flushes, compactions, regions, snapshots, bulkLoads, switches, chores, loads, files, cluster } =
    store.upkeep
  const { quotas, sizes, permissions } = store.upkeep
  const upkeep: Upkeep = {
    ...(flushes !== undefined && { flushes: refusing(flushes, FLUSHES) }),
    ...(compactions !== undefined && { compactions: refusing(compactions, COMPACTIONS) }),
    ...(regions !== undefined && { regions: refusing(regions, REGIONS) }),
    ...(snapshots !== undefined && { snapshots: refusing(snapshots, SNAPSHOTS) }),
    ...(bulkLoads !== undefined && { bulkLoads: refusing(bulkLoads, BULK_LOADS) }),
    ...(switches !== undefined && { switches: refusing(switches, SWITCHES) }),
    ...(chores !== undefined && { chores: refusing(chores, CHORES) }),
    ...(loads !== undefined && { loads }),
    ...(files !== undefined && { files }),
    ...(cluster !== undefined && { cluster }),
    ...(quotas !== undefined && { quotas: refusing(quotas, QUOTAS) }),
    ...(sizes !== undefined && { sizes }),
    ...(permissions !== undefined && { permissions: refusing(permissions, PERMISSIONS) }),
  }
  return withFacets(store, {
    rows: refusing(store.rows, ROWS),
    // A store's own kind of catalog tells more about regions; it has the same methods.
    catalog: refusing<Own['catalog']>(store.catalog, CATALOG as Changes<Own['catalog']>),
    upkeep,
  })
}

/** The facet, whose changes are refused. */
function refusing<Facet extends object>(facet: Facet, changes: Changes<Facet>): Facet {
  const refused = Object.entries(changes).filter(([, isChange]) => isChange === true)
  const methods = Object.fromEntries(refused.map(([name]) => [name, refuse]))
  return withMethods(facet, methods as Partial<Facet>)
}

function refuse(): Promise<never> {
  return Promise.reject(new HBaseError('READ_ONLY', 'this server takes no changes'))
}
