import type { ScannedResults } from '../../model/results.ts'

export interface RowResultOptions {
  /** Thrift 1: the list `sortedColumns`, which may hold several versions of a column, not the map `columns`. */
  readonly sortColumns?: boolean
  /** Thrift 2: by result, whether its row goes on in the next one. Left out: none does. */
  readonly partial?: readonly boolean[] | undefined
}

/** Takes back the memory that results are in: the store's facet of handouts. */
export interface Lender {
  release(loan: number): void
}

const NO_OPTIONS: RowResultOptions = {}

/**
 * A handler's answer as cells: it stands for a `TResult` (of one result), a `list<TResult>`, a `list<TRowResult>` or a
 * `list<TCell>`, and is encoded straight from the cells' bytes. Scattered cells are gathered first, unless the encoder
 * reads them where they are: that of a `list<TRowResult>` in the binary protocol.
 *
 * A result of no cells is left out of a `list<TRowResult>`, and is a TResult without a row in Thrift 2, as in HBase. In
 * the map `columns` the last of several versions of a column stays, as in HBase.
 */
export class RowResults {
  readonly results: ScannedResults
  readonly sortColumns: boolean
  readonly partial: readonly boolean[] | undefined
  readonly #lender: Lender | undefined

  /** `lender`: gets back the loan of the results, if they have one. */
  constructor(results: ScannedResults, lender?: Lender, options: RowResultOptions = NO_OPTIONS) {
    this.results = results
    this.sortColumns = options.sortColumns ?? false
    this.partial = options.partial
    this.#lender = lender
  }

  /** The cells have been encoded: nobody reads them any more. */
  release(): void {
    const { loan } = this.results
    if (loan !== undefined) this.#lender?.release(loan)
  }
}
