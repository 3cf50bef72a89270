/** The address of a cluster, from `--store hbase:...` and hbase-site.xml. */

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/**
 * The kind of servers in a cluster's address: its ZooKeeper ensemble, or its masters and region servers (bootstrap nodes, HBase 2.5
 * and later). `either`: the first server that answers decides.
 */
export type RegistryKind = 'zookeeper' | 'bootstrap' | 'either'

export interface ClusterAddress {
  readonly registry: RegistryKind
  /** At least one. */
  readonly servers: readonly ServerAddress[]
  /** The parent of the cluster's nodes in ZooKeeper. HBase: zookeeper.znode.parent. */
  readonly znodeParent: string
}

export const DEFAULT_ZNODE_PARENT = '/hbase'

/** HOST:PORT, with an IPv6 address in brackets. */
export function addressText({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
