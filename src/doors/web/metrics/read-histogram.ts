import type { Metric } from 'prom-client'
import type { MetricReading, Sample } from '../../../model/metric.ts'

/** A histogram whose buckets somebody else has counted, in the form in which prom-client's registries ask their metrics. */
export class ReadHistogram {
  readonly name: string
  readonly #help: string
  #samples: readonly Sample[] = []

  constructor({ name, help }: MetricReading) {
    this.name = name
    this.#help = help
  }

  set(samples: readonly Sample[]): void {
    this.#samples = samples
  }

  get(): object {
    const { name } = this
    const values = this.#samples.map(({ labels = {}, value, part }) => ({
      labels,
      value,
      metricName: `${name}_${part}`,
    }))
    return { name, help: this.#help, type: 'histogram', aggregator: 'sum', values }
  }

  /** The library knows its own classes only, and asks no more of them than this one has. */
  asMetric(): Metric {
    return this as unknown as Metric
  }
}
