/**
 * `?check=`: a put or delete on the condition that a column has a value, or an append or increment. The cell set must have one row. The
 * last cell of a put or delete is the expected value.
 */

import { giveBack } from '../../../gateway/reads/loans.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { CellType } from '../../../model/cell.ts'
import { type CellBlock, CellBlockBuilder } from '../../../model/cell-block.ts'
import { type ColumnName, splitColumn } from '../../../model/column-name.ts'
import { HBaseError } from '../../../model/errors.ts'
import {
  DEFAULT_MUTATION_OPTIONS,
  MutationBatch,
  type RowMutation,
  type RowOperation,
  valueCondition,
} from '../../../model/mutation.ts'
import { checkRow } from '../../../model/query.ts'
import { parseTableName } from '../../../model/table-name.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../model/timestamp.ts'
import type { Call } from '../../../store/call.ts'
import type { CellOfSet, CellSet } from '../../../wire/rest/cell-set.ts'
import { parseInt64 } from '../../../wire/text/int64-text.ts'
import { cellSetAnswer } from '../answers/cell-set-answer.ts'
import { appendPut } from '../decoding/put-cell.ts'
import { type Answer, OK, TEXT_TYPE } from '../http/answer.ts'
import { badRequest, plainAnswer, Refusal } from '../http/errors.ts'
import { CELL_SET_TYPES } from '../http/media-type.ts'
import type { RestRequest } from '../http/request.ts'
import { negotiateRows } from '../http/rows-type.ts'
import type { RowSpec } from '../parameters/row-spec.ts'
import type { RestService } from '../service/rest-service.ts'

interface CheckedRow {
  readonly row: Buffer
  readonly cells: readonly CellOfSet[]
}

type QualifiedColumn = ColumnName & { readonly qualifier: Buffer }

const NOT_MODIFIED: Answer = { status: 304, contentType: TEXT_TYPE }

export async function checkedUpdate(
  service: RestService,
  request: RestRequest,
  table: string,
  spec: RowSpec,
  set: CellSet,
  check: string,
): Promise<Answer> {
  const kind = check.toLowerCase()
  if (kind === 'put' || kind === 'delete') {
    const checked = checkedRow(set, spec)
    const mutation = kind === 'put' ? checkedPut(service, checked) : checkedDelete(checked, spec)
    return await mutateIfEqual(service, table, mutation, request.call)
  }
  if (kind !== 'append' && kind !== 'increment') return plainAnswer(400, `Invalid check value '${check}'`)
  const { row, cells } = checkedRow(set, spec)
  const block = kind === 'append' ? appends(row, cells, spec) : increments(row, cells, spec)
  const operation: RowOperation = { kind, cells: block }
  const name = parseTableName(table)
  const returnResults = request.query.get('rr')?.toLowerCase() === 'true'
  // Negotiate before the change: a 406 must mean that the server changed nothing.
  const form = returnResults ? negotiateRows(request.accept, CELL_SET_TYPES) : undefined
  const mutation = { row, operations: [operation], options: DEFAULT_MUTATION_OPTIONS, returnResults }
  const { rows, handouts } = service.store
  const { results } = await rows.mutateRow(name, mutation, request.call)
  try {
    return form === undefined ? OK : await cellSetAnswer(results, form)
  } finally {
    giveBack(handouts, results)
  }
}

function checkedRow(set: CellSet, spec: RowSpec): CheckedRow {
  if (set.rowCount !== 1) throw badRequest('Number of rows specified is not 1.')
  const row = set.rowKey(0) ?? spec.row
  checkRow(row)
  const cells = Array.from({ length: set.endCell(0) }, (_, index) => set.cell(index))
  return { row, cells }
}

function qualified(column: Buffer | undefined, refusal: string): QualifiedColumn {
  if (column === undefined) throw badRequest('Column found to be null.')
  const { family, qualifier } = splitColumn(column)
  if (qualifier === undefined) throw badRequest(refusal)
  return { family, qualifier }
}

function checkedPut(service: RestService, { row, cells }: CheckedRow): RowMutation {
  const expected = cells.at(-1)
  if (expected === undefined || cells.length < 2) {
    throw badRequest('Either row key is null or no data found for columns specified.')
  }
  const compared = qualified(expected.column, 'Column incorrectly specified.')
  if (compared.qualifier.length === 0) throw badRequest('Column incorrectly specified.')
  const batch = new MutationBatch()
  let isPut = false
  for (const cell of cells.slice(0, -1)) {
    appendPut(service.limits, batch, row, cell.column, cell)
    isPut ||= cell.column?.equals(expected.column!) === true
  }
  if (!isPut) throw badRequest('The column to put and check do not match.')
  return changeIfEqual(row, batch.cells.block(), compared, expected.value)
}

function checkedDelete({ row, cells }: CheckedRow, spec: RowSpec): RowMutation {
  const expected = cells.at(-1)
  if (expected === undefined) throw new Refusal(400, 'the cell set has no cell to compare with')
  const column = expected.column ?? spec.columns[0]
  if (column === undefined) throw badRequest('Column not specified for check.')
  const builder = new CellBlockBuilder()
  for (const cell of cells.slice(0, -1)) appendDelete(builder, row, cell)
  const compared = qualified(column, 'Column to check incorrectly specified.')
  if (cells.length === 1) {
    const { family, qualifier } = compared
    builder.append(row, family, qualifier, LATEST_HIGH, LATEST_LOW, CellType.DeleteColumn, EMPTY)
  }
  return changeIfEqual(row, builder.block(), compared, expected.value)
}

/** Deletes a family, or one version of a column. */
function appendDelete(builder: CellBlockBuilder, row: Buffer, cell: CellOfSet): void {
  if (cell.column === undefined) throw badRequest('Column found to be null.')
  const { family, qualifier } = splitColumn(cell.column)
  const type = qualifier === undefined ? CellType.DeleteFamily : CellType.Delete
  builder.append(row, family, qualifier ?? EMPTY, cell.timestampHigh, cell.timestampLow, type, EMPTY)
}

function changeIfEqual(
  row: Buffer,
  cells: CellBlock,
  { family, qualifier }: QualifiedColumn,
  value: Buffer,
): RowMutation {
  return {
    row,
    operations: [{ kind: 'mutate', cells }],
    condition: valueCondition(family, qualifier, 'EQUAL', value),
    options: DEFAULT_MUTATION_OPTIONS,
  }
}

async function mutateIfEqual(
  { store }: RestService,
  table: string,
  mutation: RowMutation,
  call: Call,
): Promise<Answer> {
  const { applied } = await store.rows.mutateRow(parseTableName(table), mutation, call)
  return applied ? OK : NOT_MODIFIED
}

function appends(row: Buffer, cells: readonly CellOfSet[], spec: RowSpec): CellBlock {
  return cellsToAdd(row, cells, spec, (value) => value)
}

/** The amounts are decimal text. */
function increments(row: Buffer, cells: readonly CellOfSet[], spec: RowSpec): CellBlock {
  return cellsToAdd(row, cells, spec, (value) => {
    const amount = Buffer.allocUnsafe(8)
    amount.writeBigInt64BE(parseInt64(value.toString('latin1')))
    return amount
  })
}

function cellsToAdd(
  row: Buffer,
  cells: readonly CellOfSet[],
  spec: RowSpec,
  toValue: (value: Buffer) => Buffer,
): CellBlock {
  const builder = new CellBlockBuilder()
  let unnamed = 0
  for (const cell of cells) {
    const { family, qualifier } = qualified(
      cell.column ?? spec.columns[unnamed++],
      'Column incorrectly specified.',
    )
    builder.append(row, family, qualifier, LATEST_HIGH, LATEST_LOW, CellType.Put, toValue(cell.value))
  }
  if (cells.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'No columns to change')
  return builder.block()
}
