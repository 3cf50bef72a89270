import { Refusal } from './errors.ts'

/** The one place where filters are turned away: a query with one must not be answered as if it had none. */
export function refuseFilter(query: URLSearchParams, filter = ''): void {
  const stated = filter || query.get('filter') || query.get('filter_b64')
  if (stated) throw new Refusal(501, `filters are not evaluated by this server: ${stated}`)
}
