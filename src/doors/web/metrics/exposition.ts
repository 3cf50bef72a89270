/**
 * Metrics in Prometheus' text format, with those of the process and of Node. The first request loads the library, which would slow down
 * the start of the server by a tenth.
 */

import type { Counter, Gauge, Registry } from 'prom-client'
import type { MetricReading } from '../../../model/metric.ts'
import { SerialQueue } from '../../../model/serial-queue.ts'
import { ReadHistogram } from './read-histogram.ts'
import { readingsOf, type SeenTables } from './seen-tables.ts'

type PromClient = Pick<typeof import('prom-client'), 'Counter' | 'Gauge'>

/** The metrics of a process, as plain data. */
export type MetricsJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

interface Registered {
  readonly client: PromClient
  readonly registry: Registry
  readonly metrics: Map<string, Counter | Gauge>
  readonly histograms: Map<string, ReadHistogram>
}

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export class Exposition {
  readonly #read: () => Promise<readonly MetricReading[]>
  readonly #isOfProcess: boolean
  #registered: Promise<Registered> | undefined
  /** The registry has the values of one reader at a time, who may see other tables than the next. */
  readonly #queue = new SerialQueue()

  /** `read`: returns the current values; always of the same metrics. `isOfProcess`: with the metrics of the process and of Node. */
  constructor(read: () => Promise<readonly MetricReading[]>, isOfProcess = true) {
    this.#read = read
    this.#isOfProcess = isOfProcess
  }

  /** `seen`: the tables whose names the text may have. */
  text(seen?: SeenTables): Promise<string> {
    return this.#queue.run(async () => {
      const { registry } = await this.#filled(seen)
      return withoutEmptyLags(await registry.metrics())
    })
  }

  /** The metrics as data, for `togetherText`. */
  json(): Promise<MetricsJson> {
    return this.#queue.run(async () => {
      const { registry } = await this.#filled()
      return await registry.getMetricsAsJSON()
    })
  }

  async #filled(seen?: SeenTables): Promise<Registered> {
    this.#registered ??= registered(this.#isOfProcess)
    const { client, registry, metrics, histograms } = await this.#registered
    for (const reading of readingsOf(seen, await this.#read())) {
      if (reading.kind === 'histogram') {
        const histogram = histograms.get(reading.name) ?? new ReadHistogram(reading)
        histograms.set(reading.name, histogram)
        histogram.set(reading.samples)
        registry.registerMetric(histogram.asMetric())
        continue
      }
      const metric = metrics.get(reading.name) ?? registeredMetric(client, registry, reading)
      metrics.set(reading.name, metric)
      metric.reset()
      for (const { labels = {}, value } of reading.samples) metric.inc(labels, value)
    }
    return await this.#registered
  }
}

/** The text of several processes' metrics, added up. */
export async function togetherText(each: readonly MetricsJson[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  return withoutEmptyLags(await AggregatorRegistry.aggregate([...each]).metrics())
}

/** Leaves out the event loop's delay where it is NaN: it has no samples if two scrapes come at the same time. */
function withoutEmptyLags(text: string): string {
  if (!/^nodejs_eventloop_lag_mean_seconds nan$/im.test(text)) return text
  return text.replace(/^nodejs_eventloop_lag_\w+_seconds .*\n/gm, '')
}

async function registered(isOfProcess: boolean): Promise<Registered> {
  const { collectDefaultMetrics, Counter, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  if (isOfProcess) addProcess(registry, collectDefaultMetrics)
  return { client: { Counter, Gauge }, registry, metrics: new Map(), histograms: new Map() }
}

function addProcess(
  registry: Registry,
  collectDefaultMetrics: typeof import('prom-client')['collectDefaultMetrics'],
): void {
  const { user, system } = process.cpuUsage()
  collectDefaultMetrics({ register: registry })
  // The library counts CPU time from this first scrape on, but the metric's help promises the total.
  const spent = { user, system, '': user + system }
  for (const [kind, micros] of Object.entries(spent)) {
    const name = ['process_cpu', ...(kind === '' ? [] : [kind]), 'seconds_total'].join('_')
    ;(registry.getSingleMetric(name) as Counter).inc(micros / 1e6)
  }
}

function registeredMetric(
  { Counter, Gauge }: PromClient,
  registry: Registry,
  { kind, name, help, labels = [], together }: MetricReading,
): Counter | Gauge {
  const Kind = kind === 'counter' ? Counter : Gauge
  return new Kind({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
    aggregator: together ?? 'sum',
  })
}
