/** The scan that a page of rows asks for, from the parameters of its address. */

import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { rowAfterPrefix } from '../../../model/bytes.ts'
import { columnsNamed } from '../../../model/column-name.ts'
import { ALL_VERSIONS, type Scan, scan } from '../../../model/query.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { bytesNamed, bytesOf, type ConsoleRequest, countOf, int64Of } from './console-request.ts'

/** Throws ILLEGAL_ARGUMENT. For a malformed filter the error has the position of the character. */
export function scanOf(request: ConsoleRequest): Scan {
  const { query } = request
  const prefix = bytesNamed(request, 'prefix')
  const row = bytesNamed(request, 'row')
  const stopRow = prefix === undefined ? bytesNamed(request, 'stop') : rowAfterPrefix(prefix)
  const filter = query.get('filter') ?? ''
  const asOf = query.get('asOf') ?? ''
  const versions = query.get('versions')
  return scan({
    columns: columnsNamed(query.getAll('column').map((column) => bytesOf(column, 'column'))),
    ...startOf(request, prefix),
    ...(stopRow !== undefined && { stopRow }),
    ...(row !== undefined && { startRow: row, stopRow: row, includeStopRow: true }),
    maxVersions: versions === 'all' ? ALL_VERSIONS : countOf(versions, 'versions', 1, ALL_VERSIONS),
    timeRange: timeRangeOf(query),
    ...(asOf !== '' && { asOf: int64Of(asOf, 'asOf') }),
    ...(filter.trim() !== '' && { filter: parseFilterString(Buffer.from(filter)) }),
  })
}

function startOf(request: ConsoleRequest, prefix: Buffer | undefined): Partial<Scan> {
  const token = request.query.get('next')
  if (token === null) {
    const startRow = prefix ?? bytesNamed(request, 'start')
    return startRow === undefined ? {} : { startRow }
  }
  const { after, at } = tokenOf(token)
  return after === undefined
    ? { startRow: bytesOf(at, 'next') }
    : { startRow: bytesOf(after, 'next'), includeStartRow: false }
}

function tokenOf(token: string): { readonly after?: unknown; readonly at?: unknown } {
  try {
    return (JSON.parse(bytesOf(token, 'next').toString()) as object | null) ?? {}
  } catch {
    return {}
  }
}

function timeRangeOf(query: URLSearchParams): TimeRange {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (from === '' && to === '') return TimeRange.ALL
  return TimeRange.between(
    from === '' ? 0n : int64Of(from, 'from'),
    to === '' ? LATEST_TIMESTAMP : int64Of(to, 'to'),
  )
}
