/** A store that can only be read: each change is READ_ONLY, before the store behind hears of it. */

import { HBaseError } from '../model/errors.ts'
import type { Catalog } from '../store/catalog.ts'
import { withFacets, withMethods } from '../store/decorate.ts'
import type { Rows } from '../store/rows.ts'
import type { Store } from '../store/store.ts'
import type { Upkeep } from '../store/upkeep.ts'

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
/** Total, too: a new part of upkeep does not compile before its methods stand here. */
const UPKEEP: { readonly [Part in keyof Upkeep]-?: Changes<NonNullable<Upkeep[Part]>> } = {
  flushes: { flushTable: true, flushRegion: true },
  compactions: { compactTable: true, compactRegion: true, compactionState: false },
  regions: {
    splitTable: true,
    splitRegion: true,
    mergeRegions: true,
    moveRegion: true,
    assignRegion: true,
    unassignRegion: true,
    truncateRegion: true,
  },
  snapshots: {
    listSnapshots: false,
    createSnapshot: true,
    deleteSnapshot: true,
    restoreSnapshot: true,
    cloneSnapshot: true,
  },
  bulkLoads: { prepare: true, bulkLoad: true },
  switches: { isOn: false, turn: true },
  chores: { balance: true, normalize: true, scanCatalog: true, clean: true },
  loads: { regionLoads: false },
  files: { storeFiles: false },
  fileTrackers: { setTracker: true },
  peers: { changePeer: true, peerChanges: false },
  cluster: {
    hbaseVersion: false,
    status: false,
    regionLoads: false,
    replicationPeers: false,
    procedures: false,
  },
  servers: { hbaseVersion: false, servers: false },
  quotas: {
    setQuota: true,
    quotaStates: false,
    tableSizes: false,
    serverSpaceUses: false,
    switchExceeding: true,
  },
  sizes: { tableSizes: false },
  grants: { grant: true, revoke: true },
  permissions: {
    areEnforced: false,
    areOfCells: false,
    grant: true,
    revoke: true,
    userPermissions: false,
    hasPermissions: false,
    checkPermissions: false,
    requireAdmin: false,
  },
  labels: {
    areEnforced: false,
    addLabels: true,
    setAuths: true,
    clearAuths: true,
    auths: false,
    listLabels: false,
  },
}

/** By method of a facet, whether it changes anything. */
type Changes<Facet> = { readonly [Method in keyof Facet]-?: boolean }

/** `setting`: the one that asks for it, for people. */
export function readOnly<Own extends Store>(
  store: Own,
  setting: string = '--read-only',
): Store & Pick<Own, 'catalog'> {
  const refuse = refusal(setting)
  const parts = Object.entries(store.upkeep).map(([name, part]) => {
    const changes = UPKEEP[name as keyof Upkeep] as Changes<object>
    return [name, refusing(part as object, changes, refuse)] as const
  })
  return withFacets(store, {
    rows: refusing(store.rows, ROWS, refuse),
    // A store's own kind of catalog tells more about regions; it has the same methods.
    catalog: refusing<Own['catalog']>(store.catalog, CATALOG as Changes<Own['catalog']>, refuse),
    upkeep: Object.fromEntries(parts),
  })
}

/** The facet, whose changes are refused. */
function refusing<Facet extends object>(
  facet: Facet,
  changes: Changes<Facet>,
  refuse: () => Promise<never>,
): Facet {
  const refused = Object.entries(changes).filter(([, isChange]) => isChange === true)
  const methods = Object.fromEntries(refused.map(([name]) => [name, refuse]))
  return withMethods(facet, methods as Partial<Facet>)
}

function refusal(setting: string): () => Promise<never> {
  return () => Promise.reject(new HBaseError('READ_ONLY', `this server takes no changes (${setting})`))
}
