/** How Tidegate behaves as a client of a cluster: what Java clients read from their hbase-site.xml. */

export interface HBaseOptions {
  /** Attempts after the first. HBase: hbase.client.retries.number. */
  readonly retriesMax: number
  /** The unit of the back-off table. HBase: hbase.client.pause. */
  readonly pauseMs: number
  /** The same after a server has said that it is overloaded. HBase: hbase.client.pause.server.overloaded. */
  readonly overloadedPauseMs: number
  /**
   * An operation with all its retries, such as a get. HBase: hbase.client.operation.timeout, which is 20 minutes there: no
   * client of a gateway waits for so long.
   */
  readonly operationTimeoutMs: number
  /** One call of a server. HBase: hbase.rpc.timeout, 60 s there; less here, so that an operation outlives a dead server. */
  readonly rpcTimeoutMs: number
  /** One call of a scanner with its retries. HBase: hbase.client.scanner.timeout.period. */
  readonly scannerTimeoutMs: number
  /** Rows that a scanner asks for at a time, where its caller does not say. HBase: hbase.client.scanner.caching. */
  readonly scannerCachingRows: number
  /** Bytes of cells that a scanner asks for at a time. HBase: hbase.client.scanner.max.result.size. */
  readonly scannerResultBytesMax: number
  /** HBase: hbase.ipc.client.socket.timeout.connect. */
  readonly connectTimeoutMs: number
  /** What ZooKeeper is asked for; it may grant another. HBase: zookeeper.session.timeout. */
  readonly zookeeperSessionTimeoutMs: number
  /** The Java class of the codec that cell blocks travel under, '' for none. HBase: hbase.client.rpc.compressor. */
  readonly compressorClass: string
}

export const DEFAULT_HBASE_OPTIONS: HBaseOptions = {
  retriesMax: 15,
  pauseMs: 100,
  overloadedPauseMs: 500,
  operationTimeoutMs: 60_000,
  rpcTimeoutMs: 20_000,
  scannerTimeoutMs: 60_000,
  scannerCachingRows: 0x7fffffff,
  scannerResultBytesMax: 2 * 1024 * 1024,
  connectTimeoutMs: 10_000,
  zookeeperSessionTimeoutMs: 90_000,
  compressorClass: '',
}
