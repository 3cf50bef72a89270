/** Begins spans, and passes ended ones on to the sink. */

import { randomFillSync } from 'node:crypto'
import { readTrace } from '../../../model/trace-context.ts'
import type { SpanRecorder } from '../../../store/span-recorder.ts'
import type { Sampler } from './sampler.ts'
import { Span } from './span.ts'

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
/** Random bytes that are made at once, for many ids. */
const POOL_BYTES = 4096

/** The destination of ended spans. */
export interface SpanSink {
  /** Never waits and never throws. */
  add(span: Span): void
}

export class Tracer implements SpanRecorder {
  readonly #sampler: Sampler
  readonly #sink: SpanSink
  /** Spans of running requests, by id. */
  readonly #requests = new Map<string, Span>()
  readonly #pool = Buffer.allocUnsafeSlow(POOL_BYTES)
  #used = POOL_BYTES

  constructor(sampler: Sampler, sink: SpanSink) {
    this.#sampler = sampler
    this.#sink = sink
  }

  /** Begins the span of a client's request; undefined where it is not recorded. `trace`: the trace that the client sent. */
  request(name: string, trace: string | undefined): Span | undefined {
    const parent = readTrace(trace)
    const traceId = parent?.traceId ?? this.#id(TRACE_ID_BYTES)
    if (!this.#sampler(traceId, parent?.isSampled)) return undefined
    const spanId = this.#id(SPAN_ID_BYTES)
    const context = { traceId, spanId, isSampled: true, state: parent?.state }
    const span = new Span(name, 'server', context, parent?.spanId, (ended) => {
      this.#requests.delete(spanId)
      this.#sink.add(ended)
    })
    this.#requests.set(spanId, span)
    return span
  }

  begin(name: string, trace: string | undefined, kind: 'internal' | 'client' = 'internal'): Span | undefined {
    if (trace === undefined) return undefined
    const parent = readTrace(trace)
    if (parent === undefined || !parent.isSampled) return undefined
    const context = { ...parent, spanId: this.#id(SPAN_ID_BYTES) }
    return new Span(name, kind, context, parent.spanId, (ended) => this.#sink.add(ended))
  }

  /** Adds to a numeric attribute of the request with this trace. */
  addToRequest(trace: string | undefined, key: string, value: number): void {
    const spanId = readTrace(trace)?.spanId
    if (spanId !== undefined) this.#requests.get(spanId)?.add(key, value)
  }

  #id(bytes: number): string {
    for (;;) {
      if (this.#used + bytes > POOL_BYTES) {
        randomFillSync(this.#pool)
        this.#used = 0
      }
      const id = this.#pool.toString('hex', this.#used, this.#used + bytes)
      this.#used += bytes
      // An id of zeros alone is invalid.
      if (!/^0+$/.test(id)) return id
    }
  }
}
