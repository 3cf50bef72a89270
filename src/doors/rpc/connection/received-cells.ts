import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { checkCellBlock, checkCellBlockInSteps } from '../../../model/check-cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'

/** Copies of decompressed cells in memory: the pieces, and the whole made of them. */
const COPIES = 2
/** Up to so many compressed bytes are decompressed in the event loop, which is faster than a thread. They become a MiB at most. */
const SMALL_BYTES = 1024

export interface CellMemory {
  readonly limits: Pick<Limits, 'requestBytesMax'>
  /** Holds the memory of the call that has the cells. */
  readonly grant: MemoryGrant
}

/**
 * Decompresses and checks the cells of a request: at once, or later where they are many. Throws CORRUPTION for bytes that are not
 * whole cells. Throws OVERLOADED where the decompressed cells have no memory, TOO_LARGE where they exceed the limit of a request.
 */
export function receivedCells(
  received: CellBlock,
  compressor: CellBlockCompressor | undefined,
  memory: CellMemory,
): CellBlock | Promise<CellBlock> {
  if (received.byteLength === 0) return received
  if (compressor === undefined) return checked(received)
  const { buffer, start, end } = received
  const bytes = buffer.subarray(start, end)
  return bytes.length > SMALL_BYTES
    ? decompressedInThread(bytes, compressor, memory)
    : decompressed(bytes, compressor, memory)
}

/** Up to so many bytes of cells are checked in one go, more in steps between which other calls have their turns. */
const CHECKED_BYTES = 1024 * 1024

function checked(block: CellBlock): CellBlock | Promise<CellBlock> {
  if (block.byteLength > CHECKED_BYTES) return manyATurn(checkCellBlockInSteps(block)).then(() => block)
  checkCellBlock(block)
  return block
}

function decompressed(
  bytes: Buffer,
  compressor: CellBlockCompressor,
  { limits: { requestBytesMax }, grant }: CellMemory,
): CellBlock | Promise<CellBlock> {
  try {
    const plain = compressor.decompress(bytes, requestBytesMax)
    grant.take(plain.length, 'a cell block')
    return checked(new CellBlock(plain))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(requestBytesMax)
    throw undecipherable(error)
  }
}

async function decompressedInThread(
  bytes: Buffer,
  compressor: CellBlockCompressor,
  { limits: { requestBytesMax }, grant }: CellMemory,
): Promise<CellBlock> {
  const stream = compressor.decompressor()
  stream.end(bytes)
  const pieces: Buffer[] = []
  let length = 0
  try {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      length += piece.length
      if (length > requestBytesMax) throw tooLarge(requestBytesMax)
      grant.take(piece.length * COPIES, 'a cell block')
      pieces.push(piece)
    }
  } catch (error) {
    throw undecipherable(error)
  }
  return checked(new CellBlock(Buffer.concat(pieces)))
}

function tooLarge(bytesMax: number): HBaseError {
  return new HBaseError('TOO_LARGE', `a cell block of more than ${bytesMax} bytes, decompressed`)
}

/** Answers an error of zlib as the client's fault. Returns other errors as they are. */
function undecipherable(error: unknown): unknown {
  if (isHBaseError(error) || !(error instanceof Error) || !('code' in error)) return error
  return new HBaseError('DO_NOT_RETRY', `the cell block cannot be decompressed: ${error.message}`, {
    cause: error,
  })
}
