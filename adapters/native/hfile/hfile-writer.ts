/**
 * Writes a store file as HBase's StoreFileWriter does: an HFile of version 3.
 *
 *     (data block | leaf index block | bloom chunk)* | intermediate index block*
 *     | root data index | meta index | file info | general bloom meta? | delete family bloom meta? | trailer
 *
 * A data block's payload is cells, `KeyValue | (tagsBytes i16 | tags)? | sequenceId vlong`, in the order of
 * compareCells and of equal keys the greater sequence id first. Cells of equal keys are always in one block. With an encoding
 * the payload is the encoding's id and what it makes of those cells (encoding/block-encoding.ts).
 */

import { EMPTY, equalRange } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES, cellLength, keyLength, rowLength } from '../../../src/model/cell.ts'
import type { BloomType } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { OpenFile } from '../platform/file-system.ts'
import { BLOCK_HEADER_BYTES } from './block-header.ts'
import { BlockType } from './block-type.ts'
import { BlockWriter, type WrittenBlock } from './block-writer.ts'
import { ByteOutput } from './byte-output.ts'
import { CellStatistics } from './cell-statistics.ts'
import { type BlockCodec, NO_COMPRESSION } from './compression.ts'
import { type BlockEncoding, type EncodedLayout, writeEncoded } from './encoding/block-encoding.ts'
import { FileInfo, InfoKey } from './file-info.ts'
import { copyKey, partingKey } from './index-key.ts'
import { DataIndexWriter, INDEX_BLOCK_BYTES } from './index-writer.ts'
import { compareKeys } from './key-order.ts'
import { StoreBlooms } from './store-blooms.ts'
import { encodeTrailer, TRAILER_BYTES } from './trailer.ts'
import { VLONG_BYTES_MAX, writeVLong } from './vlong.ts'

/** HConstants.DEFAULT_BLOCKSIZE. */
export const DEFAULT_BLOCK_BYTES = 65536

/** The tags' length is an unsigned 16-bit number. */
const TAGS_BYTES_MAX = 0xffff

/** The region and family that a file is of. */
export interface FileOwner {
  /** The region's encoded name. */
  readonly region: string
  readonly family: Buffer
  /** As FileRecord.id. */
  readonly fileId: string
}

export interface HFileWriterOptions {
  readonly owner?: FileOwner
  /** The file's time of creation, in milliseconds since 1970. */
  readonly createTime: number
  /** A data block is closed when its cells reach this: the family's BLOCKSIZE. */
  readonly blockBytes?: number
  readonly bloomType?: BloomType
  /** Whether cells may carry tags, which costs two bytes a cell. */
  readonly includeTags?: boolean
  readonly codec?: BlockCodec
  /** Undefined: none. */
  readonly encoding?: BlockEncoding | undefined
  /** Whether an encoding puts tags into a dictionary: the family's COMPRESS_TAGS. */
  readonly compressTags?: boolean
  readonly indexBlockBytes?: number
}

export interface HFileSummary {
  /** Each mutation of the store up to this sequence id is in this file or in an older one. */
  readonly maxSequenceId: number
  /** Whether the file was made of all files of its store. */
  readonly majorCompaction: boolean
}

export class HFileWriter {
  readonly #file: OpenFile
  readonly #blocks: BlockWriter
  readonly #blockBytes: number
  readonly #includeTags: boolean
  readonly #codec: BlockCodec
  readonly #encoding: BlockEncoding | undefined
  readonly #layout: EncodedLayout
  /** The encoded form of #output. */
  readonly #encoded: ByteOutput
  /** Bytes that the encoding adds to the block being filled for the rows in it. */
  #rowBytes = 0
  readonly #createTime: number
  readonly #owner: FileOwner | undefined
  readonly #index: DataIndexWriter
  readonly #blooms: StoreBlooms
  readonly #statistics = new CellStatistics()
  /** The data block being filled. */
  readonly #output: ByteOutput
  /** The last cell in #output, or -1 at a block's beginning. */
  #last = -1
  /** The last key of the previous block. */
  #lastKey: Buffer = EMPTY
  /** The index key of the block being filled. */
  #blockKey: Buffer = EMPTY
  #firstDataBlockOffset = -1
  #lastDataBlockOffset = -1

  /** `file` is new and empty; the caller syncs and closes it after `finish`. */
  constructor(file: OpenFile, options: HFileWriterOptions) {
    this.#file = file
    this.#codec = options.codec ?? NO_COMPRESSION
    this.#blocks = new BlockWriter(file, this.#codec)
    this.#blockBytes = options.blockBytes ?? DEFAULT_BLOCK_BYTES
    this.#includeTags = options.includeTags ?? false
    this.#encoding = options.encoding
    const tagsCompressed = options.encoding !== undefined && options.compressTags !== false
    this.#layout = { tags: this.#includeTags, sequenceId: true, tagsCompressed }
    this.#createTime = options.createTime
    this.#owner = options.owner
    this.#index = new DataIndexWriter(this.#blocks, options.indexBlockBytes ?? INDEX_BLOCK_BYTES)
    this.#blooms = new StoreBlooms(options.bloomType ?? 'ROW', this.#blocks)
    this.#output = new ByteOutput(BLOCK_HEADER_BYTES + this.#blockBytes + 4096)
    this.#encoded = new ByteOutput(options.encoding === undefined ? 0 : this.#output.buffer.length)
    BlockWriter.start(this.#output)
  }

  get entryCount(): number {
    return this.#statistics.count
  }

  /** Bytes in the file so far; the block being filled does not count. */
  get fileBytes(): number {
    return this.#blocks.position
  }

  /**
   * Adds the KeyValue at buffer[cell] and its tags at buffer[tags]. Returns true if it wrote a block: a moment to let
   * other tasks run. Throws IO for a cell that sorts before the last one, or for tags that the file cannot carry.
   */
  append(buffer: Buffer, cell: number, sequenceId: number, tags = 0, tagsBytes = 0): boolean {
    const order = this.#orderAfterLast(buffer, cell)
    if (order < 0) throw this.#refused('it sorts before the last one')
    if (tagsBytes > (this.#includeTags ? TAGS_BYTES_MAX : 0))
      throw this.#refused(`${tagsBytes} bytes of tags`)
    this.#blooms.add(buffer, cell)
    // Equal keys stay together, so that an index key never stands between them.
    const full = order > 0 && this.#output.length - BLOCK_HEADER_BYTES + this.#rowBytes >= this.#blockBytes
    if (full) {
      this.#finishBlock()
      this.#index.writeFullLeaf()
      this.#blooms.writeFullChunks()
    }
    if (this.#last < 0) {
      this.#blockKey = this.entryCount === 0 ? copyKey(buffer, cell) : partingKey(this.#lastKey, buffer, cell)
    }
    if (this.#encoding !== undefined) this.#countRow(this.#encoding, buffer, cell)
    this.#write(buffer, cell, sequenceId, tags, tagsBytes)
    this.#statistics.add(buffer, cell, sequenceId, tagsBytes)
    return full
  }

  /** Writes the last blocks, the indexes and the trailer. */
  finish(summary: HFileSummary): void {
    const blocks = this.#blocks
    if (this.#last >= 0) this.#finishBlock()
    this.#index.finishLeaves()
    this.#blooms.finishChunks()
    // HBase leaves the index's upper levels out of the sum of uncompressed bytes.
    const uncompressedBytes = blocks.uncompressedBytes
    const loadOnOpenOffset = this.#index.writeRoot()
    blocks.uncompressedBytes = uncompressedBytes
    BlockWriter.start(this.#output)
    blocks.finish(BlockType.RootIndex, this.#output)
    const fileInfoOffset = blocks.position
    BlockWriter.start(this.#output)
    this.#output.bytes(this.#describe(summary).encode())
    blocks.finish(BlockType.FileInfo, this.#output)
    this.#blooms.writeMetas()
    const trailer = encodeTrailer({
      fileInfoOffset,
      loadOnOpenOffset,
      dataIndexBytes: this.#index.payloadBytes,
      uncompressedBytes: blocks.uncompressedBytes + TRAILER_BYTES,
      dataIndexCount: this.#index.rootCount,
      metaIndexCount: 0,
      entryCount: this.entryCount,
      dataIndexLevels: this.#index.levels,
      firstDataBlockOffset: this.#firstDataBlockOffset,
      lastDataBlockOffset: this.#lastDataBlockOffset,
      codecOrdinal: this.#codec.ordinal,
    })
    this.#file.append([trailer])
    blocks.position += TRAILER_BYTES
  }

  /** Positive for the first cell of all. */
  #orderAfterLast(buffer: Buffer, cell: number): number {
    if (this.entryCount === 0) return 1
    const key = cell + CELL_HEADER_BYTES
    const keyBytes = keyLength(buffer, cell)
    const last = this.#last
    if (last < 0) return compareKeys(buffer, key, keyBytes, this.#lastKey, 0, this.#lastKey.length)
    const written = this.#output.buffer
    return compareKeys(buffer, key, keyBytes, written, last + CELL_HEADER_BYTES, keyLength(written, last))
  }

  #write(buffer: Buffer, cell: number, sequenceId: number, tags: number, tagsBytes: number): void {
    const output = this.#output
    const cellBytes = cellLength(buffer, cell)
    output.reserve(cellBytes + 2 + tagsBytes + VLONG_BYTES_MAX)
    this.#last = output.length
    output.bytes(buffer, cell, cell + cellBytes)
    if (this.#includeTags) {
      output.buffer[output.length++] = tagsBytes >>> 8
      output.buffer[output.length++] = tagsBytes
      output.bytes(buffer, tags, tags + tagsBytes)
    }
    output.length = writeVLong(output.buffer, output.length, sequenceId)
  }

  #countRow(encoding: BlockEncoding, buffer: Buffer, cell: number): void {
    const { buffer: written } = this.#output
    const last = this.#last
    const isSame =
      last >= 0 &&
      equalRange(buffer, cell + 10, rowLength(buffer, cell), written, last + 10, rowLength(written, last))
    if (!isSame) this.#rowBytes += encoding.rowBytes
  }

  #finishBlock(): void {
    const output = this.#output
    this.#lastKey = copyKey(output.buffer, this.#last)
    this.#last = -1
    this.#rowBytes = 0
    const block = this.#finishPayload(output)
    this.#index.add(this.#blockKey, block)
    if (this.#firstDataBlockOffset < 0) this.#firstDataBlockOffset = block.offset
    this.#lastDataBlockOffset = block.offset
    BlockWriter.start(output)
  }

  #finishPayload(output: ByteOutput): WrittenBlock {
    if (this.#encoding === undefined) return this.#blocks.finish(BlockType.Data, output)
    BlockWriter.start(this.#encoded)
    const { buffer, length } = output
    writeEncoded(this.#encoding, buffer, BLOCK_HEADER_BYTES, length, this.#layout, this.#encoded)
    return this.#blocks.finish(BlockType.EncodedData, this.#encoded)
  }

  #describe(summary: HFileSummary): FileInfo {
    const info = new FileInfo()
    if (this.entryCount > 0) info.set(InfoKey.LastKey, this.#lastKey)
    info.setLong(InfoKey.CreateTime, this.#createTime)
    info.setInt32(InfoKey.KeyValueVersion, 1)
    info.setLong(InfoKey.MaxSequenceId, summary.maxSequenceId)
    info.setBoolean(InfoKey.MajorCompaction, summary.majorCompaction)
    info.setBoolean(InfoKey.Historical, false)
    // An empty message behind its magic: the manifest knows the files that a compaction replaced.
    info.set(InfoKey.CompactionEvent, Buffer.from('PBUF'))
    if (this.#owner !== undefined) {
      info.set(InfoKey.Region, Buffer.from(this.#owner.region, 'latin1'))
      info.set(InfoKey.Family, this.#owner.family)
      info.set(InfoKey.FileId, Buffer.from(this.#owner.fileId, 'latin1'))
    }
    if (this.#encoding !== undefined) info.set(InfoKey.DataBlockEncoding, Buffer.from(this.#encoding.name))
    this.#statistics.describe(info, this.#layout)
    this.#blooms.describe(info)
    return info
  }

  #refused(reason: string): HBaseError {
    return new HBaseError('IO', `cell ${this.entryCount} cannot be added to ${this.#file.path}: ${reason}`)
  }
}
