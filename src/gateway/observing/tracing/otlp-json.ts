/**
 * Spans as OTLP's ExportTraceServiceRequest in JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp. Numbers of 64 bits are
 * text there, ids are hexadecimal.
 */

import type { AttributeValue } from '../../../store/span-recorder.ts'
import type { Span, SpanKind } from './span.ts'

/** OTLP's numbers of kinds. PERSISTED: never renumber. */
const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3 }
const STATUS_ERROR = 2
const NANOS_A_MICRO = 1000n

export type Resource = Readonly<Record<string, string>>

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, AttributeValue>>
}

export function exportRequest(spans: readonly Span[], resource: Resource, version: string): string {
  const scope = { name: 'tidegate', version }
  const attributes = Object.entries(resource).map(attributeOf)
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: spans.map(spanOf) }] }],
  })
}

function spanOf(span: Span): object {
  const { context, parentId, name, kind, attributes, isFailed } = span
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(context.state !== undefined && { traceState: context.state }),
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(span.startMs),
    endTimeUnixNano: nanos(span.endMs),
    attributes: [...attributes].map(attributeOf),
    status: isFailed ? { code: STATUS_ERROR } : {},
  }
}

function attributeOf([key, value]: readonly [string, AttributeValue]): Attribute {
  if (typeof value === 'string') return { key, value: { stringValue: value } }
  if (typeof value === 'boolean') return { key, value: { boolValue: value } }
  return { key, value: Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value } }
}

/** Rounded to microseconds: a double cannot hold a finer time since 1970. */
function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * NANOS_A_MICRO)
}
