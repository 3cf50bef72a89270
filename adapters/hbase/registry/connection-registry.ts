/** Questions to a cluster of which no server is known yet. HBase: ConnectionRegistry. */

import type { ServerName } from '../../../src/model/server-name.ts'

export interface ConnectionRegistry {
  /** Throws UNAVAILABLE where no registry server answers, as the other questions do. */
  clusterId(): Promise<string>
  /** Throws UNAVAILABLE also where no master is active. */
  activeMaster(): Promise<ServerName>
  /** The server of hbase:meta's only region (its replica 0). Throws UNAVAILABLE also where no server has it. */
  metaServer(): Promise<ServerName>
  close(): Promise<void>
}
