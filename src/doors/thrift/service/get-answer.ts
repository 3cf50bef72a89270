import { type GotResults, getInPieces } from '../../../gateway/reads/many-gets.ts'
import { HandedOver } from '../../../model/handed-over.ts'
import type { Get } from '../../../model/query.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import { type RowResultOptions, RowResults } from '../../../wire/thrift/row-results.ts'
import type { ServiceContext } from './service-context.ts'

/** An answer of fewer bytes does not ask for its memory. */
const SMALL_BYTES = 64 * 1024

type AnswerContext = Pick<ServiceContext<unknown>, 'memory' | 'store'>
type GetContext = AnswerContext & Pick<ServiceContext<unknown>, 'getLimits'>

/** The answer to a get. Throws as getInPieces does. `optionsOf`: returns the options for the results that were read. */
export async function getAnswer(
  context: GetContext,
  table: TableName,
  get: Get,
  call: Call,
  optionsOf?: (results: GotResults['results']) => RowResultOptions,
): Promise<RowResults> {
  const { store, getLimits } = context
  const gets = [get]
  const first = new HandedOver(await store.rows.get(table, gets, getLimits, call))
  if (first.value.cells.byteLength <= SMALL_BYTES) {
    const results = first.take()
    return new RowResults(results, store.handouts, optionsOf?.(results))
  }
  const got = await getInPieces(context, table, gets, call, { first })
  return getsAnswer(context, got, optionsOf?.(got.results))
}

/** The answer to several gets, which has its memory already. */
export function getsAnswer(
  { store: { handouts } }: AnswerContext,
  { results, grant }: GotResults,
  options?: RowResultOptions,
): RowResults {
  const encodedBytes = grant.bytes - results.cells.byteLength
  return new RowResults(results, handouts, { ...options, encodedBytes, onRelease: () => grant.release() })
}
