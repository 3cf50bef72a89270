/** A server of HBase's Thrift 2 as a store: Tidegate's, or HBase's own. */

import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { ServerHandouts } from '../scans/server-handouts.ts'
import { ServerStore } from '../server-store.ts'
import { ThriftCatalog } from './thrift-catalog.ts'
import { ThriftGrants } from './thrift-grants.ts'
import { ThriftRows } from './thrift-rows.ts'
import { THRIFT_REACH, type ThriftOptions, ThriftServer } from './thrift-server.ts'

/** The store connects on first use. */
export function openThriftStore(options: ThriftOptions): Store {
  const server = new ThriftServer(options)
  const handouts = new ServerHandouts(options.time)
  const catalog = new ThriftCatalog(server)
  return new ServerStore({
    kind: 'thrift',
    reach: THRIFT_REACH,
    rows: new ThriftRows(server, catalog, handouts),
    handouts,
    catalog,
    upkeep: { grants: new ThriftGrants(server) },
    clusterId: () =>
      server.ask<string>({ operation: 'id of the cluster', method: 'getClusterId', args: {} }, OWN_CALL),
    close: () => server.close(),
  })
}
