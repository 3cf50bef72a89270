/** Whether bytes from outside are whole cells. */

import { readInt32 } from './bytes.ts'
import { CELL_HEADER_BYTES, KEY_FIXED_BYTES } from './cell.ts'
import { CELL_PREFIX_BYTES, type CellBlock } from './cell-block.ts'
import { HBaseError } from './errors.ts'

/** Throws CORRUPTION with the offset where the bytes are not whole, well-formed cells. Returns the number of cells. */
export function checkCellBlock(block: CellBlock): number {
  const { buffer, end } = block
  let at = block.start
  let count = 0
  while (at < end) {
    const fault = cellFault(buffer, at, end)
    if (fault !== undefined) {
      throw new HBaseError('CORRUPTION', `malformed cell at byte ${at} of a cell block: ${fault}`, {
        detail: { offset: at, count },
      })
    }
    at += CELL_PREFIX_BYTES + readInt32(buffer, at)
    count++
  }
  return count
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
