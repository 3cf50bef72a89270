import { EMPTY } from '../../../src/model/bytes.ts'
import { type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type {
  Condition,
  MutationBatch,
  RowMutation,
  RowPart,
  RowsMutation,
} from '../../../src/model/mutation.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { conditionGet, conditionHolds } from '../../../src/query/condition.ts'
import { type Call, onOwnBehalf } from '../../../src/store/call.ts'
import type { MutationFailure, RowMutationOutcome } from '../../../src/store/rows.ts'
import { type Target, targetTable } from '../../../src/store/target.ts'
import { runBatch } from '../batch/run-batch.ts'
import { SharedCalls } from '../batch/shared-calls.ts'
import { rowAt } from '../cells/cell-offsets.ts'
import { joinedResults, NO_CELLS, type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import type { Cluster, RowRequest } from '../cluster/cluster.ts'
import { GET } from '../messages/get-method.ts'
import { MULTI } from '../messages/multi-method.ts'
import { MUTATE } from '../messages/mutate-method.ts'
import { JAVA_CLASS } from '../retry/java-exceptions.ts'
import { BatchMutations } from './batch-mutations.ts'
import { type MutationStep, mutationSteps } from './mutation-steps.ts'
import { Nonces } from './nonces.ts'
import { type RowChange, rowChange } from './row-change.ts'
import { mutateRows } from './rows-writes.ts'
import { regionMutation, SHARED_MUTATIONS } from './shared-mutations.ts'

/** Codes of failures of the table or of the connection, not of a single mutation. */
const FOR_ALL: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'NOT_SERVING_REGION',
  'REGION_TOO_BUSY',
  'UNAVAILABLE',
  'TIMEOUT',
  'THROTTLED',
  'OVERLOADED',
  'CALLER_GONE',
])

/** True where a failure concerns all mutations. A row outside the named region is a fault of its own mutation. */
function isForAll({ code, javaClass }: HBaseError): boolean {
  return FOR_ALL.has(code) && javaClass !== JAVA_CLASS.wrongRegion
}

/** Reads a table's descriptor, for mutations that depend on the families. */
export type DescribeTable = (table: TableName, call: Call) => Promise<TableDescriptor>

interface ChangeOutcome {
  readonly applied: boolean
  readonly result: ResultCells
}

const DONE: ChangeOutcome = { applied: true, result: NO_CELLS }

/** Mutations and atomic changes of rows. */
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

  /** As Rows.mutate. */
  async mutate(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    if (batch.length === 1) return this.#mutateOnly(target, batch, call)
    if (batch.length === 0) await this.#cluster.checkEnabled(target, call)
    const failures: MutationFailure[] = []
    const indexes: number[] = []
    const steps: (readonly MutationStep[])[] = []
    for (let index = 0; index < batch.length; index++) {
      const cells = batch.blockOf(index)
      try {
        steps.push(mutationSteps(cells) ?? (await this.#stepsByFamily(target, cells, call)))
        indexes.push(index)
      } catch (error) {
        failures.push({ index, error: await this.#refusal(error, target, cells, call) })
      }
    }
    const mutations = new BatchMutations(target, batch, indexes, steps)
    const failed = await runBatch(this.#cluster, mutations, call)
    const [first] = failed
    if (first !== undefined && failed.length === batch.length && isForAll(first.error)) {
      throw first.error
    }
    for (const { index, error } of failed) failures.push({ index: indexes[index]!, error })
    return failures.sort((a, b) => a.index - b.index)
  }

  /** As Rows.mutateRow. */
  async mutateRow(target: Target, mutation: RowMutation, call: Call): Promise<RowMutationOutcome> {
    const change = await this.#change(target, mutation, call)
    const { applied, result } = await this.#carryOut(target, mutation, change, call)
    const isAnswered = applied && mutation.returnResults !== false
    return { applied, results: joinedResults([isAnswered ? result : NO_CELLS]) }
  }

  /** As Rows.mutateRows. */
  mutateRows(target: Target, mutation: RowsMutation, call: Call): Promise<boolean> {
    const changeOf = (part: RowPart): Promise<RowChange> => this.#change(target, part, call)
    return mutateRows(this.#cluster, target, mutation, call, this.#nonces, changeOf)
  }

  /** A batch of one mutation is sent as a change of its row. */
  async #mutateOnly(target: Target, batch: MutationBatch, call: Call): Promise<readonly MutationFailure[]> {
    const cells = batch.blockOf(0)
    const row = rowAt(cells.buffer, cells.start)
    try {
      await this.mutateRow(
        target,
        { row, operations: [{ kind: 'mutate', cells }], options: batch.options[0]! },
        call,
      )
      return []
    } catch (error) {
      if (!isHBaseError(error) || isForAll(error)) throw error
      return [{ index: 0, error }]
    }
  }

  async #change(target: Target, mutation: RowMutation, call: Call): Promise<RowChange> {
    try {
      const change = rowChange(mutation, this.#nonces)
      return change ?? rowChange(mutation, this.#nonces, await this.#families(target, call))!
    } catch (error) {
      const [operation] = mutation.operations
      throw operation === undefined ? error : await this.#refusal(error, target, operation.cells, call)
    }
  }

  async #stepsByFamily(target: Target, cells: CellBlock, call: Call): Promise<MutationStep[]> {
    return mutationSteps(cells, await this.#families(target, call))!
  }

  async #families(target: Target, call: Call): Promise<readonly Buffer[]> {
    const { families } = await this.#describe(targetTable(target), onOwnBehalf(call))
    return families.map(({ name }) => name)
  }

  /** The refusal in the server's wording, with the region's name. Throws failures of the whole table. */
  async #refusal(
    error: unknown,
    target: Target,
    { buffer, start }: CellBlock,
    call: Call,
  ): Promise<HBaseError> {
    if (!isHBaseError(error) || isForAll(error)) throw error
    if (error.code !== 'NO_SUCH_COLUMN_FAMILY') return error
    const { retrier, targets } = this.#cluster
    const row = rowAt(buffer, start)
    const table = targetTable(target)
    const { name } = await retrier.retrying(`mutation of ${table}`, call, (attempt) =>
      targets.locate(target, row, 'batchMutate', attempt),
    )
    try {
      return noSuchColumnFamily(EMPTY, name, await this.#describe(table, call))
    } catch (failure) {
      // The server's wording would show the table's families to a user who may not read the descriptor.
      if (isHBaseError(failure) && failure.code === 'ACCESS_DENIED') return error
      throw failure
    }
  }

  #carryOut(target: Target, mutation: RowMutation, change: RowChange, call: Call): Promise<ChangeOutcome> {
    const { row, condition } = mutation
    const { length } = change.mutations
    // A server ignores the condition of a change without mutations: check it here.
    if (length === 0 && condition !== undefined) return this.#check(target, row, condition, call)
    return length === 1
      ? this.#mutateOnce(target, mutation, change, call)
      : this.#mutateTogether(target, mutation, change, call)
  }

  async #check(target: Target, row: Buffer, condition: Condition, call: Call): Promise<ChangeOutcome> {
    const get = conditionGet(row, condition)
    const operation = `check of ${targetTable(target)}`
    const answer = await this.#cluster.onRegion(
      { operation, rowOperation: 'doCheckAndRowMutate', target, row, call },
      (connection, { name }, attempt) => connection.call(GET, { regionName: name, get }, attempt),
    )
    const [cell] = cellsOf(new ResultCellsReader(answer.cells).next(answer.message).cells)
    return { applied: conditionHolds(condition, cell), result: NO_CELLS }
  }

  async #mutateOnce(
    target: Target,
    mutation: RowMutation,
    change: RowChange,
    call: Call,
  ): Promise<ChangeOutcome> {
    const { mutations, cells, nonceGroup } = change
    const { condition } = mutation
    const only = mutations[0]!
    const isPlain = condition === undefined && only.nonce === 0n
    return this.#cluster.onRegion(rowRequest(target, mutation, call), async (connection, region, attempt) => {
      if (isPlain) {
        await this.#plain.call(connection, regionMutation(region, change), attempt)
        return DONE
      }
      const request = { regionName: region.name, mutation: only, condition, nonceGroup }
      const answer = await connection.call(MUTATE, request, { ...attempt, cells })
      const { processed, result } = answer.message
      return { applied: processed, result: new ResultCellsReader(answer.cells).next(result) }
    })
  }

  async #mutateTogether(
    target: Target,
    mutation: RowMutation,
    { mutations, cells, nonceGroup }: RowChange,
    call: Call,
  ): Promise<ChangeOutcome> {
    const { condition } = mutation
    return this.#cluster.onRegion(
      rowRequest(target, mutation, call),
      async (connection, { name }, attempt) => {
        const regionActions = [{ regionName: name, mutations, atomic: true, condition }]
        const request = { regionActions, nonceGroup }
        const answer = await connection.call(MULTI, request, { ...attempt, cells })
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

function rowRequest(target: Target, { row, condition }: RowMutation, call: Call): RowRequest {
  return {
    operation: `mutation of ${targetTable(target)}`,
    rowOperation: condition === undefined ? 'batchMutate' : 'doCheckAndRowMutate',
    target,
    row,
    call,
  }
}
