/** Parts of a server's load that HBase reports by native RPC alone. */

/** The compactions of a region or a table that wait or run. */
export type CompactionState = 'NONE' | 'MINOR' | 'MAJOR' | 'MAJOR_AND_MINOR'

/** Figures of a region that HBase's REST server leaves out. HBase: RegionLoad of ClusterStatus.proto. */
export interface RegionFigures {
  /** Of the store files, before compression. */
  readonly uncompressedSizeMB: number
  /** Of the files of the region that are store files. */
  readonly regionSizeMB: number
  /** Rows that were read and left out, by a filter or as deletions have left nothing of them. */
  readonly filteredReadRequests: bigint
  /** From 0 to 1: how much of the files lies on the machine of the region's server. */
  readonly dataLocality: number
  /** The same of files on the machine's flash disks, as far as the file system knows. */
  readonly dataLocalityForSsd: number
  /** Bytes of the files' blocks. */
  readonly blocksTotalWeight: bigint
  /** Bytes of them on the machine of the region's server. */
  readonly blocksLocalWeight: bigint
  readonly blocksLocalWithSsdWeight: bigint
  /** Readers of the store files. */
  readonly storeReferences: number
  /** The most readers of one file that a compaction has replaced. */
  readonly compactedFileReferences: number
  readonly compactionState: CompactionState
  /** From 0 to 1: how much of the region lies in a cache that outlasts the server. */
  readonly cachedRatio: number
}

/** Reads and writes of all regions since the server started: gets, rows that scans returned, and mutations. */
export interface RequestFigures {
  readonly total: number
  /** Over the last seconds, as a whole number. */
  readonly perSecond: number
}

/** In protobuf, which is HBase's own form. */
export interface ReplicationLoad {
  /** Each a ReplicationLoadSource. */
  readonly sources: readonly Buffer[]
  /** A ReplicationLoadSink. */
  readonly sink: Buffer
}
