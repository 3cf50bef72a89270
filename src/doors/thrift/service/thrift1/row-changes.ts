/** Thrift 1's counters, append and checkAndPut. */

import { EMPTY } from '../../../../model/bytes.ts'
import { splitColumn } from '../../../../model/column-name.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch, valueCondition } from '../../../../model/mutation.ts'
import { checkRow } from '../../../../model/query.ts'
import type { Results } from '../../../../model/results.ts'
import { type Call, toTheEnd } from '../../../../store/call.ts'
import { RowResults, type ThriftHandlers } from '../../contract/thrift-service.ts'
import { parseWholeColumn } from '../column-argument.ts'
import {
  type AttributeMap,
  checkBatchSize,
  checkPuts,
  durabilityFromWal,
  mutationOptions,
} from '../mutation-arguments.ts'
import { required } from '../required.ts'
import { appendOperation, counterValue, incrementOperation, mutateOperations } from '../row-changes.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import type { Thrift1Context } from './thrift1-context.ts'

interface AtomicIncrementArguments {
  readonly tableName?: Buffer
  readonly row?: Buffer
  readonly column?: Buffer
  readonly value: bigint
}
interface TIncrement {
  readonly table?: Buffer
  readonly row?: Buffer
  readonly column?: Buffer
  readonly ammount: bigint
}
interface TAppend {
  readonly table?: Buffer
  readonly row?: Buffer
  readonly columns?: readonly Buffer[]
  readonly values?: readonly Buffer[]
}
interface CheckAndPutArguments {
  readonly tableName?: Buffer
  readonly row?: Buffer
  readonly column?: Buffer
  readonly value?: Buffer
  readonly mput?: { readonly column?: Buffer; readonly value?: Buffer; readonly writeToWAL: boolean }
  readonly attributes?: AttributeMap
}

export function thrift1RowChanges(context: Thrift1Context): ThriftHandlers {
  return { ...counters(context), ...suffixesAndChecks(context) }
}

function counters({ store, limits }: Thrift1Context): ThriftHandlers {
  const incrementColumn = async (
    table: Buffer | undefined,
    row: Buffer,
    column: { readonly family: Buffer; readonly qualifier: Buffer },
    amount: bigint,
    call: Call,
  ): Promise<Results> => {
    checkRow(row)
    const operation = incrementOperation(row, [{ ...column, amount }])
    const { results } = await store.rows.mutateRow(
      tableNameFromBytes(table),
      { row, operations: [operation], options: DEFAULT_MUTATION_OPTIONS },
      call,
    )
    return results
  }
  const increment = ({ table, row, column, ammount }: TIncrement, call: Call) =>
    incrementColumn(table, required(row, 'the row'), parseWholeColumn(column), ammount, call)

  return {
    /** QUIRK thrift1-incrementing-atomic-increment-c-f-5: HBase takes a bare family as its column of no name. */
    atomicIncrement: async ({ tableName, row, column, value }: AtomicIncrementArguments, call) => {
      const { family, qualifier } = splitColumn(required(column, 'the column'))
      const cells = await incrementColumn(
        tableName,
        required(row, 'the row'),
        { family, qualifier: qualifier ?? EMPTY },
        value,
        call,
      )
      return counterValue(cells)
    },
    increment: async ({ increment: one }: { readonly increment?: TIncrement }, call) => {
      await increment(required(one, 'the increment'), call)
    },
    incrementRows: async (args: { readonly increments?: readonly TIncrement[] }, call) => {
      const increments = required(args.increments, 'the list of increments')
      checkBatchSize(increments.length, limits.batchMax)
      const all = toTheEnd(call)
      for (const one of increments) await increment(one, all)
    },
  }
}

function suffixesAndChecks({ store, limits }: Thrift1Context): ThriftHandlers {
  return {
    append: async (args: { readonly append?: TAppend }, call) => {
      const { table, row: stated, ...lists } = required(args.append, 'the append')
      const row = required(stated, 'the row')
      const columns = required(lists.columns, 'the list of columns')
      const values = required(lists.values, 'the list of values')
      checkRow(row)
      if (columns.length !== values.length) {
        throw new HBaseError(
          'ILLEGAL_ARGUMENT',
          'Sizes of columns and values in tappend object are not matching',
        )
      }
      if (columns.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'nothing to append')
      const suffixes = columns.map((column, index) => ({
        ...parseWholeColumn(column),
        value: values[index]!,
      }))
      const operation = appendOperation(row, suffixes)
      const { results } = await store.rows.mutateRow(
        tableNameFromBytes(table),
        { row, operations: [operation], options: DEFAULT_MUTATION_OPTIONS },
        call,
      )
      return new RowResults(results, store.handouts)
    },

    checkAndPut: async (
      { tableName, row: stated, column, value, mput: mutation, attributes }: CheckAndPutArguments,
      call,
    ) => {
      const row = required(stated, 'the row')
      const mput = required(mutation, 'the put')
      const put = parseWholeColumn(mput.column)
      if (put.family.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'Family cannot be null')
      const options = mutationOptions(durabilityFromWal(mput.writeToWAL), attributes)
      const batch = new MutationBatch().put(row, put.family, put.qualifier, mput.value ?? EMPTY)
      batch.endMutation(options)
      checkPuts(batch, limits, 'ILLEGAL_ARGUMENT')
      const table = tableNameFromBytes(tableName)
      const { family, qualifier } = parseWholeColumn(column)
      const change = {
        row,
        operations: mutateOperations(batch),
        condition: valueCondition(family, qualifier, 'EQUAL', value),
        options,
      }
      const { applied } = await store.rows.mutateRow(table, change, call)
      return applied
    },
  }
}
