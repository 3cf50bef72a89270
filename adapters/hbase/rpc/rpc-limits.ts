const MIB = 1024 * 1024

/** Limits of the memory and the waits of one connection of the native RPC. */
export interface RpcLimits {
  /** A larger response ends the connection. Scans and batches ask the server for less. */
  readonly responseBytesMax: number
  /** A larger request is refused before it is sent. HBase: hbase.ipc.max.request.size. */
  readonly requestBytesMax: number
  /** The most bytes of requests that the server has not read yet; further calls are refused. */
  readonly waitingBytesMax: number
  /** The most calls in flight on one connection; further calls are refused. HBase: hbase.client.perserver.requests.threshold. */
  readonly callsMax: number
  /** Milliseconds to connect. HBase: hbase.ipc.client.socket.timeout.connect. */
  readonly connectTimeoutMs: number
  /** Milliseconds for a call without its own timeout. HBase: hbase.rpc.timeout. */
  readonly callTimeoutMs: number
  /** Milliseconds without a call after which the connection closes. HBase: hbase.ipc.client.connection.minIdleTimeBeforeClose. */
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
