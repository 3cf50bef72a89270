/** A batch of many rows is stored slice by slice. */

import { rowLength, rowOffset } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import type { MutationBatch } from '../../../src/model/mutation.ts'
import type { MutationFailure } from '../../../src/store/rows.ts'
import { WIDE_COST } from '../options/default-limits.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { isWideMutation, mayBeWide } from './change-cost.ts'

/**
 * Most mutations and bytes in a slice of a batch. All mutations of a slice to one region are prepared before any of them is
 * stored, so that none sees another, and are one record of the log. The event loop runs after each slice.
 */
const SLICE_MUTATIONS_MAX = 1000
const SLICE_BYTES_MAX = 1024 * 1024
/** And most regions: each has a record of the log of its own, and may have to begin a memstore. */
const SLICE_REGIONS_MAX = 100

/** Mutations that are stored at a stretch. */
export interface BatchSlice {
  readonly groups: ReadonlyMap<Region, number[]>
  /** The first mutation behind it. */
  readonly end: number
}

/**
 * End of the slice that begins at `start`: it has at least one mutation. A mutation that costs more than `wideCost` is a slice of its own.
 * `growth`: see tagGrowth.
 */
export function sliceEnd(
  batch: MutationBatch,
  start: number,
  growth?: Float64Array,
  wideCost: number = WIDE_COST,
): number {
  const { ends } = batch
  if (isWideMutation(batch.blockOf(start), wideCost)) return start + 1
  const bytesEnd = (start === 0 ? 0 : ends[start - 1]!) + SLICE_BYTES_MAX
  const last = Math.min(batch.length, start + SLICE_MUTATIONS_MAX)
  let end = start + 1
  let grown = growth?.[start] ?? 0
  while (end < last && ends[end - 1]! + grown < bytesEnd) {
    grown += growth?.[end] ?? 0
    if (grown > SLICE_BYTES_MAX) break
    if (mayBeWide(ends[end]! - ends[end - 1]!, wideCost) && isWideMutation(batch.blockOf(end), wideCost))
      break
    end++
  }
  return end
}

/**
 * Groups the mutations in [start, end) that have cells by the region of their rows, up to the one that would be of a region too many. A row
 * outside all regions is a failure.
 */
export function indexesByRegion(
  served: TargetRegions,
  batch: MutationBatch,
  start: number,
  end: number,
  failures: MutationFailure[],
): BatchSlice {
  const groups = new Map<Region, number[]>()
  let region: Region | undefined
  let group: number[] = []
  for (let index = start; index < end; index++) {
    const block = batch.blockOf(index)
    if (block.byteLength === 0) continue
    const owner = findRegion(block, index, served, failures)
    if (owner === undefined) continue
    if (owner !== region) {
      const known = groups.get(owner)
      if (known === undefined && groups.size === SLICE_REGIONS_MAX) return { groups, end: index }
      region = owner
      group = known ?? []
      groups.set(owner, group)
    }
    group.push(index)
  }
  return { groups, end }
}

function findRegion(
  { buffer, start }: CellBlock,
  index: number,
  served: TargetRegions,
  failures: MutationFailure[],
): Region | undefined {
  const cell = start + CELL_PREFIX_BYTES
  try {
    return served.regionOf(buffer, rowOffset(cell), rowLength(buffer, cell), 'batchMutate')
  } catch (error) {
    if (!isHBaseError(error)) throw error
    failures.push({ index, error })
    return undefined
  }
}
