/** Scans whose rows all go into one answer: the door reads a page from the store, writes it to the client, and goes on. */

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

/** Bytes of cells that one answer holds in memory at a time, however long the answer is. */
export const PAGE_BYTES: number = 256 * 1024
/** What an answer in pages holds while its client reads: a page of cells, its encoded form, and what streams keep of that. */
const PAGES_HELD = 4
/** The memory of an answer whose rows are no longer than a page. */
export const STREAM_BYTES: number = PAGES_HELD * PAGE_BYTES
const PAGE_ROWS = 10_000

interface PageLimits {
  /** The most results of all pages together. */
  readonly limit: number
  readonly pageRows: number
  readonly pageBytes: number
}

interface PagedOptions extends Partial<Omit<PageLimits, 'pageBytes'>> {
  /** The cell within its first row after which the scan begins, as a KeyValue. */
  readonly after?: Buffer | undefined
}

const LONG_ROWS = 'an answer with long rows'

/** A scan with one page in memory. Its opener answers with its cells or closes it. */
export class PagedScan {
  readonly #handouts: Handouts
  readonly #scanner: Scanner
  readonly #call: Call
  readonly #pageBytes: number
  readonly #pageRows: number
  /** What a page with a longer row takes beyond STREAM_BYTES. */
  readonly #longRows: MemoryGrant
  /** Results that may still come. */
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

  /** The results in memory, valid until the next page is read; none at the end. */
  get page(): Results {
    return this.#page
  }

  /** Whether the store may have more, within the limit or beyond it. */
  get hasMore(): boolean {
    return this.#more
  }

  /** Whether another page may follow. */
  get expectsMore(): boolean {
    return this.#more && this.#remaining > 0
  }

  /** Whether the row of the page's last result may go on in the next. */
  get endsInRow(): boolean {
    return this.#endsInRow
  }

  /**
   * Reads the next page that has cells; false at the end, and then `page` is empty. Waits for the memory of a long
   * row. Throws as Handouts.next, OVERLOADED where the wait is in vain, and TOO_LARGE where the row never has memory.
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
   * The page is held meanwhile, where there is room for that: streams that wait must not keep out others. Memory of a stream stands only
   * while its client is to read: of streams that wait for each other's memory, one gives way.
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

  /** Call this once the page is encoded: its memory goes back to the store. */
  async close(): Promise<void> {
    this.#endPage()
    this.#longRows.release()
    await this.#scanner.close()
  }

  #endPage(): void {
    giveBack(this.#handouts, this.#page)
    this.#page = NO_RESULTS
  }

  /** All pages as one cell set; closes the scan. Streams where another page may follow. */
  async cellSet(form: Negotiated<RowsType>): Promise<Answer> {
    if (this.expectsMore && this.#page !== NO_RESULTS) {
      const lastWords = isLines(form.type) ? errorLine : undefined
      return { status: 200, contentType: form.contentType, body: this.#chunks(form.type), lastWords }
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

  /** The bytes of the pages so far, which are in `out`, and of those that follow; closes the scan. */
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
