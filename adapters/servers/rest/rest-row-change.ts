/** Atomic changes of one row over REST: puts, or deletes of versions and families, each under one condition or none; increments; appends. */

import { type CellParts, CellType } from '../../../src/model/cell.ts'
import { blockOf, type CellBlock, cellsOf } from '../../../src/model/cell-block.ts'
import type { RowMutation } from '../../../src/model/mutation.ts'
import { type Columns, ColumnsBuilder, type Get, get } from '../../../src/model/query.ts'
import { EMPTY_RESULT, type Results } from '../../../src/model/results.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { LATEST_TIMESTAMP } from '../../../src/model/timestamp.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RowMutationOutcome } from '../../../src/store/rows.ts'
import { decodeAnsweredCells } from '../../../src/wire/rest/cells-of-set.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import {
  type Addition,
  checkAddition,
  checkRowMutation,
  checkTimestamps,
  comparedValue,
} from '../reach/sent-cells.ts'
import { cellSet } from './cell-set-body.ts'
import { tablePath } from './key-paths.ts'
import { deleteCells } from './rest-deletes.ts'
import { REST_REACH, type RestServer } from './rest-server.ts'
import { checkOptions, type RestWrites } from './rest-writes.ts'

export async function changeRow(
  server: RestServer,
  writes: RestWrites,
  table: TableName,
  mutation: RowMutation,
  read: (get: Get) => Promise<Results>,
  call: Call,
): Promise<RowMutationOutcome> {
  const { operations, condition, options } = mutation
  checkRowMutation(mutation, REST_REACH)
  for (const { cells } of operations) checkTimestamps(cells)
  for (const operation of operations) checkOptions(operation.options ?? options)
  const [operation] = operations
  if (operation === undefined) throw beyondProtocol(REST_REACH, 'a condition without a change')
  if (operations.length > 1) throw beyondProtocol(REST_REACH, 'several changes of a row at once')
  if (operation.kind !== 'mutate') {
    if (condition !== undefined) throw beyondProtocol(REST_REACH, `an ${operation.kind} under a condition`)
    return { applied: true, results: await added(server, table, mutation, operation, read, call) }
  }
  const cells = cellsOf(operation.cells)
  const isOfPuts = cells.every(({ type }) => type === CellType.Put)
  if (!isOfPuts && cells.some(({ type }) => type === CellType.Put))
    throw beyondProtocol(REST_REACH, 'puts and deletes of a row at once')
  if (condition !== undefined) {
    const compared = comparedCell(mutation.row, condition, cells)
    checkIsConditional(cells, compared, isOfPuts)
    const body = cellSet([blockOf([...cells, compared])])
    const applied = await writes.send(table, isOfPuts ? '?check=put' : '?check=delete', body, call)
    return { applied, results: EMPTY_RESULT }
  }
  if (isOfPuts) await writes.put(table, [operation.cells], call)
  else {
    if (new Set(cells.map(({ timestamp }) => timestamp)).size > 1)
      throw beyondProtocol(REST_REACH, 'deletes of several timestamps of a row at once')
    await deleteCells(writes, table, operation.cells, call)
  }
  return { applied: true, results: EMPTY_RESULT }
}

/** The cell with the compared value, which goes after the others. Throws UNSUPPORTED for other comparisons. */
function comparedCell(
  row: Buffer,
  condition: NonNullable<RowMutation['condition']>,
  cells: readonly CellParts[],
): CellParts {
  if (condition.kind === 'filter') throw beyondProtocol(REST_REACH, 'a condition by a filter')
  if (condition.timeRange !== undefined) throw beyondProtocol(REST_REACH, 'a condition on a time range')
  const { family, qualifier, operator } = condition
  if (operator !== 'EQUAL') throw beyondProtocol(REST_REACH, `a condition by ${operator}`)
  if (cells.length === 0) throw beyondProtocol(REST_REACH, 'a condition without a change')
  const value = comparedValue(condition, REST_REACH)
  return { row, family, qualifier, timestamp: LATEST_TIMESTAMP, type: CellType.Put, value }
}

function checkIsConditional(cells: readonly CellParts[], compared: CellParts, isOfPuts: boolean): void {
  if (isOfPuts) {
    const isPut = cells.some(
      ({ family, qualifier }) => family.equals(compared.family) && qualifier.equals(compared.qualifier),
    )
    if (!isPut || compared.qualifier.length === 0)
      throw beyondProtocol(REST_REACH, 'a put under a condition on another column than it puts')
  } else if (cells.some(({ type }) => type !== CellType.Delete && type !== CellType.DeleteFamily))
    throw beyondProtocol(REST_REACH, 'a delete of all versions of a column under a condition')
  else if (cells.some(({ family }) => family.length === 0))
    throw beyondProtocol(REST_REACH, 'a delete of a row under a condition')
}

async function added(
  server: RestServer,
  table: TableName,
  { row, returnResults }: RowMutation,
  operation: Addition,
  read: (get: Get) => Promise<Results>,
  call: Call,
): Promise<Results> {
  checkAddition(operation, REST_REACH)
  const cells = cellsOf(operation.cells)
  const sent = operation.kind === 'append' ? cells : cells.map(withAmountInDigits)
  const isAnswered = returnResults !== false && operation.returnResults !== false
  const path = `${tablePath(table)}/rows?check=${operation.kind}&rr=${isAnswered}`
  const body = cellSet([blockOf(sent)])
  const asked = {
    operation: `${operation.kind} of ${table}`,
    method: 'PUT',
    path,
    body,
    isRepeatable: false,
  } as const
  const answer = await server.ask(asked, call)
  if (!isAnswered || answer.body.length === 0) return EMPTY_RESULT
  const { cells: block, counts } = decodeAnsweredCells(answer.body)
  if (isEcho(block, sent)) return read(get(row, { columns: columnsOf(cells) }))
  return { cells: block, counts: counts.length === 0 ? [0] : counts }
}

/** True where the answer repeats the cells of the request, without timestamps, as HBase's own server does for an increment. The sums must then be read. */
function isEcho(block: CellBlock, sent: readonly CellParts[]): boolean {
  return cellsOf(block).some(
    ({ timestamp, value }, i) => timestamp === LATEST_TIMESTAMP && sent[i]?.value.equals(value) === true,
  )
}

function columnsOf(cells: readonly CellParts[]): Columns {
  const builder = new ColumnsBuilder()
  for (const { family, qualifier } of cells) builder.addColumn(family, qualifier)
  return builder.build()
}

/** The cell with its amount in decimal digits, as REST wants it. */
function withAmountInDigits(cell: CellParts): CellParts {
  return { ...cell, value: Buffer.from(cell.value.readBigInt64BE().toString()) }
}
