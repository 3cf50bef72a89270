import type { OpenFile } from '../platform/file-system.ts'
import { BLOCK_HEADER_BYTES, writeBlockHeader } from './block-header.ts'
import type { BlockType } from './block-type.ts'
import { ByteOutput } from './byte-output.ts'
import { BYTES_PER_CHECKSUM, ChecksumType, checksumsBytes, writeChecksums } from './checksum.ts'
import { type BlockCodec, NO_COMPRESSION } from './compression.ts'

/** Place and size of a written block. */
export interface WrittenBlock {
  readonly offset: number
  /** Bytes of header, data and checksums, as an index entry states them. */
  readonly onDiskBytes: number
  readonly payloadBytes: number
}

/**
 * Frames payloads as blocks and appends each to the file in one call. `start()` returns an output with room for the
 * header already taken; write the payload behind it and call `finish`.
 */
export class BlockWriter {
  /** Bytes in the file so far: the next block's offset. */
  position: number
  /** Bytes of all finished blocks uncompressed, with headers and without checksums. */
  uncompressedBytes = 0
  readonly #file: OpenFile
  readonly #codec: BlockCodec
  readonly #previousOffsets = new Map<BlockType, number>()

  constructor(file: OpenFile, codec: BlockCodec) {
    this.#file = file
    this.#codec = codec
    this.position = file.size()
  }

  static start(output: ByteOutput): void {
    output.length = 0
    output.reserve(BLOCK_HEADER_BYTES)
    output.length = BLOCK_HEADER_BYTES
  }

  /** Appends the block in `output`, which may then be started over. */
  finish(type: BlockType, output: ByteOutput): WrittenBlock {
    const payloadBytes = output.length - BLOCK_HEADER_BYTES
    this.#compress(output)
    const end = output.length
    const sums = checksumsBytes(ChecksumType.Crc32c, end, BYTES_PER_CHECKSUM)
    output.reserve(sums)
    const previous = this.#previousOffsets.get(type) ?? -1
    writeBlockHeader(output.buffer, type, end - BLOCK_HEADER_BYTES, payloadBytes, previous)
    writeChecksums(ChecksumType.Crc32c, output.buffer, 0, end, BYTES_PER_CHECKSUM, output.buffer, end)
    output.length = end + sums
    this.#file.append([output.written()])
    const offset = this.position
    this.#previousOffsets.set(type, offset)
    this.position += output.length
    this.uncompressedBytes += BLOCK_HEADER_BYTES + payloadBytes
    return { offset, onDiskBytes: output.length, payloadBytes }
  }

  #compress(output: ByteOutput): void {
    if (this.#codec === NO_COMPRESSION) return
    const data = this.#codec.compress(output.buffer.subarray(BLOCK_HEADER_BYTES, output.length))
    output.length = BLOCK_HEADER_BYTES
    output.bytes(data)
  }
}
