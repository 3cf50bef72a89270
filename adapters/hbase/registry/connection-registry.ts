/** The first questions to a cluster, before any of its servers is known. HBase: ConnectionRegistry. */

import type { ServerName } from '../../../src/model/server-name.ts'
import type { RegionCopy } from '../../../src/store/catalog.ts'

/** The servers of hbase:meta's only region. */
export interface MetaLocation {
  readonly server: ServerName
  /** The copies that servers have opened, in order of their numbers. */
  readonly copies: readonly RegionCopy[]
}

export interface ConnectionRegistry {
  /** The cluster's id. Like the other questions, it throws UNAVAILABLE where no registry server answers. */
  clusterId(): Promise<string>
  /** The active master. Throws UNAVAILABLE where there is none. */
  activeMaster(): Promise<ServerName>
  /** The servers of hbase:meta. Throws UNAVAILABLE where no server has the region itself. */
  metaLocation(): Promise<MetaLocation>
  close(): Promise<void>
}
