/** Scans whose rows all go into one answer. The door reads a page from the store, writes it to the client, and reads the next page. */

import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { giveBack } from '../../../gateway/reads/loans.ts'
import { openScanner, type Scanner } from '../../../gateway/reads/scanner.ts'
import type { Scan } from '../../../model/query.ts'
import { gathered, NO_RESULTS, type Results } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { Handouts } from '../../../store/handouts.ts'
import type { CellSetWriter } from '../../../wire/rest/cell-set-writer.ts'
import type { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import type { Answer } from '../http/answer.ts'
import type { Negotiated } from '../http/media-type.ts'
import { errorLine } from '../http/problem.ts'
import { isLines, type RowsType } from '../http/rows-type.ts'
import type { RestService } from '../service/rest-service.ts'
import { cellSetAnswer, cellSetWriter, outputFor, writePage } from './cell-set-answer.ts'
import { ResumedScanner } from './resumed-scanner.ts'

/** Bytes of cells that one answer holds in memory at a time. */
export const PAGE_BYTES: number = 256 * 1024
/** Page-sized buffers that an answer holds while its client reads: a page of cells, its encoded form, and the copies in streams. */
const PAGES_HELD = 4
/** Bytes of memory of an answer whose rows fit into a page. */
export const STREAM_BYTES: number = PAGES_HELD * PAGE_BYTES
const PAGE_ROWS = 10_000

interface PageLimits {
  /** The most results of all pages together. */
  readonly limit: number
  readonly pageRows: number
  readonly pageBytes: number
}

interface PagedOptions extends Partial<Omit<PageLimits, 'pageBytes'>> {
  /** The KeyValue after which the scan begins in its first row; undefined: the scan begins with the whole row. */
  readonly after?: Buffer | undefined
}

const LONG_ROWS = 'an answer with long rows'

/** A scan with one page in memory. The caller must answer with its cells or close it. */
export class PagedScan {
  readonly #handouts: Handouts
  readonly #scanner: Scanner
  readonly #call: Call
  readonly #pageBytes: number
  readonly #pageRows: number
  /** Memory that a page with a long row takes beyond STREAM_BYTES. */
  readonly #longRows: MemoryGrant
  /** Results that the limit still allows. */
  #remaining: number
  #more = true
  #endsInRow = false
  #page: Results = NO_RESULTS

  private constructor(
    handouts: Handouts,
    scanner: Scanner,
    call: Call,
    limits: PageLimits,
    memory: MemoryBudget,
  ) {
    this.#longRows = new MemoryGrant(memory, true, call.memory)
    this.#handouts = handouts
    this.#scanner = scanner
    this.#call = call
    this.#pageBytes = limits.pageBytes
    this.#pageRows = limits.pageRows
    this.#remaining = limits.limit
  }

  /** Throws as the store's openScanner and `next` do. */
  static async open(
    { store, limits, memory }: Pick<RestService, 'store' | 'limits' | 'memory'>,
    table: TableName,
    query: Scan,
    call: Call,
    { limit = Number.POSITIVE_INFINITY, pageRows = PAGE_ROWS, after }: PagedOptions = {},
  ): Promise<PagedScan> {
    const { handouts } = store
    const opened = await openScanner(store, table, query, call)
    const scanner = after === undefined ? opened : new ResumedScanner(handouts, opened, after)
    const pageBytes = Math.min(PAGE_BYTES, limits.responseBytesMax)
    const paged = new PagedScan(handouts, scanner, call, { limit, pageRows, pageBytes }, memory)
    try {
      await paged.next()
    } catch (error) {
      await paged.close()
      throw error
    }
    return paged
  }

  /** The results in memory, valid until the next page is read; empty at the end. */
  get page(): Results {
    return this.#page
  }

  /** True where the store may have more rows, within the limit or beyond it. */
  get hasMore(): boolean {
    return this.#more
  }

  /** True where another page may follow. */
  get expectsMore(): boolean {
    return this.#more && this.#remaining > 0
  }

  /** True where the row of the page's last result may continue in the next result. */
  get endsInRow(): boolean {
    return this.#endsInRow
  }

  /**
   * Reads the next page that has cells. Returns false at the end, when `page` is empty. Waits for the memory of a long row. Throws as
   * Handouts.next, OVERLOADED after a wait without success, and TOO_LARGE for a row beyond the memory budget.
   */
  async next(): Promise<boolean> {
    this.#endPage()
    while (this.#more) {
      const rows = Math.min(this.#pageRows, this.#remaining)
      if (rows <= 0) break
      const limits = { rows, bytes: this.#pageBytes, allowPartial: false }
      const { results, ended, partial } = await this.#scanner.next(limits, this.#call)
      this.#more = ended !== 'scan'
      this.#endsInRow = partial?.at(-1) === true
      this.#remaining -= results.counts.length
      this.#page = gathered(results)
      const room = this.#takeMemory(results.cells.byteLength)
      if (room !== undefined) await room
      if (results.cells.byteLength > 0) return true
      this.#endPage()
    }
    return false
  }

  #takeMemory(pageBytes: number): Promise<void> | undefined {
    const missing = PAGES_HELD * pageBytes - STREAM_BYTES - this.#longRows.bytes
    if (missing <= 0) return undefined
    this.#longRows.checkEver(missing, LONG_ROWS)
    return this.#longRows.tryTake(missing, LONG_ROWS, 'answer')
      ? undefined
      : this.#awaitMemory(missing, pageBytes)
  }

  /**
   * Waits for the memory of a long row. The page counts in the budget meanwhile, if it fits. While a stream waits, its memory is marked as
   * not standing, so that one of several streams that wait for each other's memory gives way.
   */
  async #awaitMemory(missing: number, pageBytes: number): Promise<void> {
    const longRows = this.#longRows
    longRows.stand(false)
    try {
      await longRows.takeHolding(Math.min(missing, pageBytes), missing, LONG_ROWS, this.#call.signal)
    } finally {
      longRows.stand(true)
    }
  }

  /** Call this once the page is encoded: its memory returns to the store. */
  async close(): Promise<void> {
    this.#endPage()
    this.#longRows.release()
    await this.#scanner.close()
  }

  #endPage(): void {
    giveBack(this.#handouts, this.#page)
    this.#page = NO_RESULTS
  }

  /** All pages as one cell set, streamed where another page may follow. Closes the scan. */
  async cellSet(form: Negotiated<RowsType>): Promise<Answer> {
    if (this.expectsMore && this.#page !== NO_RESULTS) {
      const errorChunk = isLines(form.type) ? errorLine : undefined
      return { status: 200, contentType: form.contentType, body: this.#chunks(form.type), errorChunk }
    }
    try {
      return await cellSetAnswer(this.#page, form)
    } finally {
      await this.close()
    }
  }

  async *#chunks(type: RowsType): AsyncGenerator<Buffer> {
    const out = outputFor(this.#page)
    const writer = cellSetWriter(type)
    writer.begin(out)
    await writePage(writer, out, this.#page)
    writer.endPage(out)
    yield* this.rest(writer, out)
  }

  /** The bytes in `out`, which are the pages so far, and the bytes of the following pages. Closes the scan. */
  async *rest(writer: CellSetWriter, out: OutputBuffer): AsyncGenerator<Buffer> {
    try {
      yield out.take()
      while (await this.next()) {
        await writePage(writer, out, this.#page)
        writer.endPage(out)
        yield out.take()
      }
      writer.end(out)
      yield out.take()
    } finally {
      await this.close()
    }
  }
}
