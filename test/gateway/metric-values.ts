import type { Metric } from '../../src/model/metric.ts'

/** What metrics say now, as `name{label values}`; zeros are left out. */
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
