/** The label of metrics by table, whose names not every user may see. */

import { type MetricReading, OTHER_TABLES, type Sample } from '../../../model/metric.ts'
import type { MetricsJson } from './exposition.ts'

/** The names that the user may see; undefined: all. */
export type SeenTables = ReadonlySet<string> | undefined

const LABEL = 'table'

export function readingsOf(seen: SeenTables, readings: readonly MetricReading[]): readonly MetricReading[] {
  if (seen === undefined) return readings
  return readings.map((reading) =>
    reading.labels?.includes(LABEL) !== true
      ? reading
      : { ...reading, samples: reading.samples.filter(({ labels }: Sample) => isSeen(seen, labels)) },
  )
}

/** The same of another process's metrics. */
export function jsonOf(seen: SeenTables, metrics: MetricsJson): MetricsJson {
  if (seen === undefined) return metrics
  return metrics.map((metric) => ({
    ...metric,
    values: metric.values.filter(({ labels }) => isSeen(seen, labels)),
  }))
}

function isSeen(seen: ReadonlySet<string>, labels: object | undefined): boolean {
  const table = (labels as Readonly<Record<string, unknown>> | undefined)?.[LABEL]
  return table === undefined || table === OTHER_TABLES || (typeof table === 'string' && seen.has(table))
}
