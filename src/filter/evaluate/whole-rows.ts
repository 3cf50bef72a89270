import type { Filter } from '../../model/filter.ts'

const KINDS: ReadonlySet<Filter['kind']> = new Set([
  'DependentColumnFilter',
  'PageFilter',
  'RandomRowFilter',
  'SingleColumnValueExcludeFilter',
  'SingleColumnValueFilter',
  'SkipFilter',
  'WhileMatchFilter',
])

/** True for a filter that decides about whole rows, of which a scan answers no parts. HBase: Filter.hasFilterRow. */
export function decidesOnWholeRows(filter: Filter | undefined): boolean {
  if (filter === undefined) return false
  return filter.kind === 'FilterList' ? filter.filters.some(decidesOnWholeRows) : KINDS.has(filter.kind)
}
