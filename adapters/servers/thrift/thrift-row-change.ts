/** Atomic changes of one row over Thrift 2: puts and deletes, under a condition on a column or none; one increment; one append. */

import { cellsOf } from '../../../src/model/cell-block.ts'
import { COMPARE_OPERATORS } from '../../../src/model/compare-operators.ts'
import type { RowMutation } from '../../../src/model/mutation.ts'
import { EMPTY_RESULT } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RowMutationOutcome } from '../../../src/store/rows.ts'
import { type ReadResults, readResult } from '../../../src/wire/thrift/row-results-reader.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import {
  type Addition,
  checkAddition,
  checkRowMutation,
  checkTimestamps,
  comparedValue,
} from '../reach/sent-cells.ts'
import { fieldsOf, tmutations } from './mutation-structs.ts'
import { THRIFT_REACH, type ThriftCall, type ThriftServer } from './thrift-server.ts'

export async function changeRow(
  server: ThriftServer,
  table: TableName,
  mutation: RowMutation,
  call: Call,
): Promise<RowMutationOutcome> {
  const { row, operations, condition, options } = mutation
  checkRowMutation(mutation, THRIFT_REACH)
  for (const { cells } of operations) checkTimestamps(cells)
  const [first] = operations
  if (first !== undefined && first.kind !== 'mutate') {
    if (operations.length > 1)
      throw beyondProtocol(THRIFT_REACH, `an ${first.kind} with other changes of the row`)
    if (condition !== undefined) throw beyondProtocol(THRIFT_REACH, `an ${first.kind} under a condition`)
    return { applied: true, results: await added(server, table, mutation, first, call) }
  }
  const mutations = operations.flatMap((operation) => {
    if (operation.kind !== 'mutate')
      throw beyondProtocol(THRIFT_REACH, `an ${operation.kind} with other changes of the row`)
    return tmutations(operation.cells, operation.options ?? options)
  })
  if (mutations.length === 0) throw beyondProtocol(THRIFT_REACH, 'a condition without a change')
  const changes = { row, mutations }
  const operation = `change of ${table}`
  if (condition === undefined) {
    const args = { table: Buffer.from(table), trowMutations: changes }
    await server.ask({ operation, method: 'mutateRow', args }, call)
    return { applied: true, results: EMPTY_RESULT }
  }
  const args = { table: Buffer.from(table), row, rowMutations: changes, ...comparison(condition) }
  const asked: ThriftCall = { operation, method: 'checkAndMutate', args, isRepeatable: false }
  return { applied: await server.ask<boolean>(asked, call), results: EMPTY_RESULT }
}

function comparison(condition: NonNullable<RowMutation['condition']>): Readonly<Record<string, unknown>> {
  if (condition.kind === 'filter') throw beyondProtocol(THRIFT_REACH, 'a condition by a filter')
  if (condition.timeRange !== undefined) throw beyondProtocol(THRIFT_REACH, 'a condition on a time range')
  const { family, qualifier, operator } = condition
  const compareOp = COMPARE_OPERATORS.indexOf(operator)
  if (compareOp < 0) throw beyondProtocol(THRIFT_REACH, `a condition by ${operator}`)
  return { family, qualifier, compareOp, value: comparedValue(condition, THRIFT_REACH) }
}

async function added(
  server: ThriftServer,
  table: TableName,
  { row, options, returnResults }: RowMutation,
  operation: Addition,
  call: Call,
): Promise<ReadResults> {
  const { kind } = operation
  checkAddition(operation, THRIFT_REACH)
  const isAnswered = returnResults !== false && operation.returnResults !== false
  const change = {
    row,
    columns: cellsOf(operation.cells).map(({ family, qualifier, value }) =>
      kind === 'append'
        ? { family, qualifier, value }
        : { family, qualifier, amount: value.readBigInt64BE() },
    ),
    ...fieldsOf(operation.options ?? options),
    returnResults: isAnswered,
  }
  const name = Buffer.from(table)
  const args = kind === 'append' ? { table: name, tappend: change } : { table: name, tincrement: change }
  const asked: ThriftCall = {
    operation: `${kind} of ${table}`,
    method: kind,
    args,
    readResult,
    isRepeatable: false,
  }
  const results = await server.ask<ReadResults | undefined>(asked, call)
  return results === undefined || !isAnswered ? EMPTY_RESULT : results
}
