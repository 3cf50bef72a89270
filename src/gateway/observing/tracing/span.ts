import { boundedText } from '../../../model/bounded-text.ts'
import { ERROR_TRAITS } from '../../../model/errors.ts'
import { type TraceContext, writtenTrace } from '../../../model/trace-context.ts'
import type { AttributeValue, OpenSpan } from '../../../store/span-recorder.ts'
import { houseError } from '../metrics.ts'

export type SpanKind = 'server' | 'internal' | 'client'

/** The most attributes of a span. More would be a bug. */
const ATTRIBUTES_MAX = 64

/** A span. Times are milliseconds since 1970, with fractions. */
export class Span implements OpenSpan {
  name: string
  readonly kind: SpanKind
  readonly context: TraceContext
  /** The id of the parent; undefined where the trace begins with this span. */
  readonly parentId: string | undefined
  readonly startMs: number
  endMs = 0
  isFailed = false
  readonly attributes: Map<string, AttributeValue> = new Map()
  readonly #ended: (span: Span) => void
  #trace: string | undefined

  /** `ended`: receives the span when it ends. */
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

  /** Notes an error. `word`: its code as in the access log. As in OpenTelemetry, a client's mistake is no failure of the server. */
  failed(word: string, isOurs: boolean = word === 'INTERNAL'): void {
    this.set('error.type', word)
    const traits = (ERROR_TRAITS as Readonly<Record<string, { readonly fault: string } | undefined>>)[word]
    this.isFailed = isOurs || traits?.fault === 'server'
  }
}

function nowMs(): number {
  return performance.timeOrigin + performance.now()
}
