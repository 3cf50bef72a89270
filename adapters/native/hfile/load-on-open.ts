import type { BlockReader, RawBlock } from './block-reader.ts'
import { BlockType } from './block-type.ts'
import { corruptFile } from './corruption.ts'
import { FileInfo } from './file-info.ts'

/** The section of a file that is read when it is opened. */
export interface OnOpen {
  readonly root: RawBlock
  readonly info: FileInfo
  readonly generalBloom: RawBlock | undefined
  readonly deleteFamilyBloom: RawBlock | undefined
}

/** Throws CORRUPTION. */
export function readOnOpen(path: string, blocks: BlockReader, start: number, end: number): OnOpen {
  const found = new Map<BlockType, RawBlock>()
  for (let at = start; at < end; ) {
    const block = blocks.readAny(at)
    // The meta index is a second root index.
    if (!found.has(block.type)) found.set(block.type, block)
    at += block.onDiskBytes
  }
  const root = found.get(BlockType.RootIndex)
  if (root?.offset !== start)
    throw corruptFile(path, start, 'block type', BlockType.RootIndex, root?.type ?? 'none')
  const info = found.get(BlockType.FileInfo)
  if (info === undefined) throw corruptFile(path, start, 'load-on-open section', 'file info', 'none')
  return {
    root,
    info: decodeInfo(path, info),
    generalBloom: found.get(BlockType.GeneralBloomMeta),
    deleteFamilyBloom: found.get(BlockType.DeleteFamilyBloomMeta),
  }
}

function decodeInfo(path: string, block: RawBlock): FileInfo {
  try {
    return FileInfo.decode(block.buffer.subarray(block.start, block.end))
  } catch (cause) {
    throw corruptFile(path, block.offset, 'file info', 'a protobuf message', String(cause), cause)
  }
}
