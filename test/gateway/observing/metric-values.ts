import type { Metric } from '../../../src/model/metric.ts'

/** The present values of metrics, as `name{label values}`, without zeros; with `counts`, the counts of histograms, too. */
export function valuesOf(metrics: readonly Metric[], counts = false): Record<string, number> {
  const values: Record<string, number> = {}
  for (const { name, read } of metrics) {
    for (const { labels, value, part } of read()) {
      const of = labels === undefined ? '' : `{${Object.values(labels).join()}}`
      if (part === 'bucket' || part === 'sum' || (part === 'count' && !counts)) continue
      if (value !== 0) values[`${name}${part === undefined ? '' : `_${part}`}${of}`] = value
    }
  }
  return values
}
