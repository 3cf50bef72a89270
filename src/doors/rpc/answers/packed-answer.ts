import { CellBlock } from '../../../model/cell-block.ts'
import type { CellBlockCompressor } from '../../../wire/rpc/cell-block-compressor.ts'
import { oneBlock } from '../../../wire/rpc/one-block.ts'
import { cellBlockBytes } from '../../../wire/rpc/request-frame.ts'
import type { RpcAnswer } from '../contract/rpc-service.ts'

/** Most bytes of cells that are copied in one piece. */
const COPIED_BYTES_MAX = 1024 * 1024

export interface PackedAnswer extends RpcAnswer {
  /** True where the cells are compressed already. */
  readonly isPacked?: boolean
}

/** True for an answer that must be written in steps. */
export function isLarge({ writeInSteps, cells }: RpcAnswer): boolean {
  return writeInSteps !== undefined || (cells !== undefined && cellBlockBytes(cells) > COPIED_BYTES_MAX)
}

/** Length of an answer in bytes, roughly; for a small answer it may be 0. */
export function bytesOfLarge({ bytes = 0, cells = [] }: RpcAnswer): number {
  return Math.max(bytes, cellBlockBytes(cells))
}

/** Compresses the cells of an answer in a thread. Releases the answer where that fails. */
export async function compressedInThread(
  answer: RpcAnswer,
  compressor: CellBlockCompressor,
): Promise<PackedAnswer> {
  const { cells = [], release } = answer
  try {
    const packed = await compressor.compressAside(oneBlock(cells))
    return { ...answer, cells: [new CellBlock(packed)], isPacked: true }
  } catch (error) {
    release?.()
    throw error
  }
}
