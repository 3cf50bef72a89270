/** Counts calls of the cluster's servers and their failures, for the metrics. */

import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { FailureKind } from '../retry/failure.ts'
import type { CallOptions, RpcConnection, RpcResponse } from '../rpc/rpc-connection.ts'
import type { RpcError } from '../rpc/rpc-error.ts'

export class CallCounts {
  /** By method name, over all services. */
  readonly sent: Map<string, { calls: number }> = new Map()
  /** Failed requests of regions, hbase:meta and the master; several may have shared a call. */
  readonly failures: Record<FailureKind, number> = {
    final: 0,
    busy: 0,
    overloaded: 0,
    'not-serving': 0,
    'server-gone': 0,
    unclear: 0,
  }

  count(method: string): void {
    const counted = this.sent.get(method)
    if (counted === undefined) this.sent.set(method, { calls: 1 })
    else counted.calls++
  }
}

export class CountedConnection implements RpcConnection {
  readonly #connection: RpcConnection
  readonly #counts: CallCounts

  constructor(connection: RpcConnection, counts: CallCounts) {
    this.#connection = connection
    this.#counts = counts
  }

  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    this.#counts.count(method.name)
    return this.#connection.call(method, request, options)
  }

  beforeSending(work: () => void): void {
    this.#connection.beforeSending(work)
  }

  get pending(): number {
    return this.#connection.pending
  }

  get closedBy(): RpcError | undefined {
    return this.#connection.closedBy
  }

  onClose(listener: (reason: RpcError) => void): void {
    this.#connection.onClose(listener)
  }

  close(): void {
    this.#connection.close()
  }
}
