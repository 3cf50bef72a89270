/** A log of requests that makes a span for each, and passes them on to the access log. */

import type { Access, RequestLog, TracedRequest } from '../logs/access-log.ts'
import type { Span } from './span.ts'
import type { Tracer } from './tracer.ts'

/** OpenTelemetry's names of the RPC systems, by doors whose calls have a service and a method. */
const RPC_SYSTEMS: Readonly<Record<string, string>> = { rpc: 'HBASE_RPC', thrift: 'thrift' }
/** The protobuf package of HBase's services, which HBase's own spans have in their names. */
const PACKAGES: Readonly<Record<string, string>> = { rpc: 'hbase.pb.' }

export class TracedRequests implements RequestLog {
  readonly showsRows: boolean
  readonly #tracer: Tracer
  readonly #log: RequestLog | undefined
  readonly #spansShowRows: boolean

  /** `showsRows`: spans have row keys and paths. */
  constructor(tracer: Tracer, showsRows: boolean, log: RequestLog | undefined) {
    this.#tracer = tracer
    this.#log = log
    this.#spansShowRows = showsRows
    this.showsRows = showsRows || log?.showsRows === true
  }

  begin(trace: string | undefined): TracedRequest | undefined {
    const span = this.#tracer.request('request', trace)
    if (span !== undefined) return { trace: span.trace, span }
    // A trace that this server does not record is passed on.
    return trace === undefined ? undefined : { trace, span: undefined }
  }

  write(access: Access, traced?: TracedRequest): void {
    const span = traced?.span
    if (span !== undefined) this.#end(span as Span, access)
    if (this.#log === undefined) return
    this.#log.write(this.#log.showsRows ? access : { ...access, asked: undefined })
  }

  #end(span: Span, access: Access): void {
    const { door, client, principal, method, call, table, status, exception, bytesIn, bytesOut, asked } =
      access
    const system = RPC_SYSTEMS[door]
    span.set('tidegate.door', door)
    if (system === undefined) {
      span.name = `${method} ${call}`
      span.set('http.request.method', method)
      span.set('http.response.status_code', status)
    } else {
      const service = `${PACKAGES[door] ?? ''}${method}`
      span.name = `${service}/${call}`
      span.set('rpc.system', system)
      span.set('rpc.service', service)
      span.set('rpc.method', call)
    }
    span.set('db.system.name', 'hbase')
    span.set('db.collection.name', table)
    span.set('enduser.id', principal)
    span.set('client.address', client)
    span.set('tidegate.request.bytes', bytesIn)
    span.set('tidegate.response.bytes', bytesOut)
    if (this.#spansShowRows) span.set('tidegate.asked', asked)
    if (exception !== undefined) span.failed(exception)
    else if (status !== undefined && status >= 500) span.failed(String(status), true)
    span.end()
  }
}
