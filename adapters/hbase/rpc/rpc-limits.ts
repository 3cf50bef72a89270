const MIB = 1024 * 1024

/** What one connection of the native RPC may hold and how long it waits. */
export interface RpcLimits {
  /** A response of more bytes ends the connection. A scan or a batch asks the server for less than that. */
  readonly responseBytesMax: number
  /** A request of more bytes is refused before it is sent. HBase: hbase.ipc.max.request.size. */
  readonly requestBytesMax: number
  /** Requests that wait for the server to read, in bytes; beyond it calls are refused. */
  readonly waitingBytesMax: number
  /** Calls in flight on one connection; beyond it calls are refused. HBase: hbase.client.perserver.requests.threshold. */
  readonly callsMax: number
  /** HBase: hbase.ipc.client.socket.timeout.connect. */
  readonly connectTimeoutMs: number
  /** Of a call that names no time itself. HBase: hbase.rpc.timeout. */
  readonly callTimeoutMs: number
  /** Without a call for so long a connection closes. HBase: hbase.ipc.client.connection.minIdleTimeBeforeClose. */
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
