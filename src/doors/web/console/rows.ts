/**
 * A page of rows. Bytes are base64 and timestamps text in JSON, so that a browser gets them without loss. Where a damaged file keeps rows from
 * being read, the page names the place and goes on behind it.
 */

import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Scan } from '../../../model/query.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type ConsoleRequest, countOf, named } from './console-request.ts'
import { gapAt } from './damaged-rows.ts'
import { type Gap, PageOfRows, READ_BYTES_MAX, SHOWN_BYTES_MAX } from './page-of-rows.ts'
import { scanOf } from './rows-query.ts'

const ROWS_DEFAULT = 25
const ROWS_MAX = 500
/** The first cells of each row that a page has, and the most that a request for more gets. */
const CELLS_DEFAULT = 50
const CELLS_MAX = 1000
/** Cells that a request may pass over to those that it shows. */
const SKIPPED_MAX = 100_000_000
/** Bytes of memory per byte of cells: JSON and base64 take less than this. */
const BYTES_PER_CELL_BYTE = 4
/** A page ends after this time, even if it found few rows. The next page continues from there. */
const PAGE_MS = 3000
/** Damaged places that one page passes. */
const GAPS_MAX = 20

interface Reading {
  readonly request: ConsoleRequest
  readonly table: TableName
  readonly page: PageOfRows
  readonly wanted: number
  /** The value of performance.now() at which the page ends. */
  readonly until: number
}

type Start = Pick<Scan, 'startRow' | 'includeStartRow'>

export async function rows(request: ConsoleRequest): Promise<object> {
  const { call, memory, query } = request
  const table = parseTableName(named(request, 'table'))
  const wanted = countOf(query.get('rows'), 'rows', ROWS_DEFAULT, ROWS_MAX)
  const skip = query.get('skip')
  const page = new PageOfRows({
    skipped: skip === '0' ? 0 : countOf(skip, 'skip', 0, SKIPPED_MAX),
    count: countOf(query.get('cells'), 'cells', CELLS_DEFAULT, CELLS_MAX),
  })
  const scan = scanOf(request)
  const grant = new MemoryGrant(memory, false, call.memory)
  try {
    const bytes = SHOWN_BYTES_MAX * BYTES_PER_CELL_BYTE
    await grant.atOnceOrLater(() => grant.take(bytes, 'a page of the console', 'answer'), call.signal)
    const until = performance.now() + PAGE_MS
    await readPastDamage({ request, table, page, wanted, until }, scan)
    return page.shown(scan.startRow)
  } finally {
    grant.release()
  }
}

/** Reads until the page is full. Throws the error of a read that no known damage explains. */
async function readPastDamage(reading: Reading, scan: Scan): Promise<void> {
  const { page, request, table } = reading
  let start: Start = scan
  let isRowByRow = false
  for (;;) {
    try {
      await readInto(reading, { ...scan, ...start }, isRowByRow)
      return
    } catch (error) {
      if (!isHBaseError(error) || (error.code !== 'CORRUPTION' && error.code !== 'IO')) throw error
      start = startAgain(page, start)
      // A failed batch has lost the sound rows before the damage.
      if (!isRowByRow) {
        isRowByRow = true
        continue
      }
      const failure = { table, error, start: start.startRow }
      const found = await gapAt(request, failure)
      if (found === undefined || isRepeated(page, found)) throw error
      const gap = { ...found, at: page.rows.length }
      page.addGap(gap)
      if (gap.to === undefined || isBehind(scan, gap.to)) {
        page.isDone = true
        return
      }
      start = { startRow: Buffer.from(gap.to, 'base64'), includeStartRow: true }
      page.position = start.startRow
      if (page.gaps.length >= GAPS_MAX) return
      isRowByRow = false
    }
  }
}

/** Where a read goes on after a failure: behind the last whole row of the page, or where it began. */
function startAgain(page: PageOfRows, start: Start): Start {
  const cut = page.removeCutRow()
  if (cut !== undefined) return { startRow: cut, includeStartRow: true }
  const last = page.rows.at(-1)
  const lastRow = last && Buffer.from(last.row, 'base64')
  if (lastRow === undefined || lastRow.compare(start.startRow) < 0) return start
  return { startRow: lastRow, includeStartRow: false }
}

function isRepeated({ gaps }: PageOfRows, { path, to }: Omit<Gap, 'at'>): boolean {
  return gaps.some((gap) => gap.path === path && gap.to === to)
}

function isBehind({ stopRow, includeStopRow }: Scan, row: string): boolean {
  if (stopRow.length === 0) return false
  const order = Buffer.from(row, 'base64').compare(stopRow)
  return includeStopRow ? order > 0 : order >= 0
}

async function readInto(
  { request, table, page, wanted, until }: Reading,
  scan: Scan,
  isRowByRow: boolean,
): Promise<void> {
  const { store, call } = request
  const { id } = await store.rows.openScanner(table, scan, call)
  try {
    while (!page.isFull(wanted) && performance.now() < until) {
      const rowsLeft = wanted - page.rows.length + (page.isCut ? 1 : 0)
      const limits = {
        rows: isRowByRow ? 1 : rowsLeft,
        bytes: Math.min(SHOWN_BYTES_MAX, READ_BYTES_MAX - page.readBytes),
        allowPartial: true,
        timeMs: Math.max(1, until - performance.now()),
      }
      const batch = await store.handouts.next(id, limits, call)
      page.add(batch)
      if (batch.results.loan !== undefined) store.handouts.release(batch.results.loan)
    }
  } finally {
    await store.handouts.closeScanner(id)
  }
}
