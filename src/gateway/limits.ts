/**
 * What a client may ask of Tidegate. Every limit has its flag and TIDEGATE_* variable in cli/. What filters and their
 * patterns may ask is fixed; docs/differences-from-hbase.md has those limits.
 */
export interface Limits {
  /** A Thrift frame, an HTTP body or a native RPC request, in bytes. */
  readonly requestBytesMax: number
  /** A request line and its headers, in bytes. */
  readonly headerBytesMax: number
  /** One cell's value, in bytes. HBase: hbase.client.keyvalue.maxsize. */
  readonly cellBytesMax: number
  /** Mutations or gets in one request. */
  readonly batchMax: number
  /** Nested structs, lists and maps in a Thrift message, elements in XML or JSON. */
  readonly depthMax: number
  /** Bytes of cells that one answer carries, beyond at least one row. HBase: hbase.server.scanner.max.result.size. */
  readonly responseBytesMax: number
  /** Scanners that clients of one service hold open at a time. */
  readonly scannersMax: number
  /** A scanner that is not used for so long is closed. HBase: hbase.client.scanner.timeout.period. */
  readonly scannerIdleMs: number
  /** A connection on which nothing moves for so long is closed. HBase: hbase.thrift.server.socket.read.timeout. */
  readonly connectionIdleMs: number
  /** Connections of a door at a time. */
  readonly connectionsMax: number
}

const MIB = 1024 * 1024

export const DEFAULT_LIMITS: Limits = {
  requestBytesMax: 256 * MIB,
  headerBytesMax: 64 * 1024,
  cellBytesMax: 10 * MIB,
  batchMax: 100_000,
  depthMax: 64,
  responseBytesMax: 100 * MIB,
  scannersMax: 10_000,
  scannerIdleMs: 60_000,
  connectionIdleMs: 600_000,
  connectionsMax: 10_000,
}
