/** Scans that one answer carries: a page at a time is read from the store and written to the client. */

import type { Scan } from '../../../model/query.ts'
import { NO_RESULTS, type Results } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Scanner } from '../../../store.ts'
import { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import type { Answer } from '../http/answer.ts'
import type { CellSetType, Negotiated } from '../http/media-type.ts'
import { cellSetAnswer, cellSetWriter, writeRows } from '../rows/cell-set-answer.ts'
import type { RestService } from '../service.ts'

/** Cells that are in memory at a time for one answer, however long it is. */
const PAGE_BYTES = 1024 * 1024
const PAGE_ROWS = 10_000

/** A scan of which one page is here. Whoever opens it answers with its cells or closes it. */
export class PagedScan {
  readonly #scanner: Scanner
  readonly #pageBytes: number
  readonly #pageRows: number
  /** Results that may still come. */
  #remaining: number
  #more = true
  #page: Results = NO_RESULTS

  private constructor(scanner: Scanner, pageBytes: number, pageRows: number, limit: number) {
    this.#scanner = scanner
    this.#pageBytes = pageBytes
    this.#pageRows = pageRows
    this.#remaining = limit
  }

  /** `limit`: at most so many results. Throws as the store's openScanner and the scanner's first step do. */
  static async open(
    { store, limits }: RestService,
    table: TableName,
    query: Scan,
    { limit = Number.POSITIVE_INFINITY, pageRows = PAGE_ROWS }: { limit?: number; pageRows?: number } = {},
  ): Promise<PagedScan> {
    const scanner = await store.openScanner(table, query)
    const paged = new PagedScan(scanner, Math.min(PAGE_BYTES, limits.responseBytesMax), pageRows, limit)
    try {
      await paged.next()
    } catch (error) {
      await scanner.close()
      throw error
    }
    return paged
  }

  /** The results that are here; none at the end. */
  get page(): Results {
    return this.#page
  }

  /** Reads on to the next page that has cells; false, and no results, at the end. */
  async next(): Promise<boolean> {
    this.#page = NO_RESULTS
    while (this.#more) {
      const rows = Math.min(this.#pageRows, this.#remaining)
      if (rows <= 0) break
      const batch = await this.#scanner.next({ rows, bytes: this.#pageBytes, allowPartial: false })
      this.#more = batch.more
      this.#remaining -= batch.results.counts.length
      if (batch.results.cells.byteLength > 0) {
        this.#page = batch.results
        return true
      }
    }
    return false
  }

  async close(): Promise<void> {
    await this.#scanner.close()
  }

  /** All pages as one cell set, and the end of the scan. Streams where more than the present page may come. */
  async cellSet(form: Negotiated<CellSetType>): Promise<Answer> {
    if (this.#more && this.#remaining > 0 && this.#page !== NO_RESULTS) {
      return { status: 200, contentType: form.contentType, body: this.#chunks(form.type) }
    }
    await this.close()
    return cellSetAnswer(this.#page, form)
  }

  async *#chunks(type: CellSetType): AsyncGenerator<Buffer> {
    const out = new OutputBuffer()
    const writer = cellSetWriter(type)
    try {
      writer.begin(out)
      do {
        writeRows(writer, out, this.#page)
        writer.endPage(out)
        yield out.take()
      } while (await this.next())
      writer.end(out)
      yield out.take()
    } finally {
      await this.close()
    }
  }
}
