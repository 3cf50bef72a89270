/**
 * Spans of traces, for stores that report the stages of a call. Without tracing, a store gets no recorder; of a call that is
 * not traced, it gets no span.
 */

export type AttributeValue = string | number | boolean

/** A span that has begun. */
export interface OpenSpan {
  /** The trace context of what is done within the span, for `Call.trace`. */
  readonly trace: string
  set(key: string, value: AttributeValue): void
  /** `error`: why it failed. Later calls do nothing. */
  end(error?: unknown): void
}

export interface SpanRecorder {
  /** A span within the trace; undefined: this trace is not recorded. `client`: a call of another server. */
  begin(name: string, trace: string | undefined, kind?: 'internal' | 'client'): OpenSpan | undefined
}
