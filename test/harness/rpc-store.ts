/** A client of a server's native RPC door: the adapter of clusters, with a registry of that one server. */

import { DEFAULT_HBASE_OPTIONS, type HBaseOptions } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import type { Store } from '../../src/store/store.ts'

export function openRpcStore(
  port: number,
  options: Partial<HBaseOptions> = {},
  user = 'tester',
  host = '127.0.0.1',
  withTags = false,
): Promise<Store> {
  return openHBaseStore({
    cluster: { registry: 'bootstrap', servers: [{ host, port }], znodeParent: '/hbase' },
    options: { ...DEFAULT_HBASE_OPTIONS, ...options },
    user,
    ...(withTags && { login: { withTags } }),
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}
