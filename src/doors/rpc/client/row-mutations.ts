/** Mutations of one row as the store takes them. */

import { abbreviated } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, CellCursor } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import {
  type Condition,
  type MutationBatch,
  type Nonce,
  type RowMutation,
  type RowOperation,
} from '../../../model/mutation.ts'
import type { ConditionMessage } from '../messages/read-condition.ts'
import type { MutationMessage } from '../messages/read-mutation.ts'

/** Puts and deletes without a condition go to the store in batches; each of the others by itself. */
export function isPlain({ kind }: MutationMessage): boolean {
  return kind === 'put' || kind === 'delete'
}

export function appendTo(batch: MutationBatch, { cells, options }: MutationMessage): void {
  const { buffer, start, end } = cells
  const builder = batch.cells
  const at = builder.reserve(end - start)
  buffer.copy(builder.buffer, at, start, end)
  builder.length = at + end - start
  const cursor = new CellCursor(cells)
  while (cursor.next()) builder.count++
  batch.endMutation(options)
}

export interface AtomicChange {
  readonly mutations: readonly MutationMessage[]
  readonly condition?: Condition | undefined
  readonly nonceGroup: bigint
}

/** Throws DO_NOT_RETRY where a condition is of another row than what it decides. HBase: CheckAndMutate's builders. */
export function checkRowOf({ row }: ConditionMessage, mutations: readonly MutationMessage[]): void {
  for (const { row: own } of mutations) {
    if (own.equals(row)) continue
    throw new HBaseError(
      'DO_NOT_RETRY',
      `The row of the action <${abbreviated(own)}> doesn't match the original one <${abbreviated(row)}>`,
    )
  }
}

/** Throws DO_NOT_RETRY where the mutations are not of one row. */
export function rowMutation({ mutations, condition, nonceGroup }: AtomicChange): RowMutation {
  const [first] = mutations
  if (first === undefined) throw new HBaseError('DO_NOT_RETRY', 'no mutation of the row')
  const { row } = first
  for (const each of mutations) {
    if (!each.row.equals(row)) throw new HBaseError('DO_NOT_RETRY', 'the mutations are of several rows')
  }
  const nonce = nonceOf(mutations, nonceGroup)
  return {
    row,
    operations: mutations.map(operationOf),
    condition,
    options: first.options,
    ...(nonce !== undefined && { nonce }),
    returnResults: mutations.some((each) => each.returnResults && isCounting(each)),
    withTags: first.withTags,
  }
}

/** Whether the mutation has a result: of increments and appends. */
export function isCounting({ kind }: MutationMessage): boolean {
  return kind !== 'put' && kind !== 'delete'
}

export function operationOf(mutation: MutationMessage): RowOperation {
  const { kind, cells, options, timeRange, returnResults } = mutation
  if (kind === 'put' || kind === 'delete') return { kind: 'mutate', cells, options }
  return { kind, cells, options, returnResults, ...(timeRange !== undefined && { timeRange }) }
}

/** HBase sends a nonce with increments and appends; a change of several has that of any of them. */
function nonceOf(mutations: readonly MutationMessage[], group: bigint): Nonce | undefined {
  const nonce = mutations.find((each) => each.nonce !== 0n)?.nonce
  return nonce === undefined ? undefined : { group, nonce }
}

/** Throws DO_NOT_RETRY for a cell above the limit. HBase: RSRpcServices.checkCellSizeLimit. */
export function checkCellSizes({ cells }: MutationMessage, bytesMax: number): void {
  if (cells.byteLength <= bytesMax) return
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    if (cursor.cellLength <= bytesMax) continue
    throw new HBaseError(
      'DO_NOT_RETRY',
      `Cell[${cursor.cellLength + CELL_PREFIX_BYTES} bytes] with size exceeding limit of ${bytesMax} bytes`,
    )
  }
}
