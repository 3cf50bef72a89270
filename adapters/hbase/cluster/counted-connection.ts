/** Counts and times calls of the cluster's servers, and counts their failures, for the metrics. */

import { Latencies } from '../../../src/model/latencies.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { FailureKind } from '../retry/failure.ts'
import type { CallOptions, RpcConnection, RpcResponse } from '../rpc/rpc-connection.ts'
import type { RpcError } from '../rpc/rpc-error.ts'

export class CallCounts {
  /** By method name, over all services. */
  readonly sent: Map<string, { calls: number; readonly latencies: Latencies }> = new Map()
  /** Failed requests of regions, hbase:meta and the master; several may have shared a call. */
  readonly failures: Record<FailureKind, number> = {
    final: 0,
    busy: 0,
    overloaded: 0,
    'not-serving': 0,
    'server-gone': 0,
    unclear: 0,
  }

  /** The times of the method's calls, of which this is another one. */
  count(method: string): Latencies {
    let counted = this.sent.get(method)
    if (counted === undefined) {
      counted = { calls: 0, latencies: new Latencies() }
      this.sent.set(method, counted)
    }
    counted.calls++
    return counted.latencies
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
    const latencies = this.#counts.count(method.name)
    const since = performance.now()
    const took = (): void => latencies.add(performance.now() - since)
    const answer = this.#connection.call(method, request, options)
    answer.then(took, took)
    return answer
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
