/**
 * A connection that counts and times its calls for the metrics. Each call is also a span in its caller's trace, which HBase's servers continue.
 */

import type { OpenSpan, SpanRecorder } from '../../../src/store/span-recorder.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { CallOptions, RpcConnection, RpcResponse } from '../rpc/rpc-connection.ts'
import type { RpcError } from '../rpc/rpc-error.ts'
import type { CallCounts } from './call-counts.ts'

export interface WatchedServer {
  readonly host: string
  readonly port: number
  readonly service: string
}

export interface Watchers {
  /** Undefined: calls are not counted. */
  readonly calls?: CallCounts | undefined
  /** Undefined: calls are not traced. */
  readonly spans?: SpanRecorder | undefined
}

export class WatchedConnection implements RpcConnection {
  readonly #connection: RpcConnection
  readonly #server: WatchedServer
  readonly #calls: CallCounts | undefined
  readonly #spans: SpanRecorder | undefined

  constructor(connection: RpcConnection, server: WatchedServer, { calls, spans }: Watchers) {
    this.#connection = connection
    this.#server = server
    this.#calls = calls
    this.#spans = spans
  }

  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    const latencies = this.#calls?.count(method.name)
    const span = this.#begun(method.name, options?.trace)
    const since = performance.now()
    const sent = span === undefined ? options : { ...options, trace: span.trace }
    const answer = this.#connection.call(method, request, sent)
    answer.then(
      ({ cellCount }) => {
        latencies?.add(performance.now() - since)
        span?.set('tidegate.cells', cellCount)
        span?.end()
      },
      (error: unknown) => {
        latencies?.add(performance.now() - since)
        span?.end(error)
      },
    )
    return answer
  }

  #begun(method: string, trace: string | undefined): OpenSpan | undefined {
    if (this.#spans === undefined) return undefined
    const { host, port, service } = this.#server
    // HBase's own clients name their spans so.
    const fullService = `hbase.pb.${service}`
    const span = this.#spans.begin(`${fullService}/${method}`, trace, 'client')
    if (span === undefined) return undefined
    span.set('rpc.system', 'HBASE_RPC')
    span.set('rpc.service', fullService)
    span.set('rpc.method', method)
    span.set('server.address', host)
    span.set('server.port', port)
    return span
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
