/** Parts of a server's load that a store passes on as HBase's servers report them. */

/** Figures that a cluster's server reports of a region, and that no other store keeps. */
export interface RegionFigures {
  readonly uncompressedSizeMB: number
  readonly regionSizeMB: number
  readonly filteredReadRequests: bigint
  /** From 0 to 1: how much of the files lies on the machine of the region's server. */
  readonly dataLocality: number
  readonly storeReferences: number
}

/** In protobuf, which is HBase's own form. */
export interface ReplicationLoad {
  /** Each a ReplicationLoadSource. */
  readonly sources: readonly Buffer[]
  /** A ReplicationLoadSink. */
  readonly sink: Buffer
}
