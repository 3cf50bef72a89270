/** A page of rows. Bytes are base64 and timestamps text in JSON, so that a browser gets them without loss. */

import { parseFilterString } from '../../../filter/language/parse-filter-string.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { rowAfterPrefix } from '../../../model/bytes.ts'
import { CellCursor } from '../../../model/cell-block.ts'
import { columnsNamed } from '../../../model/column-name.ts'
import { ALL_VERSIONS, type Scan, scan } from '../../../model/query.ts'
import { gathered, type ScanBatch } from '../../../model/results.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { TimeRange } from '../../../model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../model/timestamp.ts'
import { bytesNamed, bytesOf, type ConsoleRequest, countOf, int64Of, named } from './console-request.ts'

const ROWS_DEFAULT = 25
const ROWS_MAX = 500
/** Bytes of cells in one page. */
const PAGE_BYTES = 1024 * 1024
/** Bytes of memory per byte of cells: JSON and base64 take less than this. */
const BYTES_PER_CELL_BYTE = 4
/** Bytes of a value that a page shows. */
const VALUE_BYTES = 64 * 1024
/** A page ends after this time, even if it found few rows. The next page continues from there. */
const PAGE_MS = 3000

interface ShownCell {
  readonly family: string
  readonly qualifier: string
  readonly timestamp: string
  readonly value: string
  /** Bytes of the whole value. The page may have only its beginning. */
  readonly length: number
}

interface ShownRow {
  readonly row: string
  readonly cells: ShownCell[]
}

interface Page {
  readonly rows: ShownRow[]
  bytes: number
  /** True where the last row is incomplete. */
  isCut: boolean
  examined: number
  /** The row that the scan has reached; undefined before the first batch that reports it. */
  position: Buffer | undefined
  isDone: boolean
}

export async function rows(request: ConsoleRequest): Promise<object> {
  const { store, call, memory } = request
  const table = parseTableName(named(request, 'table'))
  const wanted = countOf(request.query.get('rows'), 'rows', ROWS_DEFAULT, ROWS_MAX)
  const query = scanOf(request)
  const grant = new MemoryGrant(memory, false, call.memory)
  try {
    const bytes = PAGE_BYTES * BYTES_PER_CELL_BYTE
    await grant.atOnceOrLater(() => grant.take(bytes, 'a page of the console', 'answer'), call.signal)
    const { id } = await store.rows.openScanner(table, query, call)
    try {
      const page: Page = { rows: [], bytes: 0, isCut: false, examined: 0, position: undefined, isDone: false }
      const until = performance.now() + PAGE_MS
      while (!isFull(page, wanted) && performance.now() < until) {
        const limits = {
          rows: wanted - page.rows.length,
          bytes: PAGE_BYTES - page.bytes,
          allowPartial: true,
          timeMs: Math.max(1, until - performance.now()),
        }
        const batch = await store.handouts.next(id, limits, call)
        addBatch(page, batch)
        if (batch.results.loan !== undefined) store.handouts.release(batch.results.loan)
      }
      return shownPage(page, query)
    } finally {
      await store.handouts.closeScanner(id)
    }
  } finally {
    grant.release()
  }
}

function isFull({ rows, bytes, isCut, isDone }: Page, wanted: number): boolean {
  return isDone || isCut || rows.length >= wanted || bytes >= PAGE_BYTES
}

function addBatch(page: Page, { results, ended, partial, rowsSeen, position }: ScanBatch): void {
  const { cells, counts } = gathered(results)
  const cursor = new CellCursor(cells)
  for (const [index, count] of counts.entries()) {
    const shown: ShownCell[] = []
    let row = ''
    for (let i = 0; i < count; i++) {
      cursor.next()
      const cell = cursor.parts()
      row = cell.row.toString('base64')
      shown.push({
        family: cell.family.toString('base64'),
        qualifier: cell.qualifier.toString('base64'),
        timestamp: cell.timestamp.toString(),
        value: cell.value.toString('base64', 0, VALUE_BYTES),
        length: cell.value.length,
      })
    }
    const last = page.rows.at(-1)
    if (last?.row === row) last.cells.push(...shown)
    else page.rows.push({ row, cells: shown })
    if (index === counts.length - 1) page.isCut = partial?.[index] === true
  }
  page.bytes += cells.byteLength
  page.examined += rowsSeen ?? counts.length
  page.position = position ?? page.position
  page.isDone = ended === 'scan'
}

/** The answer. Its `next` continues after the last row, or at a row of which the scan may have read a part. */
function shownPage({ rows, isCut, examined, position, isDone }: Page, { startRow }: Scan): object {
  const last = rows.at(-1)?.row
  const stood = position ?? (last === undefined ? startRow : Buffer.from(last, 'base64'))
  const next = stood.toString('base64') === last ? { after: last } : { at: stood.toString('base64') }
  const token = isDone ? undefined : Buffer.from(JSON.stringify(next)).toString('base64url')
  return { rows, isCut, examined, next: token }
}

/** Throws ILLEGAL_ARGUMENT. For a malformed filter the error has the position of the character. */
function scanOf(request: ConsoleRequest): Scan {
  const { query } = request
  const prefix = bytesNamed(request, 'prefix')
  const stopRow = prefix === undefined ? bytesNamed(request, 'stop') : rowAfterPrefix(prefix)
  const filter = query.get('filter') ?? ''
  const asOf = query.get('asOf') ?? ''
  const versions = query.get('versions')
  return scan({
    columns: columnsNamed(query.getAll('column').map((column) => bytesOf(column, 'column'))),
    ...startOf(request, prefix),
    ...(stopRow !== undefined && { stopRow }),
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
