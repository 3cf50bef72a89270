/** The metrics of a running server, as Prometheus defines them; docs/metrics.md lists them. */

/** The value of the label `table` of a sum of tables that have no line of their own. No table can have this name. */
export const OTHER_TABLES = '(others)'

export interface Sample {
  /** Values of the metric's labels; a missing label is empty. */
  readonly labels?: Readonly<Record<string, string>>
  readonly value: number
  /** The value's part of a histogram; undefined for other metrics. A bucket has the label `le`. */
  readonly part?: 'bucket' | 'sum' | 'count'
}

interface MetricDescription {
  /** `tidegate_...`, its unit last: bytes or seconds; a counter ends with `_total`. */
  readonly name: string
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** The way to join the values of several processes; undefined: their sum. */
  readonly together?: 'first' | 'max' | undefined
}

/** A metric is a description and a way to read it: nothing is computed before a reader asks. */
export interface Metric extends MetricDescription {
  /** The present values. Throws nothing. */
  readonly read: () => Iterable<Sample>
}

/** A metric as it was when it was read: plain data. */
export interface MetricReading extends MetricDescription {
  readonly samples: readonly Sample[]
}

export function readMetrics(metrics: readonly Metric[]): MetricReading[] {
  return metrics.map(({ read, ...description }) => ({ ...description, samples: [...read()] }))
}

/** A value that only grows, without labels. */
export function counter(name: string, help: string, value: () => number): Metric {
  return { name, kind: 'counter', help, read: () => [{ value: value() }] }
}

/** A value that rises and falls, without labels. */
export function gauge(name: string, help: string, value: () => number): Metric {
  return { name, kind: 'gauge', help, read: () => [{ value: value() }] }
}
