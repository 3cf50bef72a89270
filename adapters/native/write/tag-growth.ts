/** Bytes that the tags of a batch's options add to its cells: a request states them once a mutation, each cell has them. */

import { type CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { inTurnsIfMany } from '../../../src/model/many-a-turn.ts'
import { batchBytesMax, type MutationBatch, type MutationOptions } from '../../../src/model/mutation.ts'
import type { Steps } from '../../../src/model/steps.ts'

/** The length of a cell's tags before them. */
const LENGTH_BYTES = 2
/** A tag of a time to live: its length, its type, 8 bytes of milliseconds. */
const TIME_TO_LIVE_BYTES = 11

/**
 * By mutation, before any of it is made; undefined where no mutation has tags. Throws TOO_LARGE where they are more together than a
 * batch may be.
 */
export function tagGrowth(batch: MutationBatch): Float64Array | undefined | Promise<Float64Array> {
  const { options, cells } = batch
  if (!options.some(hasTags)) return undefined
  return inTurnsIfMany(cells.length, growthInSteps(batch))
}

/** Cells that are counted in a step. */
const STEP_CELLS = 256

function* growthInSteps(batch: MutationBatch): Steps<Float64Array> {
  const { options, cells } = batch
  const growth = new Float64Array(options.length)
  const bytesMax = batchBytesMax(cells.length)
  let total = 0
  for (const [index, each] of options.entries()) {
    if (index % STEP_CELLS === STEP_CELLS - 1) yield
    if (!hasTags(each)) continue
    growth[index] = (yield* countOf(batch.blockOf(index))) * addedBytes(each)
    total += growth[index]
    if (total > bytesMax)
      throw new HBaseError(
        'TOO_LARGE',
        `the tags of the changes' cells (permissions, labels, times to live) take more than ${bytesMax} bytes: ` +
          'send fewer cells in a request, or shorter attributes',
      )
  }
  return growth
}

function hasTags({ tags, ttlMs }: MutationOptions): boolean {
  return tags !== undefined || ttlMs !== undefined
}

function addedBytes({ tags, ttlMs }: MutationOptions): number {
  return LENGTH_BYTES + (tags?.length ?? 0) + (ttlMs === undefined ? 0 : TIME_TO_LIVE_BYTES)
}

function* countOf(block: CellBlock): Steps<number> {
  const cursor = new CellCursor(block)
  let count = 0
  while (cursor.next()) if (++count % STEP_CELLS === 0) yield
  return count
}
