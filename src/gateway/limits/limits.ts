/**
 * The limits of clients' requests. Every limit has a flag and a TIDEGATE_* variable in cli/. The limits of filters and
 * their patterns are fixed; docs/differences-from-hbase.md lists them.
 */
export interface Limits {
  /** Bytes of a Thrift frame, an HTTP body or a native RPC request. */
  readonly requestBytesMax: number
  /** Bytes of an HTTP request line with its headers. */
  readonly headerBytesMax: number
  /** Bytes of one cell with its key. HBase: hbase.client.keyvalue.maxsize. */
  readonly cellBytesMax: number
  /** Mutations or gets in one request. */
  readonly batchMax: number
  /** Cells, list elements and attributes in one request, all lists added up. */
  readonly elementsMax: number
  /** Depth of nested structs, lists and maps in a Thrift message, or of elements in XML or JSON. */
  readonly depthMax: number
  /** Bytes of cells in one answer, which has at least one row all the same. HBase: hbase.server.scanner.max.result.size. */
  readonly responseBytesMax: number
  /** Open scanners that all clients of one service may hold. */
  readonly scannersMax: number
  /** Open scanners that one client may hold. A client is the user that it names, or else its address. */
  readonly clientScannersMax: number
  /**
   * Unused scanners of Thrift 2 and native RPC are closed after this time, those of Thrift 1 after twice the time. HBase:
   * hbase.client.scanner.timeout.period.
   */
  readonly scannerIdleMs: number
  /** Unused scanners of REST are closed after this time. HBase: hbase.rest.scannercache.expire.time. */
  readonly restScannerIdleMs: number
  /** A door closes a connection after this time without a byte. HBase: hbase.thrift.server.socket.read.timeout. */
  readonly connectionIdleMs: number
  /** Time for the line and headers of an HTTP request, from its first byte. */
  readonly headersMs: number
  /** Time for a whole HTTP request or Thrift message, from its first byte. */
  readonly requestMs: number
  /** Time in which a client must read a MiB of its waiting answers, or all of them. */
  readonly answerMs: number
  /** The same while other requests wait for memory that unread answers hold. */
  readonly scarceAnswerMs: number
  /** Open connections of one door. */
  readonly connectionsMax: number
  /** Change feeds of REST that clients may read at a time. */
  readonly changeFeedsMax: number
  /** ZooKeeper sessions that are alive, connected or not. */
  readonly sessionsMax: number
  /** Watches of one ZooKeeper connection. */
  readonly watchesMax: number
}

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: Limits = {
  requestBytesMax: 256 * MIB,
  headerBytesMax: 64 * 1024,
  cellBytesMax: 10 * MIB,
  batchMax: 10_000_000,
  elementsMax: 10_000_000,
  depthMax: 64,
  responseBytesMax: 100 * MIB,
  scannersMax: 10_000,
  clientScannersMax: 10_000,
  scannerIdleMs: 60_000,
  restScannerIdleMs: 3_600_000,
  connectionIdleMs: 600_000,
  headersMs: 60_000,
  requestMs: 600_000,
  answerMs: 600_000,
  scarceAnswerMs: 20_000,
  connectionsMax: 10_000,
  changeFeedsMax: 64,
  sessionsMax: 20_000,
  watchesMax: 10_000,
}
