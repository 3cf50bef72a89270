/** A connection whose calls are spans within the traces of their callers; HBase's servers go on with these. */

import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { CallOptions, RpcConnection, RpcResponse } from '../rpc/rpc-connection.ts'
import type { RpcError } from '../rpc/rpc-error.ts'

export interface TracedServer {
  readonly host: string
  readonly port: number
  readonly service: string
}

export class TracedConnection implements RpcConnection {
  readonly #connection: RpcConnection
  readonly #spans: SpanRecorder
  readonly #server: TracedServer

  constructor(connection: RpcConnection, spans: SpanRecorder, server: TracedServer) {
    this.#connection = connection
    this.#spans = spans
    this.#server = server
  }

  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    const { host, port, service } = this.#server
    // As HBase's own clients name theirs.
    const fullService = `hbase.pb.${service}`
    const span = this.#spans.begin(`${fullService}/${method.name}`, options?.trace, 'client')
    if (span === undefined) return this.#connection.call(method, request, options)
    span.set('rpc.system', 'HBASE_RPC')
    span.set('rpc.service', fullService)
    span.set('rpc.method', method.name)
    span.set('server.address', host)
    span.set('server.port', port)
    const answer = this.#connection.call(method, request, { ...options, trace: span.trace })
    answer.then(
      ({ cellCount }) => {
        span.set('tidegate.cells', cellCount)
        span.end()
      },
      (error: unknown) => span.end(error),
    )
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
