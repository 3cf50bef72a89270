/** Where a cluster is to be asked for: what `--store hbase:...` and hbase-site.xml say. */

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/**
 * Who answers at the servers of a cluster's address: its ZooKeeper, any of its masters and region servers (bootstrap
 * nodes, HBase 2.5 and later), or whichever of both the first one that answers turns out to be.
 */
export type RegistryKind = 'zookeeper' | 'bootstrap' | 'either'

export interface ClusterAddress {
  readonly registry: RegistryKind
  /** One at least. */
  readonly servers: readonly ServerAddress[]
  /** The node that ZooKeeper keeps the cluster under. HBase: zookeeper.znode.parent. */
  readonly znodeParent: string
}

export const DEFAULT_ZNODE_PARENT = '/hbase'

/** As people and HBase write it; an IPv6 address in brackets. */
export function addressText({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
