/**
 * The limits of a client's requests. Every limit has a flag and a TIDEGATE_* variable in cli/. The limits of filters and
 * their patterns are fixed; docs/differences-from-hbase.md lists them.
 */
export interface Limits {
  /** A Thrift frame, an HTTP body or a native RPC request, in bytes. */
  readonly requestBytesMax: number
  /** A request line and its headers, in bytes. */
  readonly headerBytesMax: number
  /** One cell with its key, in bytes. HBase: hbase.client.keyvalue.maxsize. */
  readonly cellBytesMax: number
  /** Mutations or gets in one request. */
  readonly batchMax: number
  /** Cells, list elements and attributes in one request, of all lists together. */
  readonly elementsMax: number
  /** Nested structs, lists and maps in a Thrift message, elements in XML or JSON. */
  readonly depthMax: number
  /** Bytes of cells that one answer carries, beyond at least one row. HBase: hbase.server.scanner.max.result.size. */
  readonly responseBytesMax: number
  /** Scanners that the clients of one service may hold open at a time. */
  readonly scannersMax: number
  /** Scanners of those that one client may hold: a user that a client has named, or else an address. */
  readonly clientScannersMax: number
  /**
   * A scanner of Thrift 2 or native RPC is closed after so long without use, one of Thrift 1 after twice the time. HBase:
   * hbase.client.scanner.timeout.period.
   */
  readonly scannerIdleMs: number
  /** A scanner of REST is closed after so long without use. HBase: hbase.rest.scannercache.expire.time. */
  readonly restScannerIdleMs: number
  /** The door closes a connection after so long without a byte. HBase: hbase.thrift.server.socket.read.timeout. */
  readonly connectionIdleMs: number
  /** The time from the first byte of an HTTP request until its line and headers are there. */
  readonly headersMs: number
  /** The time from the first byte of an HTTP request, or of a Thrift message, until it has come whole. */
  readonly requestMs: number
  /** The time in which a client takes a MiB of what waits for it, or all of it. */
  readonly answerMs: number
  /** The same where requests wait for memory which answers keep that are not read. */
  readonly scarceAnswerMs: number
  /** Connections of a door at a time. */
  readonly connectionsMax: number
  /** ZooKeeper's sessions at a time, with a connection or between two. */
  readonly sessionsMax: number
  /** Watches of one connection to ZooKeeper. */
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
  sessionsMax: 20_000,
  watchesMax: 10_000,
}
