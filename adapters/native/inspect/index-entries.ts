/** The entries of a store file's data index, in order, read past the block cache. */

import type { BlockReader, RawBlock } from '../hfile/block-reader.ts'
import { BlockType } from '../hfile/block-type.ts'
import { IndexBlock } from '../hfile/index-block.ts'
import { MIDDLE_ENTRY_BYTES } from '../hfile/index-writer.ts'
import type { Trailer } from '../hfile/trailer.ts'

export interface IndexEntry {
  /** Not after the first key of the block, and after the last one of the block before it. */
  readonly key: Buffer
  readonly offset: number
  readonly onDiskBytes: number
}

/** Throws CORRUPTION for an index block that cannot be read; entries before it have been yielded. */
export function* indexEntries(path: string, blocks: BlockReader, trailer: Trailer): Generator<IndexEntry> {
  const { loadOnOpenOffset, dataIndexLevels, dataIndexCount } = trailer
  const root = blocks.readAny(loadOnOpenOffset)
  const rest = dataIndexLevels > 1 ? MIDDLE_ENTRY_BYTES : 0
  const index = IndexBlock.parseRoot(root, root.start, dataIndexCount, rest, path)
  yield* below(path, blocks, index, dataIndexLevels - 1)
}

function* below(path: string, blocks: BlockReader, index: IndexBlock, levels: number): Generator<IndexEntry> {
  for (let entry = 0; entry < index.count; entry++) {
    const offset = index.offsets[entry]!
    const onDiskBytes = index.onDiskBytes[entry]!
    if (levels === 0) {
      yield { key: index.key(entry), offset, onDiskBytes }
      continue
    }
    const type = levels === 1 ? BlockType.LeafIndex : BlockType.IntermediateIndex
    const raw: RawBlock = blocks.read(offset, onDiskBytes, type)
    yield* below(path, blocks, IndexBlock.parseNonRoot(raw, path), levels - 1)
  }
}
