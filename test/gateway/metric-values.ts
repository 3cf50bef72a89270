import type { Metric } from '../../src/model/metric.ts'

/** The present values of metrics, as `name{label values}`, without zeros. */
export function valuesOf(metrics: readonly Metric[]): Record<string, number> {
  const values: Record<string, number> = {}
  for (const { name, read } of metrics) {
    for (const { labels, value } of read()) {
      const of = labels === undefined ? '' : `{${Object.values(labels).join()}}`
      if (value !== 0) values[`${name}${of}`] = value
    }
  }
  return values
}
