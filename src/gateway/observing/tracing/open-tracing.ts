/** Traces of requests, sent by OTLP. This module is loaded only where an endpoint is set. */

import type { Logger } from 'pino'
import type { Metric } from '../../../model/metric.ts'
import type { Interceptor } from '../../../store/interceptors.ts'
import type { Store } from '../../../store/store.ts'
import type { RequestLog } from '../logs/access-log.ts'
import { OtlpExporter, type OtlpOptions } from './otlp-exporter.ts'
import { type SamplerName, samplerOf } from './sampler.ts'
import { TracedRequests } from './traced-requests.ts'
import { tracedOperations, tracedStore } from './traced-store.ts'
import { Tracer } from './tracer.ts'

export interface TracingSettings extends Omit<OtlpOptions, 'version'> {
  readonly sampler: SamplerName
  /** The ratio of the samplers that have one, from 0 to 1. */
  readonly ratio: number
  /** Spans have row keys and paths. */
  readonly showsRows: boolean
}

export interface Tracing {
  readonly tracer: Tracer
  /** A log that makes spans of requests and passes them on to `log`. */
  requests(log: RequestLog | undefined): RequestLog
  over<Own extends Store>(store: Own): Store & Pick<Own, 'catalog'>
  /** Makes the same spans where there is no whole store. `kind`: that of the store. */
  operations(kind: string): Interceptor
  metrics(): Metric[]
  /** Sends the last spans. */
  close(): Promise<void>
}

export function openTracing(
  { sampler, ratio, showsRows, ...options }: TracingSettings,
  version: string,
  logger: Logger,
): Tracing {
  const exporter = new OtlpExporter({ ...options, version }, logger)
  const tracer = new Tracer(samplerOf(sampler, ratio), exporter)
  return {
    tracer,
    requests: (log) => new TracedRequests(tracer, showsRows, log),
    over: (store) => tracedStore(store, tracer),
    operations: (kind) => tracedOperations(kind, tracer),
    metrics: () => exporter.metrics(),
    close: () => exporter.close(),
  }
}
