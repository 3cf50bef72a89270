/** Snapshots of tables. HBase: SnapshotManager. The remarks of upkeep.ts on names and exceptions count here, too. */

import type { UserPermission } from '../model/permission.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'

/** Whether the servers flush memstores first. A disabled table has none to flush. */
export type SnapshotType = 'FLUSH' | 'SKIPFLUSH'

export interface SnapshotDescription {
  readonly name: string
  readonly table: TableName
  readonly type: SnapshotType | 'DISABLED'
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Seconds after which the cluster deletes it, as they were given; 0 and less: never. */
  readonly timeToLiveSeconds: bigint
  /** The limit as it was given; 0 without one. */
  readonly maxFileBytes: bigint
  /** Empty where the cluster does not know its users. */
  readonly owner: string
  /** Permissions of its table when it was taken; absent where the store or its snapshot keeps none. */
  readonly permissions?: readonly UserPermission[] | undefined
  /** Number of its regions; undefined where the store does not report it. */
  readonly regions?: number | undefined
}

export interface SnapshotOptions {
  /** Time after which it is deleted; 0 and less, and undefined unless the cluster has a default: never. */
  readonly timeToLiveSeconds?: bigint | undefined
  /** MAX_FILESIZE, if above 0, of the tables that are made of it where the table has none of its own. */
  readonly maxFileBytes?: bigint | undefined
  /** The user whose snapshot it is; a cluster takes the one that asks it, who is Tidegate's own. */
  readonly owner?: string | undefined
  /** Kept with it, all of its table; a cluster takes those of its own hbase:acl. */
  readonly permissions?: readonly UserPermission[] | undefined
}

export interface RestoreOptions {
  /**
   * Grants the snapshot's permissions to the table, beside those that it has. A snapshot without any, or a cluster without permissions,
   * grants none.
   */
  readonly restoresPermissions?: boolean
  /** How the stores of a clone find their files, `hbase.store.file-tracker.impl`; as those of the snapshot where it is left out. */
  readonly fileTracker?: string
}

export interface SnapshotSize {
  readonly name: string
  /** Bytes of its files. Tables and other snapshots may share them. */
  readonly bytes: number
}

export interface Snapshots {
  /** Complete snapshots, in order of their names. */
  listSnapshots(call: Call): Promise<SnapshotDescription[]>
  /** The sizes of the same snapshots. Undefined for a store that does not know them. */
  snapshotSizes?(call: Call): Promise<SnapshotSize[]>
  /** Throws ILLEGAL_ARGUMENT for a bad name, DO_NOT_RETRY where the snapshot exists or the table does not. */
  createSnapshot(
    name: string,
    table: TableName,
    type: SnapshotType,
    call: Call,
    options?: SnapshotOptions,
  ): Promise<void>
  /** Throws DO_NOT_RETRY where there is no such snapshot. */
  deleteSnapshot(name: string, call: Call): Promise<void>
  /**
   * Restores the snapshot's table, which must be disabled and stays so. Creates the table, enabled, where it is gone. Throws
   * TABLE_NOT_DISABLED, DO_NOT_RETRY where there is no such snapshot.
   */
  restoreSnapshot(name: string, call: Call, options?: RestoreOptions): Promise<void>
  /** Creates an enabled table from it. Throws TABLE_EXISTS, NAMESPACE_NOT_FOUND, DO_NOT_RETRY where there is no such snapshot. */
  cloneSnapshot(name: string, table: TableName, call: Call, options?: RestoreOptions): Promise<void>
}
