/**
 * What a store can be told to do with what it keeps, and what it tells of its servers: HBase's Admin without its tables.
 * Each part is there or not by itself: a store that looks after itself has none of them.
 *
 * A region is named in full, `table,startKey,regionId.encoded.`, or by its encoded name alone. One that is not there (any
 * more) is DO_NOT_RETRY, HBase's UnknownRegionException, unless a method says otherwise. What HBase refuses with an exception
 * that has no code of its own is DO_NOT_RETRY too, with HBase's message and class.
 */

import type { ServerName } from '../model/server-name.ts'
import type { TableName } from '../model/table-name.ts'
import type { Call } from './call.ts'

export interface Compaction {
  /** Undefined: all of them. */
  readonly family?: Buffer
  /** Makes one store file of all, and drops what is deleted or expired. */
  readonly major: boolean
}

export type CompactionState = 'NONE' | 'MINOR' | 'MAJOR' | 'MAJOR_AND_MINOR'

/** Whether memstores are flushed first; a disabled table is taken as it lies there, whatever is asked for. */
export type SnapshotType = 'FLUSH' | 'SKIPFLUSH'

export interface SnapshotDescription {
  readonly name: string
  readonly table: TableName
  readonly type: SnapshotType | 'DISABLED'
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** Seconds after which it is deleted; 0: never. */
  readonly timeToLiveSeconds: number
  /** Empty where the cluster does not know its users. */
  readonly owner: string
}

/** As the region's server last reported it: some seconds ago. Sizes are rounded up. */
export interface RegionLoad {
  /** In full, as RegionLocation.name. */
  readonly name: Buffer
  /** Column families. */
  readonly stores: number
  readonly storeFiles: number
  readonly storeFileSizeMB: number
  readonly memStoreSizeMB: number
  readonly storeFileIndexSizeKB: number
  readonly rootIndexSizeKB: number
  readonly staticIndexSizeKB: number
  readonly staticBloomSizeKB: number
  /** Since the region was opened, as writes. */
  readonly readRequests: number
  readonly writeRequests: number
  /** Of the compaction that is under way. */
  readonly compactingCells: number
  readonly compactedCells: number
}

export interface ServerLoad {
  readonly server: ServerName
  /** Since it started. */
  readonly requests: number
  readonly requestsPerSecond: number
  readonly heapUsedMB: number
  readonly heapMaxMB: number
  /** In order of their names. */
  readonly regions: readonly RegionLoad[]
}

export interface ClusterStatus {
  readonly clusterId: string
  /** As `2.6.1`. */
  readonly hbaseVersion: string
  /** Undefined where none is active. */
  readonly master: ServerName | undefined
  readonly backupMasters: readonly ServerName[]
  /** In order of host, port and start code. */
  readonly liveServers: readonly ServerLoad[]
  readonly deadServers: readonly ServerName[]
  readonly isBalancerOn: boolean
}

export interface Flushes {
  /** Writes the table's memstores to store files. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED. */
  flushTable(table: TableName, call: Call): Promise<void>
  /** Throws ILLEGAL_ARGUMENT where there is no such region, NO_SUCH_COLUMN_FAMILY. */
  flushRegion(region: Buffer, family: Buffer | undefined, call: Call): Promise<void>
}

export interface Compactions {
  /**
   * Has every region of the table that is on a server compacted; resolves once all have been asked, not when it is done
   * (compactionState tells). Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY.
   */
  compactTable(table: TableName, compaction: Compaction, call: Call): Promise<void>
  /** As compactTable. Throws ILLEGAL_ARGUMENT where there is no such region, NO_SUCH_COLUMN_FAMILY. */
  compactRegion(region: Buffer, compaction: Compaction, call: Call): Promise<void>
  /** Of all the table's regions together. Throws TABLE_NOT_FOUND. */
  compactionState(table: TableName, call: Call): Promise<CompactionState>
}

export interface RegionUpkeep {
  /**
   * Splits the region that has the row `at`, so that the second half begins with it; without one, every region where its
   * data is halved best. Throws TABLE_NOT_FOUND, and as splitRegion what the first of them is refused with, after all.
   */
  splitTable(table: TableName, at: Buffer | undefined, call: Call): Promise<void>
  /** Throws IO where it begins at `at`, DO_NOT_RETRY where it cannot be split (there), TABLE_NOT_ENABLED. */
  splitRegion(region: Buffer, at: Buffer | undefined, call: Call): Promise<void>
  /**
   * Two or more regions of one table; those that do not lie side by side only where it is `forcible`. Throws
   * ILLEGAL_ARGUMENT, DO_NOT_RETRY for what cannot be merged.
   */
  mergeRegions(regions: readonly Buffer[], forcible: boolean, call: Call): Promise<void>
  /** To a server of the balancer's choice where none is named. */
  moveRegion(region: Buffer, target: ServerName | undefined, call: Call): Promise<void>
  /** Opens a region that is closed. Throws DO_NOT_RETRY where it is not. */
  assignRegion(region: Buffer, call: Call): Promise<void>
  /** Closes a region until it is assigned. Throws DO_NOT_RETRY where it is not open. */
  unassignRegion(region: Buffer, call: Call): Promise<void>
}

export interface Snapshots {
  /** Complete ones, in order of their names. */
  listSnapshots(call: Call): Promise<SnapshotDescription[]>
  /** Throws ILLEGAL_ARGUMENT for a bad name, DO_NOT_RETRY where the snapshot exists or the table does not. */
  createSnapshot(name: string, table: TableName, type: SnapshotType, call: Call): Promise<void>
  /** Throws DO_NOT_RETRY where there is none. */
  deleteSnapshot(name: string, call: Call): Promise<void>
  /**
   * Puts the disabled table that it was taken of back to what it was then, or makes it anew where it is gone. The table
   * stays disabled in the one case, comes enabled in the other. Throws TABLE_NOT_DISABLED, DO_NOT_RETRY where there is none.
   */
  restoreSnapshot(name: string, call: Call): Promise<void>
  /** Makes a table of it, enabled. Throws TABLE_EXISTS, NAMESPACE_NOT_FOUND, DO_NOT_RETRY where there is no such snapshot. */
  cloneSnapshot(name: string, table: TableName, call: Call): Promise<void>
}

/** The servers behind a store that is spread over several. */
export interface ClusterTold {
  /** As `2.6.1`. */
  hbaseVersion(call: Call): Promise<string>
  status(call: Call): Promise<ClusterStatus>
}

export interface Upkeep {
  readonly flushes?: Flushes
  readonly compactions?: Compactions
  readonly regions?: RegionUpkeep
  readonly snapshots?: Snapshots
  readonly cluster?: ClusterTold
}
