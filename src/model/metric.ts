/** What can be counted or measured about a running server, as Prometheus has it; docs/metrics.md lists all of them. */

export interface Sample {
  /** Of the metric's labels; one that is left out is empty. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
}

interface MetricDescription {
  /** `tidegate_...`, its unit last: bytes or seconds; `_total` behind what only grows. */
  readonly name: string
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly labels?: readonly string[]
}

/** A metric is a description and a way to read it: nothing is made of it before somebody asks. */
export interface Metric extends MetricDescription {
  /** As it is now. Throws nothing. */
  readonly read: () => Iterable<Sample>
}

/** A metric as it was when it was read: plain data. */
export interface MetricReading extends MetricDescription {
  readonly samples: readonly Sample[]
}

export function readMetrics(metrics: readonly Metric[]): MetricReading[] {
  return metrics.map(({ read, ...description }) => ({ ...description, samples: [...read()] }))
}

/** What only grows, without labels. */
export function counter(name: string, help: string, value: () => number): Metric {
  return { name, kind: 'counter', help, read: () => [{ value: value() }] }
}

/** What comes and goes, without labels. */
export function gauge(name: string, help: string, value: () => number): Metric {
  return { name, kind: 'gauge', help, read: () => [{ value: value() }] }
}
