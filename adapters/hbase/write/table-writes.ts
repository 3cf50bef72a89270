import type { ErrorCode } from '../../../src/model/errors.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch, RowMutation } from '../../../src/model/mutation.ts'
import { NO_RESULTS } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { MutationFailure, RowMutationOutcome } from '../../../src/store.ts'
import { runBatch } from '../batch/run-batch.ts'
import { joinedResults, NO_CELLS, type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import type { Cluster } from '../locate/cluster.ts'
import { MULTI } from '../messages/multi-method.ts'
import { MUTATE } from '../messages/mutate-method.ts'
import { BatchMutations } from './batch-mutations.ts'
import { type MutationStep, mutationSteps } from './mutation-steps.ts'
import { Nonces } from './nonces.ts'
import { type RowChange, rowChange } from './row-change.ts'

/** What concerns all of a table, or the way to it, and no single mutation. */
const FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
])

export type FamiliesOf = (table: TableName) => Promise<readonly Buffer[]>

/** Mutations and atomic changes of rows, wherever these are. */
export class TableWrites {
  readonly #cluster: Cluster
  readonly #familiesOf: FamiliesOf
  readonly #nonces = new Nonces()

  constructor(cluster: Cluster, familiesOf: FamiliesOf) {
    this.#cluster = cluster
    this.#familiesOf = familiesOf
  }

  /** As Store.mutate. */
  async mutate(table: TableName, batch: MutationBatch): Promise<readonly MutationFailure[]> {
    const failures: MutationFailure[] = []
    const indexes: number[] = []
    const steps: (readonly MutationStep[])[] = []
    let families: readonly Buffer[] | undefined
    for (let index = 0; index < batch.length; index++) {
      const block = batch.blockOf(index)
      try {
        const known = mutationSteps(block, families)
        if (known === undefined) families = await this.#familiesOf(table)
        steps.push(known ?? mutationSteps(block, families)!)
        indexes.push(index)
      } catch (error) {
        if (!isHBaseError(error) || FOR_ALL.has(error.code)) throw error
        failures.push({ index, error })
      }
    }
    const mutations = new BatchMutations(table, batch, indexes, steps)
    const failed = await runBatch(this.#cluster, mutations)
    const [first] = failed
    if (first !== undefined && failed.length === mutations.length && FOR_ALL.has(first.error.code)) {
      throw first.error
    }
    for (const { index, error } of failed) failures.push({ index: indexes[index]!, error })
    return failures.sort((a, b) => a.index - b.index)
  }

  /** As Store.mutateRow. */
  async mutateRow(table: TableName, mutation: RowMutation): Promise<RowMutationOutcome> {
    const change =
      rowChange(mutation, this.#nonces) ?? rowChange(mutation, this.#nonces, await this.#familiesOf(table))
    if (change === undefined) throw new HBaseError('IO', `${table} has no families`)
    if (change.mutations.length === 0) return { applied: true, results: { ...NO_RESULTS, counts: [0] } }
    const { applied, result } =
      change.mutations.length === 1
        ? await this.#mutateOnce(table, mutation, change)
        : await this.#mutateTogether(table, mutation, change)
    return { applied, results: joinedResults([applied ? result : NO_CELLS]) }
  }

  async #mutateOnce(
    table: TableName,
    { row, condition }: RowMutation,
    { mutations, cells }: RowChange,
  ): Promise<{ applied: boolean; result: ResultCells }> {
    const nonceGroup = this.#nonces.group
    const answer = await this.#cluster.onRegion(
      `mutation of ${table}`,
      table,
      row,
      this.#cluster.retrier.deadline(),
      (connection, { name }, { timeoutMs }) =>
        connection.call(
          MUTATE,
          { regionName: name, mutation: mutations[0]!, condition, nonceGroup },
          { timeoutMs, cells },
        ),
    )
    const { processed, result } = answer.message
    return { applied: processed, result: new ResultCellsReader(answer.cells).next(result) }
  }

  async #mutateTogether(
    table: TableName,
    { row, condition }: RowMutation,
    { mutations, cells }: RowChange,
  ): Promise<{ applied: boolean; result: ResultCells }> {
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
