import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { checkCellBlock, checkCellBlockInSteps } from '../../../model/check-cell-block.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'

/** Decompressed pieces, and the whole that is made of them. */
const COPIES = 2
/** So few bytes are decompressed sooner than a thread is asked: they become a MiB at most. */
const SMALL_BYTES = 1024

export interface CellMemory {
  readonly limits: Pick<Limits, 'requestBytesMax'>
  /** Of the call that has the cells. */
  readonly grant: MemoryGrant
}

/**
 * The cells of a request, decompressed and checked: at once, or later where they are many. Throws CORRUPTION for bytes that are not
 * whole cells, OVERLOADED and TOO_LARGE where they become more than there is memory for, or than a request may have.
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
    ? decompressedAside(bytes, compressor, memory)
    : decompressed(bytes, compressor, memory)
}

/** So many bytes of cells are checked at a stretch; more are while others have their turns. */
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

async function decompressedAside(
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

/** zlib's errors as the client's fault; others as they are. */
function undecipherable(error: unknown): unknown {
  if (isHBaseError(error) || !(error instanceof Error) || !('code' in error)) return error
  return new HBaseError('DO_NOT_RETRY', `the cell block cannot be decompressed: ${error.message}`, {
    cause: error,
  })
}
