import { CellBlock } from '../../model/cell-block.ts'
import { gathered, type ScannedResults } from '../../model/results.ts'

export interface RowResultOptions {
  /** Thrift 1: write the list `sortedColumns`, which may hold several versions of a column, not the map `columns`. */
  readonly sortColumns?: boolean
  /** Thrift 2: for each result whether its row goes on in the next result. Undefined: no row does. */
  readonly partial?: readonly boolean[] | undefined
  /** Thrift 2: whether the rows were read from copies of their regions, for all results or by result. */
  readonly isStale?: boolean | readonly boolean[]
  /** Memory that the answer has for its encoded form; undefined: none. */
  readonly encodedBytes?: number
  /** Called once the cells have been encoded. */
  readonly onRelease?: () => void
}

/** Takes back lent memory of results: the store's facet of handouts. */
export interface Lender {
  release(loan: number): void
}

const NO_OPTIONS: RowResultOptions = {}

/**
 * A handler's answer as cells: it stands for a `TResult` (of one result), a `list<TResult>`, a `list<TRowResult>` or a
 * `list<TCell>`, and is encoded straight from the cells' bytes. Scattered cells are gathered first; only the encoder of a
 * `list<TRowResult>` in the binary protocol reads them where they are.
 *
 * QUIRK thrift1-row-get-rows-v-none-w: HBase leaves a result without cells out of a `list<TRowResult>`.
 * QUIRK thrift2-get-row-get-none: HBase answers a result without cells as a TResult without a row.
 * Of several versions of a column the map `columns` keeps the last. HBase: ThriftUtilities.rowResultFromHBase.
 */
export class RowResults {
  readonly results: ScannedResults
  readonly sortColumns: boolean
  readonly partial: readonly boolean[] | undefined
  readonly isStale: boolean | readonly boolean[]
  readonly encodedBytes: number
  readonly #lender: Lender | undefined
  readonly #onRelease: (() => void) | undefined

  /** `lender` gets the results' loan back, if they have one. */
  constructor(results: ScannedResults, lender?: Lender, options: RowResultOptions = NO_OPTIONS) {
    this.results = results
    this.sortColumns = options.sortColumns ?? false
    this.partial = options.partial
    this.isStale = options.isStale ?? false
    this.encodedBytes = options.encodedBytes ?? 0
    this.#lender = lender
    this.#onRelease = options.onRelease
  }

  /**
   * The same results with their cells in one block; the places where they lay scattered are given back. For an encoder that takes its
   * time: a store remembers only its latest loans.
   */
  gathered(): RowResults {
    const { sortColumns, partial, isStale, encodedBytes } = this
    const { cells, loan } = this.results
    if (cells instanceof CellBlock) return this
    const results = { ...gathered(this.results), loan: undefined }
    if (loan !== undefined) this.#lender?.release(loan)
    const onRelease = (): void => this.#onRelease?.()
    return new RowResults(results, this.#lender, { sortColumns, partial, isStale, encodedBytes, onRelease })
  }

  /** Call it once the cells have been encoded: it gives their memory back. */
  release(): void {
    const { loan } = this.results
    if (loan !== undefined) this.#lender?.release(loan)
    this.#onRelease?.()
  }
}
