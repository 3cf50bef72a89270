/** Turns a client's mutations into batches and changes of rows for the store. */

import { abbreviated, readInt32 } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, type CellBlock, type CellBlockBuilder } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import {
  type Condition,
  MutationBatch,
  type RowMutation,
  type RowOperation,
} from '../../../model/mutation.ts'
import { atOnce, type Steps } from '../../../model/steps.ts'
import type { ConditionMessage } from '../messages/read-condition.ts'
import { type MutationMessage, operationOf } from '../messages/read-mutation.ts'

/** True for puts and deletes: without a condition, they go to the store in batches. Other mutations go one by one. */
export function isPlain({ kind }: MutationMessage): boolean {
  return kind === 'put' || kind === 'delete'
}

/**
 * The mutations as a batch. If their cells are adjacent in the request, as a client with a codec sends them, the batch is a view of them.
 * Copying each mutation took a sixth of a call of a hundred puts.
 */
export function batchOf(mutations: readonly MutationMessage[]): MutationBatch {
  const inPlace = cellsInPlace(mutations)
  const batch = new MutationBatch(inPlace ?? bytesOf(mutations))
  const builder = batch.cells
  for (const { cells, options } of mutations) {
    if (inPlace === undefined) copyTo(builder, cells)
    else builder.length += cells.byteLength
    builder.count += countOf(cells)
    batch.endMutation(options)
  }
  return batch
}

/** The cells of all mutations as one view of the request; undefined where they are not adjacent. */
function cellsInPlace(mutations: readonly MutationMessage[]): Buffer | undefined {
  const first = mutations[0]?.cells
  if (first === undefined) return undefined
  const { buffer, start } = first
  let end = start
  for (const { cells } of mutations) {
    if (cells.buffer !== buffer || cells.start !== end) return undefined
    end = cells.end
  }
  return buffer.subarray(start, end)
}

function bytesOf(mutations: readonly MutationMessage[]): number {
  let bytes = 0
  for (const { cells } of mutations) bytes += cells.byteLength
  return bytes
}

function copyTo(builder: CellBlockBuilder, { buffer, start, end }: CellBlock): void {
  const at = builder.reserve(end - start)
  buffer.copy(builder.buffer, at, start, end)
  builder.length = at + end - start
}

function countOf({ buffer, start, end }: CellBlock): number {
  let count = 0
  for (let at = start; at < end; at += CELL_PREFIX_BYTES + readInt32(buffer, at)) count++
  return count
}

/** Mutations that one step puts together. */
const STEP_MUTATIONS = 256

export interface AtomicChange {
  readonly mutations: readonly MutationMessage[]
  readonly condition?: Condition | undefined
  readonly nonceGroup: bigint
}

/** Throws DO_NOT_RETRY where a condition and the mutations under it are of different rows. HBase: CheckAndMutate's builders. */
export function checkRowOf({ row }: ConditionMessage, mutations: readonly MutationMessage[]): void {
  for (const { row: own } of mutations) {
    if (own.equals(row)) continue
    throw new HBaseError(
      'DO_NOT_RETRY',
      `The row of the action <${abbreviated(own)}> doesn't match the original one <${abbreviated(row)}>`,
    )
  }
}

/** Makes one change of the mutations. Throws DO_NOT_RETRY where they are of different rows. */
export function rowMutation(change: AtomicChange): RowMutation {
  return atOnce(rowMutationInSteps(change))
}

/** The same as rowMutation in steps, for very many mutations. */
export function* rowMutationInSteps({
  mutations,
  condition,
  nonceGroup: group,
}: AtomicChange): Steps<RowMutation> {
  const [first] = mutations
  if (first === undefined) throw new HBaseError('DO_NOT_RETRY', 'no mutation of the row')
  const { row } = first
  // HBase's clients send a nonce with increments and appends. The first one found is that of the whole change.
  let nonce: bigint | undefined
  let returnResults = false
  const operations: RowOperation[] = []
  for (const each of mutations) {
    if (!each.row.equals(row)) throw new HBaseError('DO_NOT_RETRY', 'the mutations are of several rows')
    if (each.nonce !== 0n) nonce ??= each.nonce
    returnResults ||= each.returnResults && isCounting(each)
    operations.push(operationOf(each))
    if (operations.length % STEP_MUTATIONS === 0) yield
  }
  return {
    row,
    operations,
    condition,
    options: first.options,
    ...(nonce !== undefined && { nonce: { group, nonce } }),
    returnResults,
    withTags: first.withTags,
  }
}

/** True for increments and appends, which have a result. */
export function isCounting({ kind }: MutationMessage): boolean {
  return kind !== 'put' && kind !== 'delete'
}
