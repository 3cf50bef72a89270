/** Begins spans, and hands on those that have ended. */

import { randomFillSync } from 'node:crypto'
import { readTrace } from '../../../model/trace-context.ts'
import type { SpanRecorder } from '../../../store/span-recorder.ts'
import type { Sampler } from './sampler.ts'
import { Span } from './span.ts'

const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
/** Random bytes are made for so many ids at once. */
const POOL_BYTES = 4096

/** Where spans go. */
export interface SpanSink {
  /** Never waits and never throws. */
  add(span: Span): void
}

export class Tracer implements SpanRecorder {
  readonly #sampler: Sampler
  readonly #sink: SpanSink
  /** The requests under way, by the ids of their spans. */
  readonly #requests = new Map<string, Span>()
  readonly #pool = Buffer.allocUnsafeSlow(POOL_BYTES)
  #used = POOL_BYTES

  constructor(sampler: Sampler, sink: SpanSink) {
    this.#sampler = sampler
    this.#sink = sink
  }

  /** The span of a client's request; undefined: it is not recorded. `trace`: what the client sent. */
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

  /** Adds to a number of the request whose trace this is. */
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
      // Zeros are no id.
      if (!/^0+$/.test(id)) return id
    }
  }
}
