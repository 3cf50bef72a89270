import { isHBaseError } from '../../../model/errors.ts'
import type { Columns } from '../../../model/query.ts'

/**
 * Failures of gets that name a family which their region does not have. Thousands of one call may name the same one: each is told the same
 * failure, and neither asks the store nor makes an error of its own, which takes longer than a get.
 */
export class MissingFamilies {
  readonly #failures = new Map<string, unknown>()

  /** Undefined where the get may succeed. */
  failureOf(columns: Columns): unknown {
    return this.#failures.size === 0 ? undefined : this.#failures.get(keyOf(columns))
  }

  /** Remembers why a get of one region has failed, if others with the same families fail alike. */
  add(columns: Columns, failure: unknown): void {
    if (isHBaseError(failure) && failure.code === 'NO_SUCH_COLUMN_FAMILY')
      this.#failures.set(keyOf(columns), failure)
  }
}

function keyOf(columns: Columns): string {
  return columns.map(({ family }) => `${family.length} ${family.toString('latin1')}`).join()
}
