import { giveBack } from '../../../gateway/loans.ts'
import { findFamily } from '../../../model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Get } from '../../../model/query.ts'
import { NO_RESULTS, type Results } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import { BatchError } from './batch-error.ts'
import { checkBatchSize } from './mutation-arguments.ts'
import type { ServiceContext } from './service-context.ts'

type GetContext = Pick<ServiceContext<unknown>, 'store' | 'limits' | 'getLimits'>

/** One result for each get. Throws as getSome, and TOO_LARGE where the cells exceed the bytes of an answer. */
export async function getMany(
  context: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
): Promise<Results> {
  const { limits, store } = context
  checkBatchSize(gets.length, limits.batchMax)
  if (gets.length === 0) return NO_RESULTS
  const results = await getSome(context, table, gets, call)
  const found = results.counts.length
  if (found < gets.length) {
    giveBack(store.handouts, results)
    throw new HBaseError(
      'TOO_LARGE',
      `the answer exceeds the limit of ${limits.responseBytesMax} bytes after ${found} of ${gets.length} rows: ` +
        'ask for fewer at a time',
    )
  }
  return results
}

/** States for each get whether it finds a cell. Throws as getSome. */
export async function existMany(
  context: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
): Promise<boolean[]> {
  checkBatchSize(gets.length, context.limits.batchMax)
  const exist: boolean[] = []
  // The answer carries no cells: after a read that reached its limit of bytes, read on with the remaining gets.
  while (exist.length < gets.length) {
    const results = await getSome(context, table, gets.slice(exist.length), call)
    giveBack(context.store.handouts, results)
    for (const count of results.counts) exist.push(count > 0)
  }
  return exist
}

/** Results for at least the first get. Throws BatchError for gets that name unknown families. */
async function getSome(
  { store, getLimits }: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
): Promise<Results> {
  try {
    return await store.rows.get(table, gets, getLimits, call)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'NO_SUCH_COLUMN_FAMILY') throw error
    // HBase sends a batch of one get as a get.
    if (gets.length === 1) throw error
    const descriptor = await store.catalog.table(table, onOwnBehalf(call))
    const failed = gets.filter(({ columns }) =>
      columns.some(({ family }) => findFamily(descriptor, family) === undefined),
    )
    throw new BatchError(failed.map(() => error))
  }
}
