import { readInt32 } from '../../../src/model/bytes.ts'
import { type HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { ownMemory } from '../../../src/model/mapped-memory.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import { BLOCK_HEADER_BYTES, HeaderField } from './block-header.ts'
import { type BlockPiece, sumOfPiece } from './block-outline.ts'
import { type BlockType, blockTypeAt, MAGIC_BYTES } from './block-type.ts'
import { ChecksumType, checksumsBytes, findChecksumMismatch } from './checksum.ts'
import { type BlockCodec, NO_COMPRESSION } from './compression.ts'
import { corruptFile } from './corruption.ts'

/** A header with a larger payload is taken for damaged, so that it cannot make us allocate more. A cell is far smaller. */
export const PAYLOAD_BYTES_MAX: number = 1 << 29

/** A block with right checksums: payload at buffer[start..end). */
export interface RawBlock {
  readonly type: BlockType
  readonly offset: number
  readonly onDiskBytes: number
  readonly buffer: Buffer
  readonly start: number
  readonly end: number
}

/** A buffer of at least `bytes` bytes with any content. */
type Allocate = (bytes: number) => Buffer

const newBuffer: Allocate = ownMemory

/** A block's header, checked to be consistent in itself. */
interface Header {
  readonly onDiskBytes: number
  readonly payloadBytes: number
  readonly checksumType: ChecksumType
  readonly bytesPerChecksum: number
  /** Header and data: where the checksums begin. */
  readonly dataEnd: number
}

/** Looks again whether a fault is there; one that throws says that it is. */
export type IsOver = () => boolean

/** Is called with damage, before it is thrown. */
export type FaultListener = (error: HBaseError, isOver: IsOver) => void

/** Reads blocks and checks magic, sizes, checksums and the decompressed bytes. */
export class BlockReader {
  readonly #file: ReadableFile
  readonly #codec: BlockCodec
  /** Where the trailer begins: no block reaches past it. */
  readonly #end: number
  readonly #onFault: FaultListener | undefined

  constructor(file: ReadableFile, codec: BlockCodec, end: number, onFault?: FaultListener) {
    this.#file = file
    this.#codec = codec
    this.#end = end
    this.#onFault = onFault
  }

  /**
   * The block that an index says is at `offset` with `onDiskBytes`. `allocate` gives buffers of at least so many bytes: for
   * the block, and if it is compressed for its payload. Throws CORRUPTION.
   */
  read(offset: number, onDiskBytes: number, type: BlockType, allocate: Allocate = newBuffer): RawBlock {
    try {
      return this.#read(offset, onDiskBytes, type, allocate)
    } catch (error) {
      if (isHBaseError(error)) this.#onFault?.(error, () => this.#isSound(offset, onDiskBytes, type))
      throw error
    }
  }

  #isSound(offset: number, onDiskBytes: number, type: BlockType): boolean {
    this.#read(offset, onDiskBytes, type, newBuffer)
    return true
  }

  #read(offset: number, onDiskBytes: number, type: BlockType, allocate: Allocate): RawBlock {
    if (!this.#fits(offset, onDiskBytes)) {
      throw corruptFile(
        this.#file.path,
        offset,
        `${type} block`,
        `to end by ${this.#end}`,
        `${onDiskBytes} bytes`,
      )
    }
    const bytes = this.#readBytes(offset, onDiskBytes, allocate)
    const block = this.#verified(bytes, onDiskBytes, offset, allocate)
    if (block.type !== type) throw corruptFile(this.#file.path, offset, 'block type', type, block.type)
    return block
  }

  /** Reads a part of a block to target[0..end-start). False where its bytes are not those of the sum, or cannot be read. */
  readPiece(offset: number, { start, end, sum }: BlockPiece, target: Buffer): boolean {
    const bytes = end - start
    try {
      if (this.#file.read(target, 0, bytes, offset + start) !== bytes) return false
    } catch {
      return false
    }
    return sumOfPiece(target, 0, bytes) === sum
  }

  /** The block at `offset`, of any type and as long as its header says. Throws CORRUPTION. */
  readAny(offset: number): RawBlock {
    if (!this.#fits(offset, BLOCK_HEADER_BYTES)) {
      throw corruptFile(
        this.#file.path,
        offset,
        'block',
        `to end by ${this.#end}`,
        `${BLOCK_HEADER_BYTES} bytes`,
      )
    }
    const { onDiskBytes } = this.#header(this.#readBytes(offset, BLOCK_HEADER_BYTES, newBuffer), offset)
    if (!this.#fits(offset, onDiskBytes)) {
      throw corruptFile(this.#file.path, offset, 'block', `to end by ${this.#end}`, `${onDiskBytes} bytes`)
    }
    const bytes = this.#readBytes(offset, onDiskBytes, newBuffer)
    return this.#verified(bytes, onDiskBytes, offset, newBuffer)
  }

  #fits(offset: number, bytes: number): boolean {
    return (
      Number.isSafeInteger(offset) &&
      offset >= 0 &&
      bytes >= BLOCK_HEADER_BYTES &&
      offset + bytes <= this.#end
    )
  }

  #readBytes(offset: number, bytes: number, allocate: Allocate): Buffer {
    const buffer = allocate(bytes)
    const read = this.#file.read(buffer, 0, bytes, offset)
    if (read !== bytes) throw corruptFile(this.#file.path, offset, 'block', `${bytes} bytes`, `${read} bytes`)
    return buffer
  }

  #header(buffer: Buffer, offset: number): Header {
    const fault = (field: number, what: string, expected: string | number, found: string | number): Error =>
      corruptFile(this.#file.path, offset + field, what, expected, found)
    if (blockTypeAt(buffer, 0) === undefined) {
      const magic = JSON.stringify(buffer.toString('latin1', 0, MAGIC_BYTES))
      throw fault(0, 'block magic', 'that of a block type', magic)
    }
    const onDisk = readInt32(buffer, HeaderField.OnDiskBytesWithoutHeader)
    const payloadBytes = readInt32(buffer, HeaderField.PayloadBytes)
    const checksumType = buffer[HeaderField.ChecksumType]!
    const bytesPerChecksum = readInt32(buffer, HeaderField.BytesPerChecksum)
    const dataEnd = readInt32(buffer, HeaderField.OnDiskDataBytesWithHeader)
    if (onDisk < 0) throw fault(HeaderField.OnDiskBytesWithoutHeader, 'block size', 'at least 0', onDisk)
    if (payloadBytes < 0 || payloadBytes > PAYLOAD_BYTES_MAX) {
      throw fault(HeaderField.PayloadBytes, 'payload size', `0 to ${PAYLOAD_BYTES_MAX}`, payloadBytes)
    }
    if (checksumType > ChecksumType.Crc32c)
      throw fault(HeaderField.ChecksumType, 'checksum type', '0 to 2', checksumType)
    if (bytesPerChecksum < 1)
      throw fault(HeaderField.BytesPerChecksum, 'bytes per checksum', 'at least 1', bytesPerChecksum)
    const type = checksumType as ChecksumType
    const onDiskBytes = BLOCK_HEADER_BYTES + onDisk
    const sums = dataEnd < BLOCK_HEADER_BYTES ? -1 : checksumsBytes(type, dataEnd, bytesPerChecksum)
    if (sums < 0 || dataEnd + sums !== onDiskBytes) {
      const expected = `with its checksums ${onDiskBytes} bytes`
      throw fault(HeaderField.OnDiskDataBytesWithHeader, 'data size', expected, dataEnd)
    }
    return { onDiskBytes, payloadBytes, checksumType: type, bytesPerChecksum, dataEnd }
  }

  #verified(buffer: Buffer, bytes: number, offset: number, allocate: Allocate): RawBlock {
    const { path } = this.#file
    const header = this.#header(buffer, offset)
    const { dataEnd, onDiskBytes } = header
    if (onDiskBytes !== bytes) throw corruptFile(path, offset, 'block size', bytes, onDiskBytes)
    const wrong = findChecksumMismatch(header.checksumType, buffer, 0, dataEnd, header.bytesPerChecksum)
    if (wrong !== undefined) {
      throw corruptFile(path, offset + wrong.chunk, 'checksum', hex(wrong.expected), hex(wrong.found))
    }
    const type = blockTypeAt(buffer, 0)!
    const { payloadBytes } = header
    const isPlain = this.#codec === NO_COMPRESSION
    const payloadMax = (dataEnd - BLOCK_HEADER_BYTES) * this.#codec.expansionMax
    if (payloadBytes > payloadMax) {
      throw corruptFile(path, offset, 'payload size', `at most ${payloadMax}`, payloadBytes)
    }
    const payload = isPlain ? buffer : allocate(payloadBytes)
    const found = isPlain
      ? dataEnd - BLOCK_HEADER_BYTES
      : this.#decompress(buffer.subarray(BLOCK_HEADER_BYTES, dataEnd), payload, payloadBytes, offset)
    if (found !== payloadBytes) throw corruptFile(path, offset, 'payload size', payloadBytes, found)
    const start = isPlain ? BLOCK_HEADER_BYTES : 0
    return { type, offset, onDiskBytes, buffer: payload, start, end: start + payloadBytes }
  }

  #decompress(data: Buffer, payload: Buffer, payloadBytes: number, offset: number): number {
    try {
      return this.#codec.decompress(data, payload, payloadBytes)
    } catch (cause) {
      throw corruptFile(
        this.#file.path,
        offset,
        `${this.#codec.name} data`,
        `${payloadBytes} bytes`,
        String(cause),
        cause,
      )
    }
  }
}

function hex(sum: number): string {
  return `0x${sum.toString(16).padStart(8, '0')}`
}
