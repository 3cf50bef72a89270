/** The operations of one part of an atomic change, as the cells that are stored together. */

import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { cellBytesMaxOf } from '../../../src/model/cell-size-limit.ts'
import type { RowPart } from '../../../src/model/mutation.ts'
import type { Region } from '../region/region.ts'
import type { MutationPreparer } from './mutation-preparer.ts'
import { prepareDeltas } from './row-deltas.ts'

export interface OperationsContext {
  readonly region: Region
  readonly now: number
  /** See RowMutation.withTags. */
  readonly withTags?: boolean | undefined
  /** Of tables that state none. */
  readonly cellBytesMax: number
  readonly changeBytesMax: number
  /** See MutationPreparer.prepare. */
  readonly putTime?: readonly [number, number] | undefined
}

/** Appends the new cells of increments and appends to `results` too. Throws as MutationPreparer.prepare and prepareDeltas. */
export function prepareOperations(
  { row, operations, options: ofPart }: RowPart,
  { region, now, withTags, cellBytesMax, changeBytesMax, putTime }: OperationsContext,
  preparer: MutationPreparer,
  results: CellBlockBuilder,
): void {
  for (const operation of operations) {
    const options = operation.options ?? ofPart
    if (operation.kind === 'mutate') preparer.prepare(region, operation.cells, options, putTime)
    else {
      const ofTable = cellBytesMaxOf(region.table, cellBytesMax)
      const context = { region, row, options, now, withTags, cellBytesMax: ofTable, changeBytesMax }
      prepareDeltas(operation, context, preparer.cells, results)
    }
  }
}
