import type { Scan } from '../../../model/query.ts'
import type { ScanBatch } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { ScanLimits, Scanner, Store } from '../../../store.ts'

/**
 * A scanner that is opened by its first step: HBase answers that a scanner is there before it looks for the table. Where
 * that fails the next step tries again.
 */
export class LazyScanner implements Scanner {
  readonly #open: () => Promise<Scanner>
  #scanner: Promise<Scanner> | undefined

  constructor(store: Store, table: TableName, query: Scan) {
    this.#open = () => store.openScanner(table, query)
  }

  async next(limits: ScanLimits): Promise<ScanBatch> {
    this.#scanner ??= this.#opened()
    const scanner = await this.#scanner
    return await scanner.next(limits)
  }

  async #opened(): Promise<Scanner> {
    try {
      return await this.#open()
    } catch (error) {
      this.#scanner = undefined
      throw error
    }
  }

  async close(): Promise<void> {
    const opening = this.#scanner
    if (opening === undefined) return
    const scanner = await opening.catch(() => undefined)
    await scanner?.close()
  }
}
