/**
 * Where the rows of a data block begin, by their hashes: a row that is in the block is found in one step or two, where a search takes nine.
 * The table stands behind the block's cells, in one array with them: each array more would be one more miss of the processor's caches.
 * A slot has the lower half of a row's hash, and the index of the row's first cell plus 1; 0: free.
 */

import { isOfRow } from '../cells/is-of-row.ts'
import { murmurHash } from '../cells/murmur-hash.ts'
import { isSameRow } from '../cells/plain-cells.ts'

/** The block has no cell of the row. */
export const NO_PLACE = -1
/** A search must find the row. */
export const UNKNOWN_PLACE = -2

/** Slots have 16 bits for a cell, and are chosen by 16 bits of a hash. */
const SLOTS_MAX = 0xffff
/** More slots in sequence are those of rows that were made to have one hash. */
const STEPS_MAX = 64
/** Slots a cell: a row that the block lacks then takes some three steps. */
const SLOTS_A_CELL = 1.5

/** Memory of so many cells with their table. */
export function placedCellsBytes(count: number): number {
  return 4 * (count + 1 + slotsFor(count))
}

/**
 * The cells with the table behind them: in their own array if it has room. Undefined where a search must do. `cells`: as those of a
 * DataBlock.
 */
export function placeRows(
  cells: Int32Array,
  count: number,
  view: DataView,
  buffer: Buffer,
): Int32Array | undefined {
  const slotCount = slotsFor(count)
  if (slotCount > SLOTS_MAX) return undefined
  const first = count + 1
  let placed = cells
  if (cells.length < first + slotCount) {
    placed = new Int32Array(first + slotCount)
    placed.set(cells.subarray(0, first))
  }
  placed.fill(0, first, first + slotCount)
  for (let at = 0; at < count; at++) {
    const cell = cells[at]!
    const rowBytes = view.getUint16(cell + 8)
    if (at > 0 && isSameRow(view, cell, view, cells[at - 1]!, rowBytes)) continue
    if (!addPlace(placed, count, murmurHash(buffer, cell + 10, rowBytes, 0), at)) return undefined
  }
  return placed
}

function addPlace(cells: Int32Array, count: number, hash: number, at: number): boolean {
  const first = count + 1
  const slotCount = slotsFor(count)
  let slot = slotOf(hash, slotCount)
  for (let steps = 0; cells[first + slot] !== 0; steps++) {
    if (steps === STEPS_MAX) return false
    if (++slot === slotCount) slot = 0
  }
  cells[first + slot] = (hash << 16) | (at + 1)
  return true
}

/** Index of the row's first cell, or NO_PLACE. `cells`: of `placeRows`. `hash`: the first of the row's BloomHash. */
export function findPlace(
  cells: Int32Array,
  count: number,
  view: DataView,
  row: Buffer,
  hash: number,
): number {
  const first = count + 1
  const slotCount = slotsFor(count)
  const tag = hash & 0xffff
  let slot = slotOf(hash, slotCount)
  for (let steps = 0; steps <= STEPS_MAX; steps++) {
    const place = cells[first + slot]!
    if (place === 0) return NO_PLACE
    if (place >>> 16 === tag) {
      const at = (place & 0xffff) - 1
      if (isOfRow(view, cells[at]!, row)) return at
    }
    if (++slot === slotCount) slot = 0
  }
  return NO_PLACE
}

/** From the upper half of the hash, as the slot has the lower one. */
function slotOf(hash: number, slotCount: number): number {
  return ((hash >>> 16) * slotCount) >>> 16
}

function slotsFor(cells: number): number {
  return Math.ceil(cells * SLOTS_A_CELL) + 1
}
