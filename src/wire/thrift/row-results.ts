import type { Results } from '../../model/results.ts'

export interface RowResultOptions {
  /** Thrift 1: the list `sortedColumns`, which may hold several versions of a column, not the map `columns`. */
  readonly sortColumns?: boolean
  /** Thrift 2: by result, whether its row goes on in the next one. Left out: none does. */
  readonly partial?: readonly boolean[]
}

/**
 * A handler's answer as cells: it stands for a `TResult` (of one result), a `list<TResult>`, a `list<TRowResult>` or a
 * `list<TCell>`, and is encoded straight from the cells' bytes.
 *
 * A result of no cells is left out of a `list<TRowResult>`, and is a TResult without a row in Thrift 2, as in HBase. In
 * the map `columns` the last of several versions of a column stays, as in HBase.
 */
export class RowResults {
  readonly results: Results
  readonly sortColumns: boolean
  readonly partial: readonly boolean[] | undefined

  constructor(results: Results, options: RowResultOptions = {}) {
    this.results = results
    this.sortColumns = options.sortColumns ?? false
    this.partial = options.partial
  }
}
