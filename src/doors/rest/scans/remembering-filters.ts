import type { Filter } from '../../../model/filter.ts'

/**
 * Whether the filter decides about a row by the rows before it, so that a scan which begins later finds other rows.
 * `endsScan`: the scan ends where this filter lets nothing more through.
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
