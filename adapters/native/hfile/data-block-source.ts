import { HBaseError } from '../../../src/model/errors.ts'
import type { BlockFrame, FramePool } from './block-frames.ts'
import type { BlockPiece } from './block-outline.ts'
import type { BlockReader, RawBlock } from './block-reader.ts'
import { PAYLOAD_BYTES_MAX } from './block-reader.ts'
import { BlockType } from './block-type.ts'
import { corruptFile } from './corruption.ts'
import { type CellLayout, DataBlock } from './data-block.ts'
import {
  type BlockEncoding,
  decodeEncoded,
  type EncodedLayout,
  encodedPlainBytes,
} from './encoding/block-encoding.ts'
import { encodingByName } from './encoding/encodings.ts'
import { type FileInfo, InfoKey } from './file-info.ts'

/** Reads a file's data blocks from the file, and decodes them. */
export class DataBlockSource {
  readonly layout: CellLayout
  readonly #path: string
  readonly #blocks: BlockReader
  readonly #pool: FramePool
  readonly #encoding: BlockEncoding | undefined
  readonly #encodedLayout: EncodedLayout

  /** Throws IO for an encoding that Tidegate lacks. */
  constructor(path: string, blocks: BlockReader, info: FileInfo, pool: FramePool) {
    this.#pool = pool
    this.#path = path
    this.#blocks = blocks
    this.#encoding = encodingOf(path, info)
    this.layout = {
      tags: info.get(InfoKey.MaxTagsBytes) !== undefined,
      sequenceId: info.getInt32(InfoKey.KeyValueVersion) === 1,
    }
    this.#encodedLayout = { ...this.layout, tagsCompressed: info.getBoolean(InfoKey.TagsCompressed) }
  }

  /** Throws CORRUPTION. */
  read(offset: number, onDiskBytes: number): DataBlock {
    const encoding = this.#encoding
    const type = encoding === undefined ? BlockType.Data : BlockType.EncodedData
    const pool = this.#pool
    const frames: BlockFrame[] = []
    const allocate = (bytes: number): Buffer => {
      const frame = pool.take(bytes)
      frames.push(frame)
      return frame.buffer
    }
    let raw = this.#blocks.read(offset, onDiskBytes, type, allocate)
    if (encoding !== undefined) raw = this.#decoded(encoding, raw, allocate)
    // The cells are in the last frame; the others had the block's earlier forms.
    const frame = frames.pop()!
    for (const earlier of frames) pool.give(earlier)
    return DataBlock.parse(raw, frame, pool, this.layout, this.#path)
  }

  /** A piece of a block whose outline is known. Undefined where the file does not give the piece as it was: then the block must be read. */
  readPiece(offset: number, piece: BlockPiece): DataBlock | undefined {
    const bytes = piece.end - piece.start
    const frame = this.#pool.take(bytes)
    if (!this.#blocks.readPiece(offset, piece, frame.buffer)) {
      this.#pool.give(frame)
      return undefined
    }
    const extent = { offset: offset + piece.start, start: 0, end: bytes }
    const block = DataBlock.parse(extent, frame, this.#pool, this.layout, this.#path)
    block.endsBlock = piece.isLast
    return block
  }

  #decoded(encoding: BlockEncoding, raw: RawBlock, allocate: (bytes: number) => Buffer): RawBlock {
    const { buffer, start, end } = raw
    try {
      const bytes = encodedPlainBytes(encoding, buffer, start, end)
      if (bytes < 0 || bytes > PAYLOAD_BYTES_MAX) throw new Error(`it claims ${bytes} bytes of cells`)
      const plain = allocate(bytes)
      decodeEncoded(encoding, buffer, start, end, this.#encodedLayout, plain)
      return { ...raw, buffer: plain, start: 0, end: bytes }
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw corruptFile(this.#path, raw.offset, `${encoding.name} block`, 'cells', reason, cause)
    }
  }
}

function encodingOf(path: string, info: FileInfo): BlockEncoding | undefined {
  const name = info.get(InfoKey.DataBlockEncoding)?.toString('latin1') ?? 'NONE'
  const encoding = encodingByName(name)
  if (encoding === undefined && name !== 'NONE') {
    throw new HBaseError('IO', `${path} has data blocks in the encoding ${name}, for which there is no codec`)
  }
  return encoding
}
