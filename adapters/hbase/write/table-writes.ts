import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { Condition, MutationBatch, RowMutation } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import type { MutationFailure, RowMutationOutcome } from '../../../src/store.ts'
import { runBatch } from '../batch/run-batch.ts'
import { SharedCalls } from '../batch/shared-calls.ts'
import { rowAt } from '../cells/cell-offsets.ts'
import { joinedResults, NO_CELLS, type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { GET } from '../messages/get-method.ts'
import { MULTI } from '../messages/multi-method.ts'
import { MUTATE } from '../messages/mutate-method.ts'
import { BatchMutations } from './batch-mutations.ts'
import { conditionHolds } from './condition-holds.ts'
import { type MutationStep, mutationSteps } from './mutation-steps.ts'
import { Nonces } from './nonces.ts'
import { type RowChange, rowChange } from './row-change.ts'
import { mutationOf, SHARED_MUTATIONS } from './shared-mutations.ts'

/** What concerns all of a table, or the way to it, and no single mutation. */
const FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
])

/** How a table is described: asked for where the protocol has no word for what is meant. */
export type DescribeTable = (table: TableName) => Promise<TableDescriptor>

interface ChangeOutcome {
  readonly applied: boolean
  readonly result: ResultCells
}

const DONE: ChangeOutcome = { applied: true, result: NO_CELLS }

/** Mutations and atomic changes of rows, wherever these are. */
export class TableWrites {
  readonly #cluster: Cluster
  readonly #describe: DescribeTable
  readonly #nonces = new Nonces()
  /** Puts and deletes without conditions. */
  readonly #plain = new SharedCalls(SHARED_MUTATIONS)

  constructor(cluster: Cluster, describe: DescribeTable) {
    this.#cluster = cluster
    this.#describe = describe
  }

  /** As Store.mutate. */
  async mutate(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    if (batch.length === 1) return this.#mutateOnly(table, batch)
    if (batch.length === 0) await this.#cluster.checkEnabled(table)
    const failures: MutationFailure[] = []
    const indexes: number[] = []
    const steps: (readonly MutationStep[])[] = []
    for (let index = 0; index < batch.length; index++) {
      const cells = batch.blockOf(index)
      try {
        steps.push(mutationSteps(cells) ?? (await this.#stepsByFamily(table, cells)))
        indexes.push(index)
      } catch (error) {
        failures.push({ index, error: await this.#refusal(error, table, cells) })
      }
    }
    const mutations = new BatchMutations(table, batch, indexes, steps)
    const failed = await runBatch(this.#cluster, mutations)
    const [first] = failed
    if (first !== undefined && failed.length === batch.length && FOR_ALL.has(first.error.code)) {
      throw first.error
    }
    for (const { index, error } of failed) failures.push({ index: indexes[index]!, error })
    return failures.sort((a, b) => a.index - b.index)
  }

  /** As Store.mutateRow. */
  async mutateRow(table: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    const change = await this.#change(table, mutation)
    const { applied, result } = await this.#carryOut(table, mutation, change)
    return { applied, results: joinedResults([applied ? result : NO_CELLS]) }
  }

  /** The only mutation of a batch, which is one of a row. */
  async #mutateOnly(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    const cells = batch.blockOf(0)
    const row = rowAt(cells.buffer, cells.start)
    try {
      await this.mutateRow(table, {
        row,
        operations: [{ kind: 'mutate', cells }],
        options: batch.options[0]!,
      })
      return []
    } catch (error) {
      if (!isHBaseError(error) || FOR_ALL.has(error.code)) throw error
      return [{ index: 0, error }]
    }
  }

  async #change(table: TableName, mutation: RowMutation): Promise<RowChange> {
    try {
      const change = rowChange(mutation, this.#nonces)
      return change ?? rowChange(mutation, this.#nonces, await this.#families(table))!
    } catch (error) {
      const [operation] = mutation.operations
      throw operation === undefined ? error : await this.#refusal(error, table, operation.cells)
    }
  }

  async #stepsByFamily(table: TableName, cells: CellBlock): Promise<MutationStep[]> {
    return mutationSteps(cells, await this.#families(table))!
  }

  async #families(table: TableName): Promise<readonly Buffer[]> {
    return (await this.#describe(table)).families.map(({ name }) => name)
  }

  /** In the words of a server, which names the region. Throws what concerns all of the table. */
  async #refusal(error: unknown, table: TableName, { buffer, start }: CellBlock): Promise<HBaseError> {
    if (!isHBaseError(error) || FOR_ALL.has(error.code)) throw error
    if (error.code !== 'NO_SUCH_COLUMN_FAMILY') return error
    const { retrier, locator } = this.#cluster
    const row = rowAt(buffer, start)
    const { name } = await retrier.retrying(`mutation of ${table}`, retrier.deadline(), (attempt) =>
      locator.locate(table, row, attempt),
    )
    return noSuchColumnFamily(EMPTY, name, await this.#describe(table))
  }

  #carryOut(table: TableName, mutation: RowMutation, change: RowChange): Promise<ChangeOutcome> {
    const { row, condition } = mutation
    const { length } = change.mutations
    // A server does not look at the condition of no changes.
    if (length === 0 && condition !== undefined) return this.#check(table, row, condition)
    return length === 1
      ? this.#mutateOnce(table, mutation, change)
      : this.#mutateTogether(table, mutation, change)
  }

  async #check(table: TableName, row: Buffer, condition: Condition): Promise<ChangeOutcome> {
    const { family, qualifier, timeRange = TimeRange.ALL } = condition
    const wanted = get(row, { columns: [{ family, qualifiers: [qualifier] }], timeRange })
    const { retrier } = this.#cluster
    const answer = await this.#cluster.onRegion(
      `check of ${table}`,
      table,
      row,
      retrier.deadline(),
      (connection, { name }, { timeoutMs }) =>
        connection.call(GET, { regionName: name, get: wanted }, { timeoutMs }),
    )
    const [cell] = cellsOf(new ResultCellsReader(answer.cells).next(answer.message).cells)
    return { applied: conditionHolds(condition, cell?.value), result: NO_CELLS }
  }

  async #mutateOnce(
    table: TableName,
    { row, condition }: RowMutation,
    change: RowChange,
  ): Promise<ChangeOutcome> {
    const { mutations, cells } = change
    const mutation = mutations[0]!
    const isPlain = condition === undefined && mutation.nonce === 0n
    const nonceGroup = this.#nonces.group
    return this.#cluster.onRegion(
      `mutation of ${table}`,
      table,
      row,
      this.#cluster.retrier.deadline(),
      async (connection, region, attempt) => {
        if (isPlain) {
          await this.#plain.call(connection, mutationOf(region, change), attempt)
          return DONE
        }
        const request = { regionName: region.name, mutation, condition, nonceGroup }
        const answer = await connection.call(MUTATE, request, { timeoutMs: attempt.timeoutMs, cells })
        const { processed, result } = answer.message
        return { applied: processed, result: new ResultCellsReader(answer.cells).next(result) }
      },
    )
  }

  async #mutateTogether(
    table: TableName,
    { row, condition }: RowMutation,
    { mutations, cells }: RowChange,
  ): Promise<ChangeOutcome> {
    const nonceGroup = this.#nonces.group
    return this.#cluster.onRegion(
      `mutation of ${table}`,
      table,
      row,
      this.#cluster.retrier.deadline(),
      async (connection, { name }, { timeoutMs }) => {
        const regionActions = [{ regionName: name, mutations, atomic: true, condition }]
        const answer = await connection.call(MULTI, { regionActions, nonceGroup }, { timeoutMs, cells })
        const [outcome] = answer.message
        if (outcome === undefined)
          throw new HBaseError('IO', 'A server answered nothing to a change of a row')
        const exception = outcome.exception ?? outcome.results.find((result) => result.exception)?.exception
        if (exception !== undefined) throw exception
        const reader = new ResultCellsReader(answer.cells)
        const results = outcome.results.map(({ result }) => reader.next(result))
        const withCells = results.find(({ count }) => count > 0)
        return { applied: outcome.processed, result: withCells ?? NO_CELLS }
      },
    )
  }
}
