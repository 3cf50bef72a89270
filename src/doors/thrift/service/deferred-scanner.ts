import type { Scan } from '../../../model/query.ts'
import { NO_RESULTS, type ScanBatch } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { ScanLimits, Scanner, Store } from '../../../store.ts'

/**
 * A scanner that is opened by its first use, as HBase's gateways do it: a table or family that is not there is an error
 * of that use, and what is written before it is seen.
 */
export class DeferredScanner implements Scanner {
  readonly #store: Store
  readonly #table: TableName
  readonly #query: Scan
  #scanner: Scanner | undefined
  #closed = false

  constructor(store: Store, table: TableName, query: Scan) {
    this.#store = store
    this.#table = table
    this.#query = detached(query)
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    if (this.#closed) return { results: NO_RESULTS, more: false, partial: false }
    this.#scanner ??= await this.#store.openScanner(this.#table, this.#query)
    const batch = await this.#scanner.next(limits)
    // It may have been closed meanwhile, perhaps before there was anything to close.
    if (this.#closed) await this.#scanner.close()
    return batch
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#scanner?.close()
  }
}

/** The query with bytes of its own: those of a request would keep all of it in memory for as long as the scanner lives. */
function detached(query: Scan): Scan {
  return {
    ...query,
    startRow: Buffer.from(query.startRow),
    stopRow: Buffer.from(query.stopRow),
    columns: query.columns.map(({ family, qualifiers }) => ({
      family: Buffer.from(family),
      qualifiers: qualifiers?.map((qualifier) => Buffer.from(qualifier)),
    })),
  }
}
