import type { Limits } from '../../gateway/limits.ts'
import type { MemoryBudget, MemoryGrant } from '../../gateway/memory-budget.ts'
import { CellBlock, checkCellBlock } from '../../model/cell-block.ts'
import { HBaseError } from '../../model/errors.ts'
import type { CellBlockCompressor } from '../../wire/rpc/cell-block-compressor.ts'

/** Decompressed pieces, and the whole that is made of them. */
const COPIES = 2

export interface CellMemory {
  readonly limits: Pick<Limits, 'requestBytesMax'>
  readonly memory: MemoryBudget
  /** Of the call that has the cells. */
  readonly grant: MemoryGrant
}

/**
 * The cells of a request, decompressed and checked. Throws CORRUPTION for bytes that are not whole cells, OVERLOADED and
 * TOO_LARGE where they become more than there is memory for, or than a request may have.
 */
export function receivedCells(
  received: CellBlock,
  compressor: CellBlockCompressor | undefined,
  parts: CellMemory,
): CellBlock {
  if (received.byteLength === 0) return received
  const plain = compressor === undefined ? received : decompressed(received, compressor, parts)
  checkCellBlock(plain)
  return plain
}

function decompressed(
  { buffer, start, end }: CellBlock,
  compressor: CellBlockCompressor,
  { limits: { requestBytesMax }, memory, grant }: CellMemory,
): CellBlock {
  const free = Math.floor(memory.free / COPIES)
  const bytesMax = Math.max(1, Math.min(requestBytesMax, free))
  try {
    const plain = compressor.decompress(buffer.subarray(start, end), bytesMax)
    grant.take(plain.length * COPIES, 'a cell block')
    return new CellBlock(plain)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    if (error.code !== 'ERR_BUFFER_TOO_LARGE') {
      throw new HBaseError('DO_NOT_RETRY', `the cell block cannot be decompressed: ${error.message}`, {
        cause: error,
      })
    }
    if (bytesMax < requestBytesMax) memory.check((bytesMax + 1) * COPIES, 'a cell block')
    throw new HBaseError('TOO_LARGE', `a cell block of more than ${bytesMax} bytes, decompressed`, {
      cause: error,
    })
  }
}
