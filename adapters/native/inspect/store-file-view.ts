/** A store file opened as far as its damage lets it, for tools. */

import { cellLength } from '../../../src/model/cell.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { LruBlockCache } from '../hfile/block-cache.ts'
import { BlockReader, type RawBlock } from '../hfile/block-reader.ts'
import { BlockType } from '../hfile/block-type.ts'
import { type BlockCodec, codecByOrdinal, NO_COMPRESSION } from '../hfile/compression.ts'
import type { DataBlock } from '../hfile/data-block.ts'
import type { EncodedLayout } from '../hfile/encoding/block-encoding.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { decodeTrailer, hasTrailerVersion, TRAILER_BYTES, type Trailer } from '../hfile/trailer.ts'
import { readVLong } from '../hfile/vlong.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { walkBlocks } from './block-walk.ts'
import { rawDataBlock } from './raw-data-block.ts'

/** Holds index blocks and bloom chunks; data blocks are read once. */
const CACHE_BYTES = 32 << 20

/** In the order in which a file whose info is lost is likely to have them. */
const LAYOUTS: readonly EncodedLayout[] = [
  { tags: false, sequenceId: true, tagsCompressed: false },
  { tags: true, sequenceId: true, tagsCompressed: true },
  { tags: true, sequenceId: true, tagsCompressed: false },
  { tags: false, sequenceId: false, tagsCompressed: false },
  { tags: true, sequenceId: false, tagsCompressed: true },
  { tags: true, sequenceId: false, tagsCompressed: false },
]
const ORDINALS = 16

export interface CellPlace {
  readonly buffer: Buffer
  /** Offset of the KeyValue. */
  readonly cell: number
  readonly tags: number
  readonly tagsBytes: number
  readonly sequenceId: number
}

export type ViewedBlock =
  | {
      readonly kind: 'block'
      readonly type: BlockType
      readonly offset: number
      readonly onDiskBytes: number
      /** The cells of a data block; undefined for other blocks. */
      readonly cells: DataBlock | undefined
    }
  | { readonly kind: 'damage'; readonly offset: number; readonly end: number; readonly error: HBaseError }

/** How many of a file's last bytes are before its trailer, which is damaged, or cut off in whole or in part. */
function blockBytesIn(tail: Buffer): number {
  if (tail.length === TRAILER_BYTES && hasTrailerVersion(tail)) return 0
  const magic = tail.lastIndexOf(BlockType.Trailer, undefined, 'latin1')
  return magic >= 0 ? magic : tail.length
}

export class StoreFileView {
  readonly path: string
  readonly bytes: number
  /** Undefined where the file cannot be opened: `openError` says why. */
  readonly hfile: HFile | undefined
  readonly openError: HBaseError | undefined
  readonly trailer: Trailer | undefined
  readonly trailerBytes: Buffer
  readonly blocks: BlockReader
  /** Where the blocks end: at the trailer, or at the end of a file that was cut before it. */
  readonly end: number
  readonly #file: OpenFile
  #layout: EncodedLayout | undefined

  /** Throws IO where the file cannot be opened or read at all. */
  constructor(fileSystem: FileSystem, path: string) {
    this.path = path
    this.#file = openForReading(fileSystem, path)
    this.bytes = this.#file.size()
    const tail = Math.max(0, this.bytes - TRAILER_BYTES)
    this.trailerBytes = Buffer.alloc(TRAILER_BYTES)
    const read = this.#file.read(this.trailerBytes, 0, TRAILER_BYTES, tail)
    this.trailer = this.#readTrailer(tail)
    this.end = tail + (this.trailer === undefined ? blockBytesIn(this.trailerBytes.subarray(0, read)) : 0)
    let hfile: HFile | undefined
    let openError: HBaseError | undefined
    try {
      hfile = openHFile(this.#file, { fileId: 0, blockCache: new LruBlockCache(CACHE_BYTES) })
    } catch (error) {
      if (!isHBaseError(error)) throw error
      openError = error
    }
    this.hfile = hfile
    this.openError = openError
    this.#layout = hfile && {
      ...hfile.layout,
      tagsCompressed: hfile.info.getBoolean(InfoKey.TagsCompressed),
    }
    this.blocks = new BlockReader(this.#file, this.#codec(), this.end)
  }

  #readTrailer(offset: number): Trailer | undefined {
    try {
      return decodeTrailer(this.trailerBytes, this.path, offset)
    } catch {
      return undefined
    }
  }

  /** The trailer's codec; without a trailer the one that can read the first block. */
  #codec(): BlockCodec {
    if (this.trailer !== undefined) return codecByOrdinal(this.trailer.codecOrdinal) ?? NO_COMPRESSION
    for (let ordinal = 0; ordinal < ORDINALS; ordinal++) {
      const codec = codecByOrdinal(ordinal)
      if (codec !== undefined && canReadFirst(new BlockReader(this.#file, codec, this.end))) return codec
    }
    return NO_COMPRESSION
  }

  /** Every block in the file's order, and the stretches between them that hold none. */
  *walk(): Generator<ViewedBlock> {
    for (const found of walkBlocks(this.#file, this.blocks, this.end)) {
      if (found.kind === 'damage') {
        yield found
        continue
      }
      const { type, offset, onDiskBytes } = found.block
      let cells: DataBlock | undefined
      if (type === BlockType.Data || type === BlockType.EncodedData) {
        const parsed = this.#parse(found.block)
        if (isHBaseError(parsed)) {
          yield { kind: 'damage', offset, end: offset + onDiskBytes, error: parsed }
          continue
        }
        cells = parsed
      }
      yield { kind: 'block', type, offset, onDiskBytes, cells }
    }
  }

  #parse(block: RawBlock): DataBlock | HBaseError {
    // An open file knows how its blocks are encoded.
    if (this.hfile !== undefined)
      return tried(() => this.hfile!.blocks.dataBlock(block.offset, block.onDiskBytes, false))
    const layouts = this.#layout === undefined ? LAYOUTS : [this.#layout]
    let error: HBaseError | undefined
    for (const layout of layouts) {
      const parsed = tried(() => rawDataBlock(block, layout, this.path))
      if (!isHBaseError(parsed)) {
        this.#layout = layout
        return parsed
      }
      error ??= parsed
    }
    return error!
  }

  /** Whether cells may have tags. */
  get hasTags(): boolean {
    return this.#layout?.tags === true
  }

  /** The cell of a block that `walk` has returned. */
  cellAt(block: DataBlock, index: number): CellPlace {
    const { buffer } = block
    const cell = block.cells[index]!
    const layout = this.#layout!
    let at = cell + cellLength(buffer, cell)
    const tagsBytes = layout.tags ? (buffer[at]! << 8) | buffer[at + 1]! : 0
    const tags = at + 2
    if (layout.tags) at = tags + tagsBytes
    return { buffer, cell, tags, tagsBytes, sequenceId: layout.sequenceId ? readVLong(buffer, at) : 0 }
  }

  close(): void {
    this.#file.close()
  }
}

function tried(parse: () => DataBlock): DataBlock | HBaseError {
  try {
    return parse()
  } catch (error) {
    if (isHBaseError(error)) return error
    throw error
  }
}

function canReadFirst(blocks: BlockReader): boolean {
  try {
    blocks.readAny(0)
    return true
  } catch {
    return false
  }
}

function openForReading(fileSystem: FileSystem, path: string): OpenFile {
  try {
    return fileSystem.open(path, 'read')
  } catch (cause) {
    throw new HBaseError('IO', `${path} cannot be opened: ${messageOf(cause)}`, { detail: { path }, cause })
  }
}
