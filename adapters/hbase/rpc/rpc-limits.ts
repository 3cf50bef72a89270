const MIB = 1024 * 1024

/** Limits of the memory and the waits of one connection of the native RPC. */
export interface RpcLimits {
  /** A larger response ends the connection. Scans and batches ask the server for less. */
  readonly responseBytesMax: number
  /** A larger request is refused before it is sent. HBase: hbase.ipc.max.request.size. */
  readonly requestBytesMax: number
  /** Bytes of requests that the server has not read yet; calls beyond it are refused. */
  readonly waitingBytesMax: number
  /** Calls in flight on one connection; calls beyond it are refused. HBase: hbase.client.perserver.requests.threshold. */
  readonly callsMax: number
  /** HBase: hbase.ipc.client.socket.timeout.connect. */
  readonly connectTimeoutMs: number
  /** For a call without a timeout of its own. HBase: hbase.rpc.timeout. */
  readonly callTimeoutMs: number
  /** A connection closes after this long without a call. HBase: hbase.ipc.client.connection.minIdleTimeBeforeClose. */
  readonly idleMs: number
}

export const DEFAULT_RPC_LIMITS: RpcLimits = {
  responseBytesMax: 256 * MIB,
  requestBytesMax: 256 * MIB,
  waitingBytesMax: 64 * MIB,
  callsMax: 10_000,
  connectTimeoutMs: 10_000,
  callTimeoutMs: 60_000,
  idleMs: 120_000,
}
