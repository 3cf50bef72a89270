/**
 * Sends spans to a collector. A slow or missing collector does not affect requests: a limited number of spans wait for it, and further
 * spans are dropped and counted.
 */

import type { Logger } from 'pino'
import { reasonOf } from '../../../model/error-reason.ts'
import type { Metric } from '../../../model/metric.ts'
import { withoutLogin } from '../../../model/without-login.ts'
import { exportRequest, type Resource } from './otlp-json.ts'
import type { Span } from './span.ts'
import type { SpanSink } from './tracer.ts'

export interface OtlpOptions {
  /** The URL to which spans are posted. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Resource
  readonly version: string
  /** Milliseconds that the collector has for one answer. */
  readonly timeoutMs: number
  /** Milliseconds that a span may wait until a batch is full. */
  readonly scheduleMs: number
  readonly queueMax: number
  readonly batchMax: number
}

/** The statuses after which OTLP allows a client to send the same spans again. */
const MAY_RETRY: ReadonlySet<number> = new Set([429, 502, 503, 504])
const ATTEMPTS_MAX = 4
const PAUSE_MS = 500
/** The time between two lines of the log about a collector that fails. */
const LOG_MS = 60_000
/** The most bytes of an answer that are read, unzipped. Answers of collectors are short. */
const ANSWER_BYTES_MAX = 64 * 1024
/** Time for sending the last spans when the server stops. */
const CLOSE_MS = 2000

type Sent = 'sent' | 'refused' | 'again'

export class OtlpExporter implements SpanSink {
  readonly #options: OtlpOptions
  readonly #logger: Logger
  #queue: Span[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> | undefined
  readonly #closing = new AbortController()
  #reportedAt = Number.NEGATIVE_INFINITY
  readonly #counts = { exported: 0, dropped: 0, failed: 0 }

  constructor(options: OtlpOptions, logger: Logger) {
    this.#options = options
    this.#logger = logger
  }

  add(span: Span): void {
    const { queueMax, batchMax, scheduleMs } = this.#options
    if (this.#queue.length >= queueMax) {
      this.#counts.dropped++
      return
    }
    this.#queue.push(span)
    if (this.#queue.length >= batchMax) this.#begin()
    else this.#timer ??= setTimeout(() => this.#begin(), scheduleMs).unref()
  }

  metrics(): Metric[] {
    const { queueMax } = this.#options
    return [
      {
        name: 'tidegate_trace_spans_total',
        kind: 'counter',
        help: 'Spans of traces by outcome: exported, dropped as too many waited, failed as the collector did not take them',
        labels: ['outcome'],
        read: () => Object.entries(this.#counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: 'tidegate_trace_queue_spans',
        kind: 'gauge',
        help: `Spans that wait for the collector, ${queueMax} at most`,
        read: () => [{ value: this.#queue.length }],
      },
    ]
  }

  /** Sends the waiting spans, if the collector takes them soon. */
  async close(): Promise<void> {
    const timer = setTimeout(() => this.#closing.abort(), CLOSE_MS)
    this.#begin()
    await this.#sending
    clearTimeout(timer)
    clearTimeout(this.#timer)
    this.#closing.abort()
  }

  #begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
  }

  /** Never rejects. */
  async #sendAll(): Promise<void> {
    const { batchMax } = this.#options
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, batchMax)
      this.#queue = this.#queue.slice(batchMax)
      await this.#send(batch)
    }
  }

  async #send(batch: readonly Span[]): Promise<void> {
    const { resource, version } = this.#options
    const body = exportRequest(batch, resource, version)
    for (let attempt = 1; ; attempt++) {
      const sent = await this.#post(body, batch.length)
      if (sent === 'sent') return
      const isLast = attempt === ATTEMPTS_MAX || this.#closing.signal.aborted
      if (sent === 'refused' || isLast) break
      await this.#pause(PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2))
    }
    this.#counts.failed += batch.length
  }

  async #post(body: string, spans: number): Promise<Sent> {
    const { url, headers, timeoutMs } = this.#options
    const gaveUp = new AbortController()
    const giveUp = (): void => gaveUp.abort(new Error(`no answer within ${timeoutMs} ms`))
    const timer = setTimeout(giveUp, timeoutMs).unref()
    this.#closing.signal.addEventListener('abort', giveUp)
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
        signal: gaveUp.signal,
        redirect: 'error',
      })
      const text = await textOf(answer)
      if (answer.ok) {
        const rejected = Math.min(spans, rejectedSpans(text))
        this.#counts.exported += spans - rejected
        this.#counts.failed += rejected
        if (rejected > 0) this.#warn(`the collector has rejected ${rejected} spans`)
        return 'sent'
      }
      this.#warn(`the collector answers ${answer.status}`)
      return MAY_RETRY.has(answer.status) ? 'again' : 'refused'
    } catch (error) {
      if (!this.#closing.signal.aborted) this.#warn(reasonOf((error as Error).cause ?? error))
      return 'again'
    } finally {
      clearTimeout(timer)
      this.#closing.signal.removeEventListener('abort', giveUp)
    }
  }

  #warn(reason: string): void {
    const now = performance.now()
    if (now - this.#reportedAt < LOG_MS) return
    this.#reportedAt = now
    const address = withoutLogin(this.#options.url)
    this.#logger.warn(`traces do not reach ${address}: ${reason}; requests are served as ever`)
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#closing
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      signal.addEventListener('abort', done)
    })
  }
}

/** The text of the answer; empty where it is too long. */
async function textOf({ body }: Response): Promise<string> {
  if (body === null) return ''
  const parts: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the connection.
  for await (const part of body as AsyncIterable<Uint8Array>) {
    length += part.length
    if (length > ANSWER_BYTES_MAX) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** The number of rejected spans in an ExportTraceServiceResponse; 0 where it has none. */
function rejectedSpans(text: string): number {
  try {
    const { partialSuccess } = JSON.parse(text) as { readonly partialSuccess?: { rejectedSpans?: unknown } }
    return Math.max(0, Math.trunc(Number(partialSuccess?.rejectedSpans ?? 0))) || 0
  } catch {
    return 0
  }
}
