/** Questions to a cluster of which no server is known yet. HBase: ConnectionRegistry. */

import type { ServerName } from '../../../src/model/server-name.ts'
import type { RegionCopy } from '../../../src/store/catalog.ts'

/** The servers of hbase:meta's only region. */
export interface MetaLocation {
  readonly server: ServerName
  /** The copies that servers have, in order of their numbers. */
  readonly copies: readonly RegionCopy[]
}

export interface ConnectionRegistry {
  /** Throws UNAVAILABLE where no registry server answers, as the other questions do. */
  clusterId(): Promise<string>
  /** Throws UNAVAILABLE also where no master is active. */
  activeMaster(): Promise<ServerName>
  /** Throws UNAVAILABLE also where no server has the region itself. */
  metaLocation(): Promise<MetaLocation>
  close(): Promise<void>
}
