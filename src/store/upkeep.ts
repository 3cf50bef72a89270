/**
 * Upkeep of a store's data, and the state of its servers: HBase's Admin without its tables. A store may lack any part: one
 * that looks after itself has none.
 *
 * A region's name is the full one, `table,startKey,regionId.encoded.`, or the encoded name alone. A missing region is
 * DO_NOT_RETRY, HBase's UnknownRegionException, unless a method says otherwise. An exception of HBase's without a code of
 * its own is DO_NOT_RETRY too, with HBase's message and class.
 */

import type { ServerName } from '../model/server-name.ts'
import type { TableName } from '../model/table-name.ts'
import type { Backups } from './backups.ts'
import type { Call } from './call.ts'
import type { Changes } from './changes.ts'
import type { FileTrackers } from './file-trackers.ts'
import type { LogStreams } from './log-streams.ts'
import type { Grants, Permissions } from './permissions.ts'
import type { Quotas, RegionSizes } from './quotas.ts'
import type { CompactionState, RegionFigures, ReplicationLoad, RequestFigures } from './region-figures.ts'
import type { ReplicationPeers } from './replication-peers.ts'
import type { Snapshots } from './snapshots.ts'
import type { Standby } from './standby.ts'
import type { RegionRef } from './target.ts'
import type { VisibilityLabels } from './visibility-labels.ts'

export interface Compaction {
  /** Undefined: all of them. */
  readonly family?: Buffer
  /** Makes one store file of all, and drops deleted and expired cells. */
  readonly major: boolean
}

/**
 * The region's load: as it is, or in its server's last report, some seconds ago. Sizes are whole units, and 1 for less than one.
 * A figure that a store does not keep is 0.
 */
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
  /** Reads since the region was opened. */
  readonly readRequests: number
  /** Writes since the region was opened. */
  readonly writeRequests: number
  /** The cells of the compaction that is under way. */
  readonly compactingCells: number
  readonly compactedCells: number
  /** All writes up to this one are in files; NO_SEQUENCE_ID where nothing was flushed since the region was opened. */
  readonly completedSequenceId: number
  /** The same of each column family, in their order; empty where the store does not report it. */
  readonly storeSequenceIds: readonly { readonly family: Buffer; readonly sequenceId: number }[]
  /** Milliseconds since 1970 when the oldest store file of a major compaction was made; 0 if there is none. */
  readonly lastMajorCompaction: number
  /** Undefined where the source of the load leaves them out: HBase's REST server, and stores without loads of their own. */
  readonly figures?: RegionFigures
}

/** HBase: HConstants.NO_SEQNUM. */
export const NO_SEQUENCE_ID = -1

export interface ServerLoad {
  readonly server: ServerName
  /** Requests since the server started. */
  readonly requests: number
  readonly requestsPerSecond: number
  readonly heapUsedMB: number
  readonly heapMaxMB: number
  /** In order of their names. */
  readonly regions: readonly RegionLoad[]
  /** Names of the classes that run beside its regions. */
  readonly coprocessors: readonly string[]
  /** Undefined for a server that neither sends changes to other clusters nor takes any. */
  readonly replication?: ReplicationLoad
}

export interface ClusterStatus {
  readonly clusterId: string
  /** HBase's version, such as `2.6.1`. */
  readonly hbaseVersion: string
  /** Undefined while no master is active. */
  readonly master: ServerName | undefined
  readonly backupMasters: readonly ServerName[]
  /** In order of host, port and start code. */
  readonly liveServers: readonly ServerLoad[]
  readonly deadServers: readonly ServerName[]
  readonly isBalancerOn: boolean
  /** Names of the classes that run beside the master. */
  readonly masterCoprocessors: readonly string[]
  /** Each a RegionInTransition as protobuf, which is HBase's own form. */
  readonly regionsInTransition: readonly Buffer[]
}

export interface Flushes {
  /** Writes the table's memstores to store files. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED. */
  flushTable(table: TableName, call: Call): Promise<void>
  /** Whether there was anything to write. Throws ILLEGAL_ARGUMENT for a missing region, NO_SUCH_COLUMN_FAMILY. */
  flushRegion(region: Buffer, family: Buffer | undefined, call: Call): Promise<boolean>
}

export interface Compactions {
  /**
   * Asks the server of each open region of the table to compact it. Resolves once all are asked; compactionState reports when
   * they are done. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY.
   */
  compactTable(table: TableName, compaction: Compaction, call: Call): Promise<void>
  /** As compactTable. Throws ILLEGAL_ARGUMENT for a missing region, NO_SUCH_COLUMN_FAMILY. */
  compactRegion(region: Buffer, compaction: Compaction, call: Call): Promise<void>
  /** The state of all the table's regions together. Throws TABLE_NOT_FOUND. */
  compactionState(table: TableName, call: Call): Promise<CompactionState>
}

export interface RegionUpkeep {
  /**
   * Splits the region of the row `at`, so that the second half begins with it; without `at`, splits every region in halves.
   * Throws TABLE_NOT_FOUND and, once it has tried every region, the first refusal, as splitRegion.
   */
  splitTable(table: TableName, at: Buffer | undefined, call: Call): Promise<void>
  /** Throws IO where the region begins at `at`, DO_NOT_RETRY where it cannot be split there or at all, TABLE_NOT_ENABLED. */
  splitRegion(region: Buffer, at: Buffer | undefined, call: Call): Promise<void>
  /**
   * Merges two or more regions of one table. Without `forcible` each must lie beside the one named before it. Throws ILLEGAL_ARGUMENT,
   * DO_NOT_RETRY for regions that cannot be merged.
   */
  mergeRegions(regions: readonly Buffer[], forcible: boolean, call: Call): Promise<void>
  /** Without a target the balancer chooses the server. */
  moveRegion(region: Buffer, target: ServerName | undefined, call: Call): Promise<void>
  /** Opens a closed region. Throws DO_NOT_RETRY where the region is not closed. */
  assignRegion(region: Buffer, call: Call): Promise<void>
  /** Closes a region until assignRegion opens it. Throws DO_NOT_RETRY where the region is not open. */
  unassignRegion(region: Buffer, call: Call): Promise<void>
  /** Empties the region, which may get another name. Throws TABLE_NOT_ENABLED, DO_NOT_RETRY where the region is not open. */
  truncateRegion(region: Buffer, call: Call): Promise<void>
}

/** A file of cells that a client has written for a region: an HFile of one family. */
export interface BulkLoadFile {
  readonly family: Buffer
  /** The path as Hadoop writes it, such as `file:/data/out/f/0a1b`; its server reads it. */
  readonly path: string
  /** The ids of the clusters that have loaded it before; undefined: none has. */
  readonly clusterIds?: readonly string[]
  /** False: no other cluster is to get the cells. Undefined: others may. */
  readonly isReplicated?: boolean
}

export interface BulkLoads {
  /** Whether the user may load anything into the table. Throws ACCESS_DENIED. Undefined for a store that asks with each load alone. */
  prepare?(table: TableName, call: Call): Promise<void>
  /**
   * Takes all the files into the region, or none of them. Their cells are newer than what the region has. False where one has
   * rows of other regions: the caller divides it. Throws NOT_SERVING_REGION, DO_NOT_RETRY for an unknown family, IO, CORRUPTION for
   * files that are not there or damaged. Where it goes through the log of the store, readers may see a part of it before it ends, a failure may leave a part,
   * and the same load may be made again. HBase: HRegion.bulkLoadHFiles.
   */
  bulkLoad(region: RegionRef, files: readonly BulkLoadFile[], call: Call): Promise<boolean>
}

export type SwitchName =
  | 'balancer'
  | 'normalizer'
  | 'catalogJanitor'
  | 'cleanerChore'
  | 'snapshotCleanup'
  | 'split'
  | 'merge'
  | 'rpcThrottle'
  | 'peerModification'

/** The switches of HBase's master, which administrators turn off and on for a whole store. All are on at first. */
export interface Switches {
  isOn(name: SwitchName, call: Call): Promise<boolean>
  /** Answers whether it was on before. */
  turn(name: SwitchName, on: boolean, call: Call): Promise<boolean>
}

export interface Balance {
  /** False where the balancer is off or had no time. */
  readonly ran: boolean
  readonly movesCalculated: number
  readonly movesExecuted: number
}

export interface BalanceRequest {
  /** Reports the moves and makes none. */
  readonly dryRun: boolean
  readonly ignoresRegionsInTransition: boolean
}

/** The tables of a normalization: those that are named, match and lie in the namespace; all where none of these is given. */
export interface TableChoice {
  readonly tables: readonly TableName[]
  readonly pattern: string | undefined
  readonly namespace: string | undefined
}

/** The regular work of HBase's master, done at once: a store without it has nothing of the kind to do. */
export interface Chores {
  balance(request: BalanceRequest, call: Call): Promise<Balance>
  /** Begins to split and merge regions of unusual sizes. False where it is off. */
  normalize(choice: TableChoice, call: Call): Promise<boolean>
  /** Number of entries of hbase:meta that were cleaned up; -1 where it runs already or is off. */
  scanCatalog(call: Call): Promise<number>
  /** False where it is off. */
  clean(call: Call): Promise<boolean>
}

/** The loads of regions that a store serves itself. */
export interface RegionLoads {
  /** The loads of all open regions, in any order. */
  regionLoads(call: Call): Promise<RegionLoad[]>
  requestFigures(call: Call): Promise<RequestFigures>
}

/** The store files of regions, for tools that look at them. */
export interface StoreFileInfo {
  /** Paths of the store files of the named families, all of which the region's table has. Empty for a region that is gone. */
  storeFiles(regionName: Buffer, families: readonly Buffer[], call: Call): Promise<string[]>
}

/** Facts about the cluster behind a store. */
export interface ClusterInfo {
  /** HBase's version, such as `2.6.1`. */
  hbaseVersion(call: Call): Promise<string>
  status(call: Call): Promise<ClusterStatus>
  /** The loads of the open regions, of all tables where none is named, as their servers report them now. In any order. */
  regionLoads(table: TableName | undefined, call: Call): Promise<RegionLoad[]>
  /** The procedures that its master remembers: each a Procedure as protobuf, with the messages of its state. */
  procedures(call: Call): Promise<Buffer[]>
}

/** A live server, of which its store reports no rate of requests. */
export type ServerSummary = Omit<ServerLoad, 'requests' | 'requestsPerSecond' | 'coprocessors'>

/** The servers of a cluster, where a store reports these alone, and nothing of its master. */
export interface ServersInfo {
  /** HBase's version, such as `2.6.1`. */
  hbaseVersion(call: Call): Promise<string>
  servers(
    call: Call,
  ): Promise<{ readonly live: readonly ServerSummary[]; readonly dead: readonly ServerName[] }>
}

/** The id of a store, which another one has had. */
export interface Identity {
  /** The store's cluster id is that one from now on. Throws IO where that cannot be recorded. */
  adoptClusterId(id: string, call: Call): Promise<void>
}

export interface Upkeep {
  readonly flushes?: Flushes
  readonly compactions?: Compactions
  readonly regions?: RegionUpkeep
  readonly snapshots?: Snapshots
  readonly bulkLoads?: BulkLoads
  readonly switches?: Switches
  readonly chores?: Chores
  readonly loads?: RegionLoads
  readonly files?: StoreFileInfo
  readonly fileTrackers?: FileTrackers
  readonly peers?: ReplicationPeers
  readonly cluster?: ClusterInfo
  readonly servers?: ServersInfo
  readonly quotas?: Quotas
  readonly sizes?: RegionSizes
  readonly permissions?: Permissions
  readonly grants?: Grants
  readonly labels?: VisibilityLabels
  readonly backups?: Backups
  readonly logStreams?: LogStreams
  readonly changes?: Changes
  readonly standby?: Standby
  readonly identity?: Identity
}
