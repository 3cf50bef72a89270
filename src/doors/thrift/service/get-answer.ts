import { giveBack } from '../../../gateway/loans.ts'
import type { Results } from '../../../model/results.ts'
import { type RowResultOptions, RowResults } from '../../../wire/thrift/row-results.ts'
import type { ServiceContext } from './service-context.ts'

/** The memory of smaller answers is not asked for. */
const SMALL_BYTES = 64 * 1024

/** The answer to gets. Throws OVERLOADED where there is no memory for its encoded form: the client can ask again. */
export function getAnswer(
  { memory, store: { handouts } }: Pick<ServiceContext<unknown>, 'memory' | 'store'>,
  results: Results,
  options?: RowResultOptions,
): RowResults {
  const { byteLength } = results.cells
  try {
    // Once it is encoded, the connection counts it.
    if (byteLength > SMALL_BYTES) memory.check(byteLength, 'the answer')
  } catch (error) {
    giveBack(handouts, results)
    throw error
  }
  return new RowResults(results, handouts, options)
}
