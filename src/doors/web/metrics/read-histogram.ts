import type { Metric } from 'prom-client'
import type { MetricReading, Sample } from '../../../model/metric.ts'

/** A histogram with given bucket counts, in the form that prom-client's registries read. */
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

  /** prom-client's types accept only its own classes, but its code uses only the members that this class has. */
  asMetric(): Metric {
    return this as unknown as Metric
  }
}
