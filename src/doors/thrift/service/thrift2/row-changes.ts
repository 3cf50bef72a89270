/** Thrift 2's counters, appends and atomic changes of one row. */

import { toStringBinary } from '../../../../model/bytes.ts'
import { COMPARE_OPERATORS } from '../../../../model/compare-operators.ts'
import { HBaseError } from '../../../../model/errors.ts'
import type { CompareOperator } from '../../../../model/filter.ts'
import {
  type Condition,
  MutationBatch,
  type RowOperation,
  valueCondition,
} from '../../../../model/mutation.ts'
import { checkRow } from '../../../../model/query.ts'
import type { Call } from '../../../../store/call.ts'
import { RowResults, type ThriftHandlers } from '../../contract/thrift-service.ts'
import { failingAsBatch } from '../batch-error.ts'
import { checkPuts, checkRowChanges, durabilityFromCode, mutationOptions } from '../mutation-arguments.ts'
import { required } from '../required.ts'
import { appendOperation, incrementOperation, mutateOperations } from '../row-changes.ts'
import type { ServiceContext } from '../service-context.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import { addDelete, addPut, visibilityOf } from './mutations.ts'
import type { TAppend, TDelete, TIncrement, TPut, TRowMutations } from './structs.ts'

interface CheckArguments {
  readonly table: Buffer
  readonly row: Buffer
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly value?: Buffer
}

export function thrift2RowChanges(context: ServiceContext<unknown>): ThriftHandlers {
  return { ...additions(context), ...atomicChanges(context) }
}

function additions({ store }: ServiceContext<unknown>): ThriftHandlers {
  const change = async (
    table: Buffer,
    { row, attributes, durability, returnResults, cellVisibility }: TIncrement | TAppend,
    operation: RowOperation,
    call: Call,
  ): Promise<RowResults> => {
    const { results } = await store.rows.mutateRow(
      tableNameFromBytes(table),
      {
        row,
        operations: [operation],
        options: mutationOptions(durabilityFromCode(durability), attributes, visibilityOf(cellVisibility)),
        returnResults: returnResults ?? true,
      },
      call,
    )
    return new RowResults(results, store.handouts)
  }

  return {
    increment: ({ table, tincrement }: { table: Buffer; tincrement: TIncrement }, call) => {
      checkColumns('increment', tincrement)
      const operation = incrementOperation(tincrement.row, tincrement.columns)
      return change(table, tincrement, operation, call)
    },
    append: ({ table, tappend }: { table: Buffer; tappend: TAppend }, call) => {
      checkColumns('append', tappend)
      const operation = appendOperation(tappend.row, tappend.columns)
      return change(table, tappend, operation, call)
    },
  }
}

function atomicChanges({ store, limits }: ServiceContext<unknown>): ThriftHandlers {
  const change = async (
    table: Buffer,
    row: Buffer,
    batch: MutationBatch,
    condition: Condition | undefined,
    call: Call,
  ): Promise<boolean> => {
    checkRowChanges(batch, limits)
    const mutation = { row, operations: mutateOperations(batch), options: batch.options[0]!, condition }
    const { applied } = await store.rows.mutateRow(tableNameFromBytes(table), mutation, call)
    return applied
  }
  const checkAndChange = async (
    { table, row, family, qualifier, value }: CheckArguments,
    operator: CompareOperator,
    changed: Buffer,
    batch: MutationBatch,
    call: Call,
  ): Promise<boolean> => {
    checkSameRow(row, changed)
    return change(table, row, batch, valueCondition(family, qualifier, operator, value), call)
  }

  return {
    mutateRow: async ({ table, trowMutations }: { table: Buffer; trowMutations: TRowMutations }, call) => {
      const batch = rowBatch(trowMutations)
      await failingAsBatch(change(table, trowMutations.row, batch, undefined, call), batch.length)
    },
    checkAndPut: (args: CheckArguments & { tput: TPut }, call) => {
      const batch = new MutationBatch()
      addPut(batch, args.tput)
      checkPuts(batch, limits, 'DO_NOT_RETRY')
      return checkAndChange(args, 'EQUAL', args.tput.row, batch, call)
    },
    checkAndDelete: (args: CheckArguments & { tdelete: TDelete }, call) => {
      const batch = new MutationBatch()
      addDelete(batch, args.tdelete)
      return checkAndChange(args, 'EQUAL', args.tdelete.row, batch, call)
    },
    checkAndMutate: (args: CheckArguments & { compareOp: number; rowMutations: TRowMutations }, call) => {
      const { compareOp, rowMutations } = args
      const operator = COMPARE_OPERATORS[compareOp]
      if (operator === undefined) {
        throw new HBaseError('DO_NOT_RETRY', 'a check needs an operator that compares')
      }
      // In checkAndPut and checkAndDelete, a missing value stands for a missing cell. Here it is an error.
      required(args.value, 'the value to compare with')
      const batch = rowBatch(rowMutations)
      return failingAsBatch(checkAndChange(args, operator, rowMutations.row, batch, call), batch.length)
    },
  }
}

function rowBatch({ row, mutations }: TRowMutations): MutationBatch {
  checkRow(row)
  if (mutations.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'no mutations for the row')
  const batch = new MutationBatch()
  for (const { put, deleteSingle } of mutations) {
    const change = put ?? deleteSingle
    if (change === undefined)
      throw new HBaseError('ILLEGAL_ARGUMENT', 'a mutation has neither a put nor a delete')
    if (put !== undefined) addPut(batch, put)
    else if (deleteSingle !== undefined) addDelete(batch, deleteSingle)
    if (!change.row.equals(row)) {
      throw new HBaseError(
        'REFUSED',
        `The row in the recently added Mutation <${toStringBinary(change.row)}> doesn't match the original one ` +
          `<${toStringBinary(row)}>`,
      )
    }
  }
  return batch
}

function checkSameRow(checked: Buffer, changed: Buffer): void {
  if (!checked.equals(changed)) {
    throw new HBaseError(
      'DO_NOT_RETRY',
      `The row of the action <${toStringBinary(changed)}> doesn't match the original one <${toStringBinary(checked)}>`,
    )
  }
}

function checkColumns(verb: string, { row, columns, cellVisibility }: TIncrement | TAppend): void {
  checkRow(row)
  visibilityOf(cellVisibility)
  if (columns.length === 0) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid arguments to ${verb}, no columns specified`)
  }
}
