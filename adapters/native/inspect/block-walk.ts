/** Walks the blocks of a store file from its first byte to its trailer, and goes on behind damage. */

import { type HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { BlockReader, RawBlock } from '../hfile/block-reader.ts'
import { BlockType, MAGIC_BYTES } from '../hfile/block-type.ts'
import type { OpenFile } from '../platform/file-system.ts'

/** A stretch without sound blocks: bytes [offset, end). */
export interface DamagedStretch {
  readonly offset: number
  readonly end: number
  readonly error: HBaseError
}

export type WalkedBlock =
  | { readonly kind: 'block'; readonly block: RawBlock }
  | ({ readonly kind: 'damage' } & DamagedStretch)

const WINDOW_BYTES = 1 << 20

/** `end`: where the trailer begins. Throws what the file system throws. */
export function* walkBlocks(file: OpenFile, blocks: BlockReader, end: number): Generator<WalkedBlock> {
  let at = 0
  while (at < end) {
    const found = tryRead(blocks, at)
    if (!isHBaseError(found)) {
      yield { kind: 'block', block: found }
      at += found.onDiskBytes
      continue
    }
    const next = nextBlock(file, blocks, at + 1, end)
    yield { kind: 'damage', offset: at, end: next, error: found }
    at = next
  }
}

function tryRead(blocks: BlockReader, offset: number): RawBlock | HBaseError {
  try {
    return blocks.readAny(offset)
  } catch (error) {
    if (isHBaseError(error)) return error
    throw error
  }
}

/** Offset of the first sound block at or after `from`, or `end`. */
function nextBlock(file: OpenFile, blocks: BlockReader, from: number, end: number): number {
  const window = Buffer.allocUnsafe(WINDOW_BYTES)
  for (let start = from; start < end; start += WINDOW_BYTES - MAGIC_BYTES) {
    const bytes = file.read(window, 0, Math.min(WINDOW_BYTES, end - start), start)
    const part = window.subarray(0, bytes)
    for (let at = nextMagic(part, 0); at >= 0; at = nextMagic(part, at + 1)) {
      if (!isHBaseError(tryRead(blocks, start + at))) return start + at
    }
  }
  return end
}

function nextMagic(bytes: Buffer, from: number): number {
  let least = -1
  for (const magic of Object.values(BlockType)) {
    const at = bytes.indexOf(magic, from, 'latin1')
    if (at >= 0 && (least < 0 || at < least)) least = at
  }
  return least
}
