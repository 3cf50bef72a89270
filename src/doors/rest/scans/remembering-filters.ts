import type { Filter } from '../../../model/filter.ts'

/**
 * True where the filter's decision about a row depends on the rows before it, so that a scan that begins later finds other rows.
 * `endsScan`: true where the scan ends as soon as this filter rejects all remaining rows.
 */
export function remembersRows(filter: Filter, endsScan = true): boolean {
  const { kind } = filter
  if (kind === 'PageFilter' || kind === 'RandomRowFilter') return true
  if (kind === 'WhileMatchFilter') return !endsScan || remembersRows(filter.filter, false)
  if (kind === 'SkipFilter') return remembersRows(filter.filter, false)
  if (kind !== 'FilterList') return false
  const endsAll = endsScan && filter.operator === 'MUST_PASS_ALL'
  return filter.filters.some((part) => remembersRows(part, endsAll))
}
