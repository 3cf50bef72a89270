import type { Limits } from '../../../gateway/limits.ts'
import { findFamily } from '../../../model/descriptor.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Get } from '../../../model/query.ts'
import { NO_RESULTS, type Results } from '../../../model/results.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Store } from '../../../store.ts'
import { BatchError } from './batch-error.ts'
import { checkBatchSize } from './mutation-arguments.ts'

/** One result for each get. Throws BatchError where some of them name families that are not there. */
export async function getMany(
  store: Store,
  limits: Limits,
  table: TableName,
  gets: readonly Get[],
): Promise<Results> {
  checkBatchSize(gets.length, limits.batchMax)
  if (gets.length === 0) return NO_RESULTS
  try {
    return await store.get(table, gets)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'NO_SUCH_COLUMN_FAMILY') throw error
    const descriptor = await store.table(table)
    const failed = gets.filter(({ columns }) =>
      columns.some(({ family }) => findFamily(descriptor, family) === undefined),
    )
    throw new BatchError(failed.map(() => error))
  }
}
