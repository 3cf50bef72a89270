/** The collector of traces, and which requests are traced: a flag and OpenTelemetry's own variables. */

import { randomUUID } from 'node:crypto'
import { InvalidArgumentError } from 'commander'
import type { TracingSettings } from '../../gateway/observing/tracing/open-tracing.ts'
import { SAMPLER_NAMES, type SamplerName } from '../../gateway/observing/tracing/sampler.ts'
import { UsageError } from '../failures/usage-error.ts'
import type { Source } from './setting.ts'

export interface TraceSettings {
  /** Undefined: there are no traces. */
  readonly tracing: TracingSettings | undefined
}

/** OpenTelemetry's own name. */
export const ENDPOINT_VARIABLE = 'OTEL_EXPORTER_OTLP_ENDPOINT'
const TRACES_PATH = 'v1/traces'
const DEFAULT_SAMPLER: SamplerName = 'parentbased_always_on'
/** OpenTelemetry's defaults. */
const TIMEOUT_MS = 10_000
const SCHEDULE_MS = 5000
const QUEUE_MAX = 2048
const BATCH_MAX = 512

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

interface TraceValues {
  readonly otlpEndpoint: string | undefined
  readonly traceRows: boolean
}

/** Throws InvalidArgumentError. */
export function checkEndpoint(text: string): string {
  // OpenTelemetry: an empty variable states nothing.
  if (text === '') return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be a URL of http or https.')
  if (url.username !== '' || url.password !== '')
    throw new InvalidArgumentError('Name user and password in OTEL_EXPORTER_OTLP_HEADERS, not in the URL.')
  return text
}

/** `variables`: OpenTelemetry's; `source`: of the endpoint. Throws UsageError. */
export function traceSettings(
  { otlpEndpoint = '', traceRows }: TraceValues,
  source: Source,
  variables: Environment,
): TraceSettings {
  const url = urlOf(otlpEndpoint, source === 'cli', variables)
  if (url === undefined) return { tracing: undefined }
  const number = (name: string, fallback: number): number => positive(variables, name, fallback)
  const queueMax = number('OTEL_BSP_MAX_QUEUE_SIZE', QUEUE_MAX)
  const tracing: TracingSettings = {
    url,
    headers: headersOf(variables),
    resource: resourceOf(variables),
    timeoutMs: number('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT', number('OTEL_EXPORTER_OTLP_TIMEOUT', TIMEOUT_MS)),
    scheduleMs: number('OTEL_BSP_SCHEDULE_DELAY', SCHEDULE_MS),
    queueMax,
    batchMax: Math.min(queueMax, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', BATCH_MAX)),
    ...samplerSettings(variables),
    showsRows: traceRows,
  }
  return { tracing }
}

/** The flag wins over all variables. Of these the one for traces wins over the one for all signals. */
function urlOf(endpoint: string, isStated: boolean, variables: Environment): string | undefined {
  if (isStated) return endpoint === '' ? undefined : withPath(endpoint)
  if (variables['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined
  const exporters = variables['OTEL_TRACES_EXPORTER'] ?? ''
  if (exporters !== '' && !exporters.split(',').includes('otlp')) return undefined
  const protocol =
    variables['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? variables['OTEL_EXPORTER_OTLP_PROTOCOL'] ?? ''
  const ofTraces = variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? ''
  if (ofTraces === '' && endpoint === '') return undefined
  if (protocol === 'grpc')
    throw new UsageError(
      "OTEL_EXPORTER_OTLP_PROTOCOL=grpc is not there: Tidegate sends http/json, to the collector's HTTP port (4318).",
    )
  if (ofTraces === '') return withPath(endpoint)
  try {
    return checkEndpoint(ofTraces)
  } catch (error) {
    throw new UsageError(`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is invalid. ${(error as Error).message}`)
  }
}

function withPath(endpoint: string): string {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${TRACES_PATH}`
  return url.href
}

function samplerSettings(variables: Environment): Pick<TracingSettings, 'sampler' | 'ratio'> {
  const text = variables['OTEL_TRACES_SAMPLER'] ?? ''
  const sampler = text === '' ? DEFAULT_SAMPLER : SAMPLER_NAMES.find((name) => name === text)
  if (sampler === undefined)
    throw new UsageError(`OTEL_TRACES_SAMPLER=${text} is none of ${SAMPLER_NAMES.join(', ')}.`)
  const argument = variables['OTEL_TRACES_SAMPLER_ARG'] ?? ''
  const ratio = sampler.endsWith('traceidratio') && argument !== '' ? Number(argument) : 1
  if (!(ratio >= 0 && ratio <= 1))
    throw new UsageError(`OTEL_TRACES_SAMPLER_ARG=${argument} is no number from 0 to 1.`)
  return { sampler, ratio }
}

/** Headers may have a secret: no message shows them. */
function headersOf(variables: Environment): Readonly<Record<string, string>> {
  const headers = new Headers()
  const names = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS']
  try {
    for (const name of names) for (const [key, value] of pairsOf(variables, name)) headers.set(key, value)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError('OTEL_EXPORTER_OTLP_HEADERS has a name or a value that no header of HTTP can have.')
  }
  return Object.fromEntries(headers)
}

function resourceOf(variables: Environment): Readonly<Record<string, string>> {
  const name = variables['OTEL_SERVICE_NAME'] ?? ''
  return {
    'service.name': 'tidegate',
    'service.instance.id': randomUUID(),
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.name': 'tidegate',
    'process.pid': String(process.pid),
    ...Object.fromEntries(pairsOf(variables, 'OTEL_RESOURCE_ATTRIBUTES')),
    ...(name !== '' && { 'service.name': name }),
  }
}

/** `KEY=VALUE,KEY=VALUE`, percent-encoded. */
function pairsOf(variables: Environment, name: string): [string, string][] {
  const parts = (variables[name] ?? '').split(',').filter((part) => part.trim() !== '')
  return parts.map((part) => {
    const equals = part.indexOf('=')
    try {
      if (equals > 0) return [part.slice(0, equals).trim(), decodeURIComponent(part.slice(equals + 1).trim())]
    } catch {
      // The error below names the variable.
    }
    throw new UsageError(`${name} must be KEY=VALUE, with commas between them, and percent-encoded.`)
  })
}

function positive(variables: Environment, name: string, fallback: number): number {
  const text = variables[name] ?? ''
  if (text === '') return fallback
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (value > 0) return value
  throw new UsageError(`${name}=${text} is no whole number above 0.`)
}
