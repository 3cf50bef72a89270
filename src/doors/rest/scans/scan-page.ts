/** Answers of a scan that `page` or HBase's `limit` cuts. */

import { CellCursor } from '../../../model/cell-block.ts'
import type { Scan } from '../../../model/query.ts'
import type { CellSetWriter } from '../../../wire/rest/cell-set-writer.ts'
import type { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import { cellSetWriter, outputFor, writePage } from '../answers/cell-set-answer.ts'
import type { PagedScan } from '../answers/paged-scan.ts'
import type { Answer } from '../http/answer.ts'
import type { Negotiated } from '../http/media-type.ts'
import { errorLine } from '../http/problem.ts'
import { isLines, type RowsType } from '../http/rows-type.ts'
import type { ScanLinks } from './scan-links.ts'
import { positionAfter, type ScanPosition } from './scan-position.ts'

/** Bytes of cells after which a page ends. */
const CLIENT_PAGE_BYTES = 1024 * 1024

export interface CutScan {
  readonly query: Scan
  readonly links: ScanLinks
  /** Results that this and all following answers may have together; undefined: only each answer has a limit. */
  readonly allowed: number | undefined
  /** True: a large answer ends early, and the next answer has the rest. False: a large answer streams, and has no link. */
  readonly endsEarly: boolean
}

/**
 * Reads the whole answer before its first byte is sent, since its headers depend on the last row. The next answer may be empty, because the
 * store does not read ahead. Closes the scan.
 */
export async function cutAnswer(open: PagedScan, form: Negotiated<RowsType>, cut: CutScan): Promise<Answer> {
  const out = outputFor(open.page)
  const writer = cellSetWriter(form.type)
  let taken = 0
  let bytes = 0
  let last: ScanPosition | undefined
  writer.begin(out)
  try {
    while (open.page.counts.length > 0) {
      const { page } = open
      await writePage(writer, out, page)
      writer.endPage(out)
      taken += page.counts.length
      bytes += page.cells.byteLength
      last = positionOf(open, cut.allowed === undefined ? undefined : cut.allowed - taken)
      if (bytes >= CLIENT_PAGE_BYTES && (cut.endsEarly || open.expectsMore)) break
      if (!(await open.next())) break
    }
    if (!cut.endsEarly && open.expectsMore) return streamed(open, writer, out, form)
  } catch (error) {
    await open.close()
    throw error
  }
  writer.end(out)
  const headers = last !== undefined && mayGoOn(open, cut, last) ? cut.links.headerTo(last) : {}
  await open.close()
  return { status: 200, contentType: form.contentType, headers, body: out.buffer.subarray(0, out.length) }
}

function positionOf(open: PagedScan, remaining: number | undefined): ScanPosition {
  const cursor = new CellCursor(open.page.cells)
  while (cursor.next());
  return positionAfter(cursor.parts(), open.endsInRow, remaining)
}

function mayGoOn(open: PagedScan, { query }: CutScan, { row, cell, remaining }: ScanPosition): boolean {
  if (remaining === 0 || !open.hasMore) return false
  return cell !== undefined || !(query.includeStopRow && row.equals(query.stopRow))
}

function streamed(
  open: PagedScan,
  writer: CellSetWriter,
  out: OutputBuffer,
  { type, contentType }: Negotiated<RowsType>,
): Answer {
  const errorChunk = isLines(type) ? errorLine : undefined
  return { status: 200, contentType, body: open.rest(writer, out), errorChunk }
}
