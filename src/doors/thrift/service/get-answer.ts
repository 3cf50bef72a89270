import type { GotResults } from '../../../gateway/many-gets.ts'
import { MemoryGrant } from '../../../gateway/memory-grant.ts'
import type { Results } from '../../../model/results.ts'
import { type RowResultOptions, RowResults } from '../../../wire/thrift/row-results.ts'
import type { ServiceContext } from './service-context.ts'

/** The memory of smaller answers is not asked for. */
const SMALL_BYTES = 64 * 1024

type AnswerContext = Pick<ServiceContext<unknown>, 'memory' | 'store'>

/** The answer to a get. Throws OVERLOADED where there is no memory for its cells and their encoded form: the client can ask again. */
export function getAnswer(context: AnswerContext, results: Results, options?: RowResultOptions): RowResults {
  const { byteLength } = results.cells
  if (byteLength <= SMALL_BYTES) return new RowResults(results, context.store.handouts, options)
  const grant = new MemoryGrant(context.memory)
  grant.note(byteLength)
  return getsAnswer(context, { results, grant }, options)
}

/** The same of several gets, whose cells have their memory already. */
export function getsAnswer(
  { memory, store: { handouts } }: AnswerContext,
  { results, grant }: GotResults,
  options?: RowResultOptions,
): RowResults {
  const { byteLength } = results.cells
  const answer = new RowResults(results, handouts, { ...options, onRelease: () => grant.release() })
  try {
    // Once it is encoded, the connection counts it.
    if (byteLength > SMALL_BYTES) memory.check(byteLength, 'the answer')
  } catch (error) {
    answer.release()
    throw error
  }
  return answer
}
