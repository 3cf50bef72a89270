/** What is asked of a cluster before any of its servers is known. HBase: ConnectionRegistry. */

import type { ServerName } from '../../../src/model/server-name.ts'

export interface ConnectionRegistry {
  /** Throws UNAVAILABLE where nobody who knows can be asked, as the others do. */
  clusterId(): Promise<string>
  /** Throws UNAVAILABLE also where no master is active. */
  activeMaster(): Promise<ServerName>
  /** The server of hbase:meta's only region (of its replica 0). Throws UNAVAILABLE also where it is on none. */
  metaServer(): Promise<ServerName>
  close(): Promise<void>
}
