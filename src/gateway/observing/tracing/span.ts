import { boundedText } from '../../../model/bounded-text.ts'
import { ERROR_TRAITS } from '../../../model/errors.ts'
import { type TraceContext, writtenTrace } from '../../../model/trace-context.ts'
import type { AttributeValue, OpenSpan } from '../../../store/span-recorder.ts'
import { houseError } from '../metrics.ts'

export type SpanKind = 'server' | 'internal' | 'client'

/** Spans of a request beyond any sense are a mistake of ours: no more attributes than this are kept. */
const ATTRIBUTES_MAX = 64

/** A span from its begin to its end. Times: milliseconds since 1970, with fractions. */
export class Span implements OpenSpan {
  name: string
  readonly kind: SpanKind
  readonly context: TraceContext
  /** Undefined: the trace begins with this span. */
  readonly parentId: string | undefined
  readonly startMs: number
  endMs = 0
  isFailed = false
  readonly attributes: Map<string, AttributeValue> = new Map()
  readonly #ended: (span: Span) => void
  #trace: string | undefined

  /** `ended`: takes the span once it has its end. */
  constructor(
    name: string,
    kind: SpanKind,
    context: TraceContext,
    parentId: string | undefined,
    ended: (span: Span) => void,
  ) {
    this.name = name
    this.kind = kind
    this.context = context
    this.parentId = parentId
    this.startMs = nowMs()
    this.#ended = ended
  }

  get trace(): string {
    this.#trace ??= writtenTrace(this.context)
    return this.#trace
  }

  set(key: string, value: AttributeValue | undefined): void {
    if (value === undefined) return
    if (this.attributes.size >= ATTRIBUTES_MAX && !this.attributes.has(key)) return
    this.attributes.set(key, typeof value === 'string' ? boundedText(value) : value)
  }

  add(key: string, value: number): void {
    this.set(key, Number(this.attributes.get(key) ?? 0) + value)
  }

  end(error?: unknown): void {
    if (this.endMs !== 0) return
    if (error !== undefined) {
      const code = houseError(error)?.code
      this.failed(code ?? (error instanceof Error ? error.name : 'INTERNAL'), code === undefined)
    }
    this.endMs = nowMs()
    this.#ended(this)
  }

  /** `word`: as in the access log. A client's own mistake is no failure of a server, as OpenTelemetry has it. */
  failed(word: string, isOurs: boolean = word === 'INTERNAL'): void {
    this.set('error.type', word)
    const traits = (ERROR_TRAITS as Readonly<Record<string, { readonly fault: string } | undefined>>)[word]
    this.isFailed = isOurs || traits?.fault === 'server'
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
