import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { giveBack } from '../../../gateway/reads/loans.ts'
import { furtherGets, GET_PIECE, type GotResults, getInPieces } from '../../../gateway/reads/many-gets.ts'
import { findFamily } from '../../../model/descriptor.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Get } from '../../../model/query.ts'
import { NO_RESULTS } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import { BatchError } from './batch-error.ts'
import { checkBatchSize } from './mutation-arguments.ts'
import type { ServiceContext } from './service-context.ts'

type GetContext = Pick<ServiceContext<unknown>, 'store' | 'limits' | 'memory'>

/** Reads one result for each get, and takes their memory. Throws as getInPieces does, and BatchError where gets name unknown families. */
export async function getMany(
  context: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
): Promise<GotResults> {
  checkBatchSize(gets.length, context.limits.batchMax)
  if (gets.length === 0) return { results: NO_RESULTS, grant: new MemoryGrant(context.memory) }
  return failedByFamily(context, table, gets, call, () => getInPieces(context, table, gets, call))
}

/** For each get, true where it finds a cell. Throws as getSome does. */
export async function existMany(
  context: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
): Promise<boolean[]> {
  checkBatchSize(gets.length, context.limits.batchMax)
  const { handouts, rows } = context.store
  const exist: boolean[] = []
  // The answer carries no cells: after a read that reached its limit of bytes, read on with the remaining gets.
  while (exist.length < gets.length) {
    const asked = furtherGets(gets, exist.length)
    const results = await failedByFamily(context, table, asked, call, () =>
      rows.get(table, asked, GET_PIECE, call),
    )
    giveBack(handouts, results)
    for (const count of results.counts) exist.push(count > 0)
  }
  return exist
}

/** Runs `read`. Throws BatchError where gets name unknown families. */
async function failedByFamily<Read>(
  { store }: GetContext,
  table: TableName,
  gets: readonly Get[],
  call: Call,
  read: () => Promise<Read>,
): Promise<Read> {
  try {
    return await read()
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'NO_SUCH_COLUMN_FAMILY') throw error
    // HBase sends a batch of one get as a get.
    if (gets.length === 1) throw error
    const descriptor = await store.catalog.table(table, onOwnBehalf(call)).catch(() => undefined)
    // On a cluster the user may read a table whose families it may not see.
    if (descriptor === undefined) throw new BatchError([error])
    const failed = gets.filter(({ columns }) =>
      columns.some(({ family }) => findFamily(descriptor, family) === undefined),
    )
    throw new BatchError(failed.map(() => error))
  }
}
