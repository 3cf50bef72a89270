import { messageOf } from '../../../src/model/message-of.ts'
import { FramePool } from '../hfile/block-frames.ts'
import type { RawBlock } from '../hfile/block-reader.ts'
import { PAYLOAD_BYTES_MAX } from '../hfile/block-reader.ts'
import { BlockType } from '../hfile/block-type.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { DataBlock } from '../hfile/data-block.ts'
import {
  type BlockEncoding,
  decodeEncoded,
  type EncodedLayout,
  encodedPlainBytes,
} from '../hfile/encoding/block-encoding.ts'
import { BLOCK_ENCODINGS } from '../hfile/encoding/encodings.ts'

/** Keeps nothing: a tool comes to each block once. */
const NO_POOL = new FramePool(0)

/** The cells of a data block that was read without its file's info: the block itself names its encoding. Throws CORRUPTION. */
export function rawDataBlock(raw: RawBlock, layout: EncodedLayout, path: string): DataBlock {
  const { buffer, start, end, type } = raw
  const encoding = type === BlockType.EncodedData ? encodingOf(raw, path) : undefined
  const bytes = encoding === undefined ? end - start : plainBytes(encoding, raw, path)
  const frame = NO_POOL.take(bytes)
  if (encoding === undefined) buffer.copy(frame.buffer, 0, start, end)
  else orCorrupt(encoding, raw, path, () => decodeEncoded(encoding, buffer, start, end, layout, frame.buffer))
  const plain = { ...raw, buffer: frame.buffer, start: 0, end: bytes }
  return DataBlock.parse(plain, frame, NO_POOL, layout, path)
}

function encodingOf({ buffer, start, offset }: RawBlock, path: string): BlockEncoding {
  const id = (buffer[start]! << 8) | buffer[start + 1]!
  const found = BLOCK_ENCODINGS.find((encoding) => encoding.id === id)
  if (found === undefined) throw corruptFile(path, offset, 'encoded block', 'a known encoding', String(id))
  return found
}

function plainBytes(encoding: BlockEncoding, raw: RawBlock, path: string): number {
  const { buffer, start, end } = raw
  return orCorrupt(encoding, raw, path, () => {
    const bytes = encodedPlainBytes(encoding, buffer, start, end)
    if (bytes < 0 || bytes > PAYLOAD_BYTES_MAX) throw new Error(`it claims ${bytes} bytes of cells`)
    return bytes
  })
}

function orCorrupt<T>({ name }: BlockEncoding, { offset }: RawBlock, path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw corruptFile(path, offset, `${name} block`, 'cells', messageOf(cause), cause)
  }
}
