import { HBaseError } from '../../model/errors.ts'

/**
 * Parts of one filter: filters, their arguments and the elements of their lists, keywords and parentheses. HBase has no such
 * limit; here a few bytes of text would become a hundred times as many in memory.
 */
export const FILTER_PARTS_MAX = 200_000

/** Counts the parts of one filter while it is read. */
export class FilterParts {
  #count = 0

  /** Throws ILLEGAL_ARGUMENT above the limit. */
  add(count = 1): void {
    this.#count += count
    if (this.#count > FILTER_PARTS_MAX) {
      throw new HBaseError('ILLEGAL_ARGUMENT', `a filter of more than ${FILTER_PARTS_MAX} parts`)
    }
  }
}
