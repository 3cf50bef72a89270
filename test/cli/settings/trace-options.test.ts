import { afterEach, expect, test, vi } from 'vitest'
import type { TracingSettings } from '../../../src/gateway/observing/tracing/open-tracing.ts'
import { parsedSettings } from '../parsed-settings.ts'

afterEach(() => {
  vi.unstubAllEnvs()
})

function settings(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): TracingSettings | undefined {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  return parsedSettings(...args).tracing
}

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' }

test('without an endpoint there are no traces', () => {
  expect(settings([], {})).toBeUndefined()
  expect(settings([], { OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined()
  expect(settings([], { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined()
  expect(settings([], { ...ENDPOINT, OTEL_SDK_DISABLED: '', OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined()
})

test('the variables are those of OpenTelemetry, with its defaults', () => {
  expect(settings([], ENDPOINT)).toMatchObject({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    timeoutMs: 10_000,
    scheduleMs: 5000,
    queueMax: 2048,
    batchMax: 512,
    sampler: 'parentbased_always_on',
    ratio: 1,
    showsRows: false,
    resource: { 'service.name': 'tidegate' },
  })
  const stated = settings(['--trace-rows'], {
    ...ENDPOINT,
    OTEL_SERVICE_NAME: 'hbase-edge',
    OTEL_RESOURCE_ATTRIBUTES: 'service.name=other,deployment.environment.name=a%2Cb',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20abc',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_EXPORTER_OTLP_TIMEOUT: '250',
  })
  expect(stated).toMatchObject({
    headers: { authorization: 'Basic abc' },
    timeoutMs: 250,
    queueMax: 100,
    batchMax: 100,
    sampler: 'parentbased_traceidratio',
    ratio: 0.25,
    showsRows: true,
    resource: { 'service.name': 'hbase-edge', 'deployment.environment.name': 'a,b' },
  })
})

test('the endpoint of traces is taken as it is, and a flag counts before all', () => {
  const env = { ...ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://collector:4318/own' }
  expect(settings([], env)?.url).toBe('http://collector:4318/own')
  expect(settings(['--otlp-endpoint', 'https://other/base'], env)?.url).toBe('https://other/base/v1/traces')
})

test.each<[Readonly<Record<string, string>>, RegExp]>([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /must be a URL of http or https/],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://u:secret@c' }, /OTEL_EXPORTER_OTLP_HEADERS/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, /grpc is not there/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'jaeger_remote' }, /jaeger_remote is none of/],
  [{ ...ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, /from 0 to 1/],
  [{ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: 'secret' }, /must be KEY=VALUE/],
  [{ ...ENDPOINT, OTEL_BSP_MAX_QUEUE_SIZE: '0' }, /no whole number above 0/],
])('%j is refused', (env, reason) => {
  expect(() => settings([], env)).toThrow(reason)
})
