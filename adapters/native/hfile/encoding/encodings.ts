import type { BlockEncoding } from './block-encoding.ts'
import { DIFF_ENCODING } from './diff-encoding.ts'
import { FAST_DIFF_ENCODING } from './fast-diff-encoding.ts'
import { PREFIX_ENCODING } from './prefix-encoding.ts'
import { ROW_INDEX_ENCODING } from './row-index-encoding.ts'

export const BLOCK_ENCODINGS: readonly BlockEncoding[] = [
  PREFIX_ENCODING,
  DIFF_ENCODING,
  FAST_DIFF_ENCODING,
  ROW_INDEX_ENCODING,
]

/** Finds an encoding by a family's DATA_BLOCK_ENCODING, in any case; undefined for NONE and for unknown ones. */
export function encodingByName(name: string): BlockEncoding | undefined {
  const upper = name.toUpperCase()
  return BLOCK_ENCODINGS.find((encoding) => encoding.name === upper)
}
