import { CellBlock } from '../../../model/cell-block.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { oneBlock } from '../../../wire/rpc/one-block.ts'
import { cellBlockBytes } from '../../../wire/rpc/request-frame.ts'
import type { RpcAnswer } from '../contract/rpc-service.ts'

/** Cells that are copied in one piece. */
const COPIED_BYTES_MAX = 1024 * 1024

export interface PackedAnswer extends RpcAnswer {
  /** The cells are compressed already. */
  readonly isPacked?: boolean
}

/** Whether the answer is one to write in steps. */
export function isLarge({ writeInSteps, cells }: RpcAnswer): boolean {
  return writeInSteps !== undefined || (cells !== undefined && cellBlockBytes(cells) > COPIED_BYTES_MAX)
}

/** Bytes of a large answer, or about as many. */
export function bytesOfLarge({ bytes = 0, cells = [] }: RpcAnswer): number {
  return Math.max(bytes, cellBlockBytes(cells))
}

/** The answer with its cells compressed outside of the event loop. Releases the answer where that fails. */
export async function packedAside(answer: RpcAnswer, compressor: CellBlockCompressor): Promise<PackedAnswer> {
  const { cells = [], release } = answer
  try {
    const packed = await compressor.compressAside(oneBlock(cells))
    return { ...answer, cells: [new CellBlock(packed)], isPacked: true }
  } catch (error) {
    release?.()
    throw error
  }
}
