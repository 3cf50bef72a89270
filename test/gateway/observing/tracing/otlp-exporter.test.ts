import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OtlpExporter, type OtlpOptions } from '../../../../src/gateway/observing/tracing/otlp-exporter.ts'
import { samplerOf } from '../../../../src/gateway/observing/tracing/sampler.ts'
import { Tracer } from '../../../../src/gateway/observing/tracing/tracer.ts'
import { readMetrics } from '../../../../src/model/metric.ts'
import { OtlpReceiver } from './otlp-receiver.ts'

let collector: OtlpReceiver
let url: string
let logged: string[]

beforeEach(async () => {
  collector = new OtlpReceiver()
  url = `${await collector.listen()}/v1/traces`
  logged = []
})

afterEach(() => collector.close())

function exporterOf(options: Partial<OtlpOptions> = {}): { exporter: OtlpExporter; span: () => void } {
  const logger = pino({}, { write: (line: string) => logged.push(line) })
  const exporter = new OtlpExporter(
    {
      url,
      headers: { 'x-key': 'k' },
      resource: { 'service.name': 's' },
      version: '0',
      timeoutMs: 5000,
      scheduleMs: 60_000,
      queueMax: 4,
      batchMax: 100,
      ...options,
    },
    logger,
  )
  const tracer = new Tracer(samplerOf('always_on', 1), exporter)
  return { exporter, span: () => tracer.request('r', undefined)!.end() }
}

function counts(exporter: OtlpExporter): Record<string, number> {
  const samples = readMetrics(exporter.metrics()).flatMap((metric) => metric.samples)
  return Object.fromEntries(samples.map(({ labels, value }) => [labels?.['outcome'] ?? 'waiting', value]))
}

test('so many spans wait, the others are dropped and counted; the end sends what waits', async () => {
  const { exporter, span } = exporterOf()
  for (let i = 0; i < 7; i++) span()
  expect(counts(exporter)).toEqual({ exported: 0, dropped: 3, failed: 0, waiting: 4 })
  await exporter.close()
  expect(counts(exporter)).toEqual({ exported: 4, dropped: 3, failed: 0, waiting: 0 })
  expect(collector.spans).toHaveLength(4)
  expect(collector.resource).toEqual({ 'service.name': 's' })
  expect(collector.requests[0]).toMatchObject({
    url: '/v1/traces',
    headers: { 'x-key': 'k', 'content-type': 'application/json' },
  })
})

test('a full batch goes at once, a small one in its time', async () => {
  const full = exporterOf({ batchMax: 2, queueMax: 10 })
  full.span()
  full.span()
  await vi.waitFor(() => expect(collector.spans).toHaveLength(2))
  const timed = exporterOf({ scheduleMs: 1 })
  timed.span()
  await vi.waitFor(() => expect(collector.spans).toHaveLength(3))
  await full.exporter.close()
  await timed.exporter.close()
})

test('what a collector cannot take just now is sent again; what it refuses is not', async () => {
  collector.statuses.push(503)
  const again = exporterOf({ batchMax: 1 })
  again.span()
  await vi.waitFor(() => expect(collector.spans).toHaveLength(1), { timeout: 10_000 })
  expect(collector.requests).toHaveLength(2)
  await again.exporter.close()
  collector.statuses.push(400)
  const refused = exporterOf({ batchMax: 1 })
  refused.span()
  await refused.exporter.close()
  expect(collector.requests).toHaveLength(3)
  expect(counts(refused.exporter)).toMatchObject({ exported: 0, failed: 1 })
  expect(logged.join('\n')).toContain('the collector answers 400')
})

test('spans that the collector says it has rejected are no exported ones', async () => {
  collector.answer = '{"partialSuccess":{"rejectedSpans":"3"}}'
  const { exporter, span } = exporterOf()
  for (let i = 0; i < 4; i++) span()
  await exporter.close()
  expect(counts(exporter)).toMatchObject({ exported: 1, failed: 3 })
})

test('a collector that does not listen ends no process late: the close gives up, and the log says why once', async () => {
  const { exporter, span } = exporterOf({ url: 'http://127.0.0.1:1/v1/traces?key=open-sesame', batchMax: 1 })
  span()
  span()
  const since = performance.now()
  await exporter.close()
  expect(performance.now() - since).toBeLessThan(10_000)
  expect(counts(exporter)).toMatchObject({ exported: 0, failed: 2, waiting: 0 })
  expect(logged).toHaveLength(1)
  expect(logged[0]).toContain('http://127.0.0.1:1/v1/traces (hidden)')
  expect(logged[0]).not.toContain('open-sesame')
})

test('an endless answer is not read to an end that it does not have', async () => {
  let written = 0
  const endless = createServer((_, response) => {
    response.on('error', () => undefined)
    const write = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(64 * 1024))) written++
    }
    response.on('drain', write)
    write()
  }).listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const { port } = endless.address() as AddressInfo
  const { exporter, span } = exporterOf({ url: `http://127.0.0.1:${port}/v1/traces` })
  span()
  await exporter.close()
  expect(counts(exporter)).toMatchObject({ exported: 1, waiting: 0 })
  // Only the bytes in the sockets, not those of two seconds.
  expect(written).toBeLessThan(1000)
  endless.close()
})
