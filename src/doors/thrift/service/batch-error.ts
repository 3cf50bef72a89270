import { giveBackMemory } from '../../../model/batch-memory.ts'
import { type ErrorCode, type HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { MutationBatch } from '../../../model/mutation.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { MutationFailure, Rows } from '../../../store/rows.ts'

/**
 * Some actions of a batch failed. HBase: RetriesExhaustedWithDetailsException.
 * QUIRK thrift1-batch-mutate-rows-b4-nof-a-x-b5-nof-a-x: HBase calls it retryable even where no action can ever succeed.
 */
export class BatchError extends Error {
  override readonly name = 'BatchError'

  constructor(failures: readonly HBaseError[]) {
    const timesOf = new Map<string, number>()
    for (const error of failures) {
      const line = error.code === 'TABLE_NOT_FOUND' ? error.message : `${error.javaClass}: ${error.message}`
      timesOf.set(line, (timesOf.get(line) ?? 0) + 1)
    }
    const causes = [...timesOf].map(([line, times]) => `${line}: ${times} time${plural(times)}, `)
    super(
      `Failed ${failures.length} action${plural(failures.length)}: ${causes.join('')}servers with issues: null`,
      { cause: failures[0] },
    )
  }

  /** Class and message, for Thrift 1. Thrift 2 answers only the message. */
  get line(): string {
    return `org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException: ${this.message}`
  }
}

function plural(count: number): string {
  return count === 1 ? '' : 's'
}

/** Applies independent mutations. Throws BatchError where some failed or the table is missing. */
export async function mutateAll(
  rows: Rows,
  table: TableName,
  batch: MutationBatch,
  call: Call,
): Promise<void> {
  if (batch.length === 0) return
  let failures: readonly HBaseError[]
  try {
    failures = (await rows.mutate(table, batch, call)).map(({ error }) => error)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'TABLE_NOT_FOUND') throw error
    failures = batch.ends.map(() => error)
  }
  if (failures.length > 0) throw new BatchError(failures)
  giveBackMemory(batch)
}

/** Applies a batch of one mutation. Throws the error of that mutation. */
export function mutateOne(rows: Rows, table: TableName, batch: MutationBatch, call: Call): Promise<void> {
  return batch.length === 0 ? Promise.resolve() : rows.mutate(table, batch, call).then(throwFirst)
}

function throwFirst([failure]: readonly MutationFailure[]): void {
  if (failure !== undefined) throw failure.error
}

/** QUIRK thrift2-mutate-unknown-family: HBase answers a refused atomic change as a batch whose actions all failed. */
export async function failingAsBatch<T>(change: Promise<T>, mutations: number): Promise<T> {
  try {
    return await change
  } catch (error) {
    const refused = isHBaseError(error) && REFUSALS.has(error.code)
    throw refused ? new BatchError(Array.from({ length: mutations }, () => error)) : error
  }
}

const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'NO_SUCH_COLUMN_FAMILY',
  'FAILED_SANITY_CHECK',
  'DO_NOT_RETRY',
])
