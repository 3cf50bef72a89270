/** A running HBase as the store, which TIDEGATE_REAL_HBASE names by its ports, as zookeeper:PORT,... */

import { DEFAULT_HBASE_OPTIONS } from '../../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../../adapters/hbase/retry/time.ts'
import type { Store } from '../../../src/store/store.ts'

/** The port of its ZooKeeper; undefined where there is none: live tests are left out then. */
export const zookeeper: string | undefined = /\bzookeeper:(\d+)/.exec(
  process.env['TIDEGATE_REAL_HBASE'] ?? '',
)?.[1]

export function openLive(): Promise<Store> {
  return openHBaseStore({
    cluster: {
      registry: 'either',
      servers: [{ host: '127.0.0.1', port: Number(zookeeper) }],
      znodeParent: '/hbase',
    },
    options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 20 },
    user: 'tidegate',
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}
