/** The operations of one part of an atomic change, as the cells that are stored together. */

import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { cellBytesMaxOf } from '../../../src/model/cell-size-limit.ts'
import type { MutationOptions, RowPart } from '../../../src/model/mutation.ts'
import { atOnce, type Steps } from '../../../src/model/steps.ts'
import { timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import type { Region } from '../region/region.ts'
import { STEP_COST } from './change-cost.ts'
import type { LargeChange } from './large-change.ts'
import type { MutationPreparer } from './mutation-preparer.ts'
import { type DeltaContext, deltasInSteps } from './row-deltas.ts'

export interface OperationsContext {
  readonly region: Region
  readonly now: number
  /** See RowMutation.withTags. */
  readonly withTags?: boolean | undefined
  /** The largest cell of tables that state none, in bytes. */
  readonly cellBytesMax: number
  readonly changeBytesMax: number
  /** See MutationPreparer.prepare. */
  readonly putTime?: readonly [number, number] | undefined
  /** The cost of one step. */
  readonly stepCost?: number
  readonly large: LargeChange
}

/** Appends the new cells of increments and appends to `results` too, where there are any. Throws as MutationPreparer.prepare and deltasInSteps. */
export function prepareOperations(
  { row, operations, options: ofPart }: RowPart,
  context: OperationsContext,
  preparer: MutationPreparer,
  results: CellBlockBuilder | undefined,
): void {
  for (const operation of operations) {
    const options = operation.options ?? ofPart
    if (operation.kind === 'mutate')
      preparer.prepare(context.region, operation.cells, options, context.putTime)
    else atOnce(deltasInSteps(operation, deltaContext(row, options, context), preparer.cells, results))
  }
}

/** As prepareOperations of each part, in steps between which nothing must change the rows. */
export function* partsInSteps(
  parts: readonly RowPart[],
  context: OperationsContext,
  preparer: MutationPreparer,
  results: CellBlockBuilder | undefined,
): Steps<void> {
  for (const part of parts) {
    yield* operationsInSteps(part, context, preparer, results)
    yield
  }
}

function* operationsInSteps(
  { row, operations, options: ofPart }: RowPart,
  context: OperationsContext,
  preparer: MutationPreparer,
  results: CellBlockBuilder | undefined,
): Steps<void> {
  const { stepCost = STEP_COST } = context
  for (const operation of operations) {
    const options = operation.options ?? ofPart
    if (operation.kind === 'mutate')
      yield* preparer.prepareInSteps(context.region, operation.cells, options, context.putTime, stepCost)
    else yield* deltasInSteps(operation, deltaContext(row, options, context), preparer.cells, results)
  }
}

/** Timestamp for puts of the present time that replace a cell from the future; undefined: they have the present time. */
export function putTimeAfter(timestamp: bigint | undefined, now: number): OperationsContext['putTime'] {
  if (timestamp === undefined || timestamp <= BigInt(now)) return undefined
  return [timestampHigh(timestamp), timestampLow(timestamp)]
}

function deltaContext(row: Buffer, options: MutationOptions, context: OperationsContext): DeltaContext {
  const { region, now, withTags, changeBytesMax, stepCost = STEP_COST, large } = context
  const cellBytesMax = cellBytesMaxOf(region.table, context.cellBytesMax)
  return { region, row, options, now, withTags, cellBytesMax, changeBytesMax, stepCost, large }
}
