/** Whether bytes from outside are whole cells. */

import { readInt32 } from './bytes.ts'
import { CELL_HEADER_BYTES, KEY_FIXED_BYTES } from './cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from './cell-block.ts'
import { HBaseError } from './errors.ts'
import type { Steps } from './steps.ts'

/** Throws CORRUPTION with the offset where the bytes are not whole, well-formed cells. Returns the number of cells. */
export function checkCellBlock(block: CellBlock): number {
  const checked = { at: block.start, count: 0 }
  checkOn(block, checked, Number.POSITIVE_INFINITY)
  return checked.count
}

/** Cells that are checked in a step. */
const STEP_CELLS = 4096

/** As checkCellBlock. */
export function* checkCellBlockInSteps(block: CellBlock): Steps<number> {
  const checked = { at: block.start, count: 0 }
  while (checkOn(block, checked, STEP_CELLS)) yield
  return checked.count
}

/** Checks at most `cells` more; false: these were the last. */
function checkOn({ buffer, end }: CellBlock, checked: { at: number; count: number }, cells: number): boolean {
  let { at, count } = checked
  for (const stop = count + cells; at < end && count < stop; count++) {
    const fault = cellFault(buffer, at, end)
    if (fault !== undefined) {
      throw new HBaseError('CORRUPTION', `malformed cell at byte ${at} of a cell block: ${fault}`, {
        detail: { offset: at, count },
      })
    }
    at += CELL_PREFIX_BYTES + readInt32(buffer, at)
  }
  checked.at = at
  checked.count = count
  return at < end
}

function cellFault(buffer: Buffer, at: number, end: number): string | undefined {
  const cell = at + CELL_PREFIX_BYTES
  if (cell + CELL_HEADER_BYTES + KEY_FIXED_BYTES > end) return 'the block ends inside its header'
  const length = readInt32(buffer, at)
  const key = readInt32(buffer, cell)
  const value = readInt32(buffer, cell + 4)
  if (length < 0 || cell + length > end) return `length ${length} reaches past the block`
  if (key < KEY_FIXED_BYTES || value < 0) return `key length ${key}, value length ${value}`
  if (CELL_HEADER_BYTES + key + value > length) return `key ${key} and value ${value} exceed length ${length}`
  const row = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
  if (row + KEY_FIXED_BYTES > key) return `row length ${row} exceeds key length ${key}`
  const family = buffer[cell + 10 + row]!
  if (row + family + KEY_FIXED_BYTES > key) return `family length ${family} exceeds key length ${key}`
  return undefined
}
