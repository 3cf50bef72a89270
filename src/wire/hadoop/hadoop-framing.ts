/**
 * The framing of SNAPPY, LZ4 and ZSTD: `originalBytes i32 | (chunkBytes i32 | chunk)...` until the chunks make up the
 * original, and again until all is there. Hadoop: BlockCompressorStream, BlockDecompressorStream.
 */

import { readInt32, writeInt32 } from '../../model/bytes.ts'

/** The result of a codec for one chunk. */
export interface ChunkCodec {
  compress(chunk: Buffer): Uint8Array
  /**
   * `bytesMax`: more do not belong to the block. The result may be overwritten by the next call. Throws where the chunk does
   * not decompress.
   */
  decompress(chunk: Buffer, bytesMax: number): Uint8Array
}

/**
 * The most bytes of the original in a chunk. HBase decompresses into buffers of 256 KB. It compresses only as much as surely fits into one
 * even if it grows (Snappy's bound, a sixth and 32 bytes).
 */
export const CHUNK_BYTES_MAX: number = 256 * 1024 - Math.trunc((256 * 1024) / 6) - 32

export function frame(payload: Buffer, codec: ChunkCodec): Buffer {
  const parts: Uint8Array[] = [lengthBytes(payload.length)]
  for (let at = 0; at < payload.length; at += CHUNK_BYTES_MAX) {
    const chunk = codec.compress(payload.subarray(at, at + CHUNK_BYTES_MAX))
    parts.push(lengthBytes(chunk.length), chunk)
  }
  return Buffer.concat(parts)
}

/** Writes to payload[0..payloadBytes). Throws an Error where source is not the framing of so many bytes. */
export function unframe(source: Buffer, payload: Buffer, payloadBytes: number, codec: ChunkCodec): number {
  let filled = 0
  let at = 0
  while (at < source.length) {
    const originalEnd = filled + lengthAt(source, at)
    if (originalEnd > payloadBytes) throw new Error(`it makes ${originalEnd} bytes or more`)
    at += 4
    while (filled < originalEnd) {
      const chunkBytes = lengthAt(source, at)
      at += 4
      if (chunkBytes > source.length - at) throw new Error(`a chunk of ${chunkBytes} bytes is cut off`)
      const chunk = codec.decompress(source.subarray(at, at + chunkBytes), originalEnd - filled)
      if (chunk.length === 0 || chunk.length > originalEnd - filled)
        throw new Error(`a chunk makes ${chunk.length} bytes`)
      payload.set(chunk, filled)
      filled += chunk.length
      at += chunkBytes
    }
  }
  if (filled !== payloadBytes) throw new Error(`it makes ${filled} bytes`)
  return filled
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.allocUnsafe(4)
  writeInt32(bytes, 0, length)
  return bytes
}

function lengthAt(source: Buffer, at: number): number {
  const length = at + 4 > source.length ? -1 : readInt32(source, at)
  if (length < 0) throw new Error('a length is missing')
  return length
}
