/** How Tidegate logs in to the ZooKeeper of a cluster with Kerberos. The keys are those of ZooKeeper's Java client. */
export interface ZooKeeperLoginOptions {
  /**
   * `asked`: once a server refuses an answer to a client without a login. ZooKeeper: `zookeeper.sasl.client` false is `never`. HBase:
   * `hbase.zookeeper.client.kerberos.principal` is `always`.
   */
  readonly use: 'asked' | 'always' | 'never'
  /** The first part of the servers' principals. ZooKeeper: zookeeper.sasl.client.username. */
  readonly service: string
  /** The principal of every server; undefined: `service/HOST@REALM`. ZooKeeper: zookeeper.server.principal. */
  readonly principal: string | undefined
  /** Undefined: the realm of Tidegate's own principal. ZooKeeper: zookeeper.server.realm. */
  readonly realm: string | undefined
  /** True: HOST is the name that DNS or the hosts file has for the server's address. ZooKeeper: zookeeper.sasl.client.canonicalize.hostname. */
  readonly asksForNames: boolean
}

export const DEFAULT_ZOOKEEPER_LOGIN: ZooKeeperLoginOptions = {
  use: 'asked',
  service: 'zookeeper',
  principal: undefined,
  realm: undefined,
  asksForNames: true,
}
