import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import type { Store } from '../../src/store/store.ts'

/** A server of native RPC on this machine: Tidegate by its own port, HBase by the port of its ZooKeeper. */
export interface AttackedServer {
  readonly registry: 'bootstrap' | 'zookeeper'
  readonly port: number
  /** Ports of Tidegate's other doors; undefined: the server is HBase. */
  readonly http?: { readonly rest: number; readonly web: number }
  /** Undefined: the server is HBase. */
  readonly thrift?: number
}

/** The user who makes the table, and may do everything. */
export const OWNER = 'attacker'

/** A request is sent once, and may take minutes. */
const ATTEMPT_MS = 600_000

export function openAttacked({ registry, port }: AttackedServer, user: string = OWNER): Promise<Store> {
  return openHBaseStore({
    cluster: { registry, servers: [{ host: '127.0.0.1', port }], znodeParent: '/hbase' },
    options: {
      ...DEFAULT_HBASE_OPTIONS,
      rpcTimeoutMs: ATTEMPT_MS,
      operationTimeoutMs: ATTEMPT_MS,
    },
    user,
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}
