/** Tidegate's settings as a client of a cluster. Each comes from the key of hbase-site.xml that Java clients read. */

export interface HBaseOptions {
  /** Attempts after the first. HBase: hbase.client.retries.number. */
  readonly retriesMax: number
  /** The unit of the back-off table, in milliseconds. HBase: hbase.client.pause. */
  readonly pauseMs: number
  /** The unit after a server has reported that it is overloaded. HBase: hbase.client.pause.server.overloaded. */
  readonly overloadedPauseMs: number
  /**
   * Milliseconds for an operation, such as a get, with all its retries. HBase: hbase.client.operation.timeout, whose default is
   * 20 minutes: no gateway client waits that long.
   */
  readonly operationTimeoutMs: number
  /** Milliseconds for one call. HBase: hbase.rpc.timeout, by default 60 s; less here, so that an operation outlives a dead server. */
  readonly rpcTimeoutMs: number
  /**
   * Microseconds before a get that may be stale also goes to the copies of its region. HBase: hbase.client.primaryCallTimeout.get.
   */
  readonly primaryGetMicros: number
  /** Microseconds before a call of a scan that may be stale does so. HBase: hbase.client.replicaCallTimeout.scan. */
  readonly primaryScanMicros: number
  /** Milliseconds for one call of a scanner, with its retries. HBase: hbase.client.scanner.timeout.period. */
  readonly scannerTimeoutMs: number
  /** The most rows of one call of a scanner. HBase: hbase.client.scanner.caching. */
  readonly scannerCachingRows: number
  /** The most bytes of cells of one call of a scanner. HBase: hbase.client.scanner.max.result.size. */
  readonly scannerResultBytesMax: number
  /** Milliseconds to connect to a server. HBase: hbase.ipc.client.socket.timeout.connect. */
  readonly connectTimeoutMs: number
  /** The session timeout to request, in milliseconds; ZooKeeper may grant another. HBase: zookeeper.session.timeout. */
  readonly zookeeperSessionTimeoutMs: number
  /** The Java class of the codec that compresses cell blocks; '' for none. HBase: hbase.client.rpc.compressor. */
  readonly compressorClass: string
}

export const DEFAULT_HBASE_OPTIONS: HBaseOptions = {
  retriesMax: 15,
  pauseMs: 100,
  overloadedPauseMs: 500,
  operationTimeoutMs: 60_000,
  rpcTimeoutMs: 20_000,
  primaryGetMicros: 10_000,
  primaryScanMicros: 1_000_000,
  scannerTimeoutMs: 60_000,
  scannerCachingRows: 0x7fffffff,
  scannerResultBytesMax: 2 * 1024 * 1024,
  connectTimeoutMs: 10_000,
  zookeeperSessionTimeoutMs: 90_000,
  compressorClass: '',
}
