/** A server of HBase's REST interface as a store: Tidegate's, or HBase's own. */

import type { Store } from '../../../src/store/store.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import type { ServerOptions } from '../requests/server-options.ts'
import { ServerHandouts } from '../scans/server-handouts.ts'
import { ServerStore } from '../server-store.ts'
import { RestCatalog } from './rest-catalog.ts'
import { RestRows } from './rest-rows.ts'
import { REST_REACH, RestServer } from './rest-server.ts'
import { RestServers } from './rest-servers.ts'

/** The store connects on first use. */
export function openRestStore(options: ServerOptions): Store {
  const server = new RestServer(options)
  const handouts = new ServerHandouts(options.time)
  const catalog = new RestCatalog(server)
  return new ServerStore({
    kind: 'rest',
    reach: REST_REACH,
    rows: new RestRows(server, catalog, handouts),
    handouts,
    catalog,
    upkeep: { servers: new RestServers(server, catalog) },
    clusterId: () => Promise.reject(beyondProtocol(REST_REACH, 'the id of the cluster')),
    close: () => server.close(),
  })
}
