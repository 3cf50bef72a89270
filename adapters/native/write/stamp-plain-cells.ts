/**
 * The short way of cells that need nothing but the present time: puts and most tombstones without tags, of families that the region has. They
 * are checked and stamped in one walk where they lie, so that no cell is copied on its own. MutationPreparer is the way of all others.
 */

import { equalRange } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, CellType } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES } from '../../../src/model/cell-block.ts'
import { LATEST_HIGH, LATEST_LOW, millisHigh, millisLow } from '../../../src/model/timestamp.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { Region } from '../region/region.ts'

/** Bytes of a key behind its qualifier: the timestamp and the type. */
const KEY_END_BYTES = 9

/**
 * Puts `now`, in milliseconds, in the place of Long.MAX_VALUE in the cells of a block. False: a cell is not plain, or would be refused; those
 * before it may have got the time. `cellBytesMax`: as TableLimits.
 */
export function stampPlainCells(
  { buffer, view }: ViewedBytes,
  start: number,
  end: number,
  region: Region,
  now: number,
  cellBytesMax: number,
): boolean {
  const high = millisHigh(now)
  const low = millisLow(now)
  // Most cells are of the family of the cell before.
  let family: Buffer | undefined
  for (let at = start; at < end; ) {
    const cell = at + CELL_PREFIX_BYTES
    const bytes = view.getInt32(at)
    const keyBytes = view.getInt32(cell)
    const isTagged = bytes !== CELL_HEADER_BYTES + keyBytes + view.getInt32(cell + 4)
    if (isTagged || CELL_PREFIX_BYTES + bytes > cellBytesMax) return false
    const familyAt = cell + CELL_HEADER_BYTES + 2 + view.getUint16(cell + CELL_HEADER_BYTES)
    const familyLength = view.getUint8(familyAt)
    if (family === undefined || !isFamily(family, buffer, familyAt + 1, familyLength)) {
      const store = region.storeOf(buffer, familyAt + 1, familyLength)
      if (store === undefined) return false
      family = store.rules.name
    }
    const time = cell + CELL_HEADER_BYTES + keyBytes - KEY_END_BYTES
    const type = view.getUint8(time + 8)
    const timeHigh = view.getInt32(time)
    if (timeHigh < 0) return false
    if (timeHigh === LATEST_HIGH && view.getInt32(time + 4) === LATEST_LOW) {
      // The deletion of the newest version needs to read it.
      if (type === CellType.Delete) return false
      view.setInt32(time, high)
      view.setInt32(time + 4, low)
    }
    at = cell + bytes
  }
  return true
}

function isFamily(family: Buffer, buffer: Buffer, at: number, length: number): boolean {
  if (length === 1) return family.length === 1 && family[0] === buffer[at]
  return equalRange(family, 0, family.length, buffer, at, length)
}
