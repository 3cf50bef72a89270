/** A collector of traces: OTLP over HTTP with JSON, as far as a test needs it. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly traceState: string | undefined
  readonly micros: number
  readonly startNanos: bigint
  readonly isFailed: boolean
  readonly attributes: Readonly<Record<string, string | number | boolean>>
}

interface SentAttribute {
  readonly key: string
  readonly value: { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number }
}

interface SentSpan extends Omit<ReceivedSpan, 'attributes'> {
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly SentAttribute[]
  readonly status: { readonly code?: number }
}

interface SentRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  resource: Readonly<Record<string, string | number | boolean>> = {}
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[] = []
  /** The answer to the next requests; the first counts first, and 200 once there is none. */
  readonly statuses: number[] = []
  /** Answered instead of an empty object. */
  answer = '{}'
  readonly #server = createServer((request, response) => {
    void text(request).then((body) => {
      this.requests.push({ url: request.url ?? '', headers: request.headers })
      const status = this.statuses.shift() ?? 200
      if (status === 200) this.#take(JSON.parse(body) as SentRequest)
      response.writeHead(status, { 'content-type': 'application/json' }).end(this.answer)
    })
  })

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #take({ resourceSpans }: SentRequest): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes)
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(received))
    }
  }
}

function received(span: SentSpan): ReceivedSpan {
  const { name, kind, traceId, spanId, parentSpanId, traceState, status } = span
  const startNanos = BigInt(span.startTimeUnixNano)
  const micros = Number((BigInt(span.endTimeUnixNano) - startNanos) / 1000n)
  const isFailed = status.code === 2
  const attributes = plain(span.attributes)
  return { name, kind, traceId, spanId, parentSpanId, traceState, micros, startNanos, isFailed, attributes }
}

function plain(attributes: readonly SentAttribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue, doubleValue } }) => [
      key,
      stringValue ?? boolValue ?? doubleValue ?? Number(intValue),
    ]),
  )
}
