/**
 * Every operation of the seam, as data. Read-only servers, access control and the audit log read this table, so that a new method of a facet does
 * not compile until its line stands here.
 */

import type { Action } from '../model/permission.ts'
import type { Call } from './call.ts'
import type { Store } from './store.ts'
import type { Upkeep } from './upkeep.ts'

/** The facets that hold operations: those of a store, and each part of its upkeep by itself. */
export type Facets = Pick<Store, 'rows' | 'handouts' | 'catalog'> & {
  readonly [Part in keyof Upkeep]-?: NonNullable<Upkeep[Part]>
}
export type FacetName = keyof Facets

/** The methods of a facet; its other fields are facts. */
export type MethodName<Name extends FacetName> = {
  [Method in keyof Facets[Name]]-?: NonNullable<Facets[Name][Method]> extends (...args: never[]) => unknown
    ? Method
    : never
}[keyof Facets[Name]]

/** The kind of change; an operation of the kind `nothing` can be repeated, and passes a server that takes no changes. */
export type ChangeKind = 'nothing' | 'rows' | 'schema' | 'cluster'

/**
 * The rule of access control, where it is on. HBase: AccessController.
 * - `everyone`: no permission is needed.
 * - `admin`: ADMIN of everything.
 * - `coded`: the rule depends on more than the target, and stands in src/gateway/policies/access.
 * - `itself`: the facet looks at its callers' permissions by itself.
 * - An object: one of the actions on the table, or on the table of the region, that the first argument names.
 */
export type AccessRule =
  | 'everyone'
  | 'admin'
  | 'coded'
  | 'itself'
  | { readonly table: readonly Action[] }
  | { readonly region: readonly Action[]; readonly isMissing?: MissingRegion }

/**
 * The answer to a user without ADMIN of everything who names a missing region. `denied`, the default: the user must not learn that it is missing.
 * `reported`: ILLEGAL_ARGUMENT, as from the store. The name may be one of a table, for which a door asks next.
 */
export type MissingRegion = 'denied' | 'reported'

/** Whether a call has a line in the audit log. `refused`: only where it is refused, since doors ask it with nearly every request. */
export type AuditRule = 'always' | 'refused' | 'never'

export interface Operation {
  readonly changes: ChangeKind
  readonly access: AccessRule
  readonly audit: AuditRule
  /** The place of the call among the arguments; undefined for an operation without a call. */
  readonly call: number | undefined
}

type CallPlace<Args extends readonly unknown[], Before extends unknown[] = []> = Args extends readonly [
  infer First,
  ...infer Rest,
]
  ? First extends Call
    ? Before['length']
    : CallPlace<Rest, [...Before, unknown]>
  : undefined

type OperationOf<Method> = Operation & {
  readonly call: NonNullable<Method> extends (...args: infer Args) => unknown ? CallPlace<Args> : never
}

/** A line for each method of the facets. */
export type OperationTable<Of extends { readonly [Name in keyof Of]: object } = Facets> = {
  readonly [Name in keyof Of]: {
    readonly [Method in keyof Of[Name] as NonNullable<Of[Name][Method]> extends (...args: never[]) => unknown
      ? Method
      : never]-?: OperationOf<Of[Name][Method]>
  }
}

export const OPERATIONS = {
  rows: {
    get: { changes: 'nothing', access: 'coded', audit: 'always', call: 3 },
    openScanner: { changes: 'nothing', access: 'coded', audit: 'always', call: 2 },
    mutate: { changes: 'rows', access: 'coded', audit: 'always', call: 2 },
    mutateRow: { changes: 'rows', access: 'coded', audit: 'always', call: 2 },
    mutateRows: { changes: 'rows', access: 'coded', audit: 'always', call: 2 },
  },
  handouts: {
    next: { changes: 'nothing', access: 'everyone', audit: 'never', call: 2 },
    closeScanner: { changes: 'nothing', access: 'everyone', audit: 'never', call: undefined },
    release: { changes: 'nothing', access: 'everyone', audit: 'never', call: undefined },
  },
  catalog: {
    listNamespaces: { changes: 'nothing', access: 'coded', audit: 'refused', call: 0 },
    namespace: { changes: 'nothing', access: 'coded', audit: 'refused', call: 1 },
    createNamespace: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    modifyNamespace: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    deleteNamespace: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    listTables: { changes: 'nothing', access: 'coded', audit: 'refused', call: 0 },
    listSystemTables: { changes: 'nothing', access: 'coded', audit: 'refused', call: 0 },
    table: { changes: 'nothing', access: 'coded', audit: 'refused', call: 1 },
    tableExists: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
    tableState: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
    createTable: { changes: 'schema', access: 'coded', audit: 'always', call: 2 },
    modifyTable: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    deleteTable: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    truncateTable: { changes: 'schema', access: 'coded', audit: 'always', call: 2 },
    enableTable: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    disableTable: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    regions: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
    watch: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
  },
  flushes: {
    flushTable: { changes: 'cluster', access: { table: ['ADMIN', 'CREATE'] }, audit: 'always', call: 1 },
    flushRegion: {
      changes: 'cluster',
      access: { region: ['ADMIN', 'CREATE'], isMissing: 'reported' },
      audit: 'always',
      call: 2,
    },
  },
  compactions: {
    compactTable: { changes: 'cluster', access: { table: ['ADMIN', 'CREATE'] }, audit: 'always', call: 2 },
    compactRegion: {
      changes: 'cluster',
      access: { region: ['ADMIN', 'CREATE'], isMissing: 'reported' },
      audit: 'always',
      call: 2,
    },
    compactionState: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
  },
  regions: {
    splitTable: { changes: 'cluster', access: { table: ['ADMIN'] }, audit: 'always', call: 2 },
    splitRegion: { changes: 'cluster', access: { region: ['ADMIN'] }, audit: 'always', call: 2 },
    mergeRegions: { changes: 'cluster', access: { region: ['ADMIN'] }, audit: 'always', call: 2 },
    moveRegion: { changes: 'cluster', access: { region: ['ADMIN'] }, audit: 'always', call: 2 },
    assignRegion: { changes: 'cluster', access: { region: ['ADMIN'] }, audit: 'always', call: 1 },
    unassignRegion: { changes: 'cluster', access: { region: ['ADMIN'] }, audit: 'always', call: 1 },
    truncateRegion: { changes: 'cluster', access: 'coded', audit: 'always', call: 1 },
  },
  snapshots: {
    listSnapshots: { changes: 'nothing', access: 'coded', audit: 'refused', call: 0 },
    snapshotSizes: { changes: 'nothing', access: 'coded', audit: 'refused', call: 0 },
    createSnapshot: { changes: 'cluster', access: 'coded', audit: 'always', call: 3 },
    deleteSnapshot: { changes: 'cluster', access: 'coded', audit: 'always', call: 1 },
    restoreSnapshot: { changes: 'schema', access: 'coded', audit: 'always', call: 1 },
    cloneSnapshot: { changes: 'schema', access: 'coded', audit: 'always', call: 2 },
  },
  bulkLoads: {
    prepare: { changes: 'rows', access: 'coded', audit: 'always', call: 1 },
    bulkLoad: { changes: 'rows', access: 'coded', audit: 'always', call: 2 },
  },
  switches: {
    isOn: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
    turn: { changes: 'cluster', access: 'admin', audit: 'always', call: 2 },
  },
  chores: {
    balance: { changes: 'cluster', access: 'admin', audit: 'always', call: 1 },
    normalize: { changes: 'cluster', access: 'admin', audit: 'always', call: 1 },
    scanCatalog: { changes: 'cluster', access: 'admin', audit: 'always', call: 0 },
    clean: { changes: 'cluster', access: 'admin', audit: 'always', call: 0 },
  },
  loads: {
    regionLoads: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    requestFigures: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
  },
  // Paths of the server's disk, which HBase shows to everyone.
  files: { storeFiles: { changes: 'nothing', access: { region: ['ADMIN'] }, audit: 'refused', call: 2 } },
  fileTrackers: {
    setTracker: { changes: 'schema', access: { table: ['ADMIN', 'CREATE'] }, audit: 'always', call: 3 },
  },
  peers: {
    changePeer: { changes: 'cluster', access: 'admin', audit: 'always', call: 2 },
    peerChanges: { changes: 'nothing', access: 'admin', audit: 'always', call: 0 },
    listPeers: { changes: 'nothing', access: 'everyone', audit: 'always', call: 0 },
    sourceLoads: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
  },
  cluster: {
    hbaseVersion: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    status: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    regionLoads: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 1 },
    procedures: { changes: 'nothing', access: 'everyone', audit: 'always', call: 0 },
  },
  servers: {
    hbaseVersion: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    servers: { changes: 'nothing', access: 'everyone', audit: 'always', call: 0 },
  },
  quotas: {
    setQuota: { changes: 'cluster', access: 'coded', audit: 'always', call: 1 },
    quotaStates: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    tableSizes: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    serverSpaceUses: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    switchExceeding: { changes: 'cluster', access: 'admin', audit: 'always', call: 1 },
  },
  sizes: { tableSizes: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 } },
  grants: {
    grant: { changes: 'cluster', access: 'itself', audit: 'always', call: 2 },
    revoke: { changes: 'cluster', access: 'itself', audit: 'always', call: 1 },
  },
  permissions: {
    areEnforced: { changes: 'nothing', access: 'itself', audit: 'refused', call: 0 },
    areOfCells: { changes: 'nothing', access: 'itself', audit: 'refused', call: 0 },
    grant: { changes: 'cluster', access: 'itself', audit: 'always', call: 2 },
    revoke: { changes: 'cluster', access: 'itself', audit: 'always', call: 1 },
    userPermissions: { changes: 'nothing', access: 'itself', audit: 'refused', call: 1 },
    hasPermissions: { changes: 'nothing', access: 'itself', audit: 'refused', call: 2 },
    checkPermissions: { changes: 'nothing', access: 'itself', audit: 'refused', call: 1 },
    requireAdmin: { changes: 'nothing', access: 'itself', audit: 'refused', call: 0 },
    replicateLogEntries: { changes: 'rows', access: 'itself', audit: 'always', call: 0 },
  },
  labels: {
    areEnforced: { changes: 'nothing', access: 'itself', audit: 'refused', call: 0 },
    addLabels: { changes: 'cluster', access: 'itself', audit: 'always', call: 1 },
    setAuths: { changes: 'cluster', access: 'itself', audit: 'always', call: 2 },
    clearAuths: { changes: 'cluster', access: 'itself', audit: 'always', call: 2 },
    auths: { changes: 'nothing', access: 'itself', audit: 'always', call: 1 },
    listLabels: { changes: 'nothing', access: 'itself', audit: 'always', call: 1 },
  },
  // A read-only server can be backed up: nothing that clients see changes.
  backups: {
    beginBackup: { changes: 'nothing', access: 'admin', audit: 'always', call: 0 },
    readBackup: { changes: 'nothing', access: 'admin', audit: 'refused', call: 4 },
    endBackup: { changes: 'nothing', access: 'admin', audit: 'always', call: 2 },
  },
  logStreams: {
    followLog: { changes: 'nothing', access: 'admin', audit: 'always', call: 1 },
    readLog: { changes: 'nothing', access: 'admin', audit: 'refused', call: 1 },
    logState: { changes: 'nothing', access: 'admin', audit: 'refused', call: 1 },
    leaveLog: { changes: 'nothing', access: 'admin', audit: 'always', call: 1 },
  },
  changes: {
    lastChange: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    firstPosition: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    readChanges: { changes: 'nothing', access: 'coded', audit: 'refused', call: 2 },
    tableMarks: { changes: 'nothing', access: 'admin', audit: 'refused', call: 0 },
    logHolds: { changes: 'nothing', access: 'admin', audit: 'refused', call: 0 },
    holdLog: { changes: 'nothing', access: 'admin', audit: 'refused', call: 3 },
    releaseLog: { changes: 'nothing', access: 'admin', audit: 'always', call: 1 },
  },
  identity: { adoptClusterId: { changes: 'cluster', access: 'admin', audit: 'always', call: 1 } },
  // A read-only server can be followed and promoted.
  standby: {
    standbyState: { changes: 'nothing', access: 'everyone', audit: 'refused', call: 0 },
    followedBy: { changes: 'nothing', access: 'admin', audit: 'refused', call: 1 },
    stepDown: { changes: 'nothing', access: 'admin', audit: 'always', call: 2 },
    takeBack: { changes: 'nothing', access: 'admin', audit: 'always', call: 1 },
    promote: { changes: 'nothing', access: 'admin', audit: 'always', call: 1 },
  },
} as const

/** The table as the programs read it that treat all operations alike. A missing or a wrong line does not compile here. */
const LINES: OperationTable = OPERATIONS

export interface NamedOperation extends Operation {
  readonly facet: FacetName
  readonly method: string
}

/** Every operation of a facet. */
export function operationsOf(facet: FacetName): readonly NamedOperation[] {
  const lines = LINES[facet] as Readonly<Record<string, Operation>>
  return Object.entries(lines).map(([method, operation]) => ({ facet, method, ...operation }))
}
