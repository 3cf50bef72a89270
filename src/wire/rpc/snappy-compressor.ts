/** Snappy in Hadoop's framing, chunk by chunk: a chunk takes less than a millisecond, and the event loop runs between them. */

import { type Transform, type TransformCallback, Transform as TransformStream } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { readInt32 } from '../../model/bytes.ts'
import { HBaseError } from '../../model/errors.ts'
import { messageOf } from '../../model/message-of.ts'
import { type ChunkCodec, frame } from '../hadoop/hadoop-framing.ts'
import { loadSnappy } from '../hadoop/snappy-codec.ts'
import type { CellBlockCompressor } from './cell-block-compressor.ts'

/** Hadoop's chunks have 256 KB. */
const CHUNK_BYTES_MAX = 1024 * 1024
/** Bytes that are compressed before other work has its turn. */
const SLICE_BYTES = 4 * 1024 * 1024
const LENGTH_BYTES = 4

/** Undefined where Snappy has no build for this platform. */
export function snappyCompressor(javaClass: string): CellBlockCompressor | undefined {
  let codec: ChunkCodec
  try {
    codec = loadSnappy()
  } catch {
    return undefined
  }
  return {
    javaClass,
    compress: (bytes) => frame(bytes, codec),
    decompress: (bytes, bytesMax) => decompressed(bytes, bytesMax, codec),
    compressAside: (bytes) => compressAside(bytes, codec),
    decompressor: () => decompressor(codec),
  }
}

/** Takes the framing apart, wherever it is cut. */
class FrameReader {
  readonly #codec: ChunkCodec
  #rest: Buffer = Buffer.alloc(0)
  /** Bytes of the original that are still to come of the present block. */
  #left = 0

  constructor(codec: ChunkCodec) {
    this.#codec = codec
  }

  /** The chunks that are whole now. Throws DO_NOT_RETRY for what is no such framing. */
  *read(bytes: Buffer): Generator<Uint8Array> {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    for (;;) {
      if (this.#rest.length < LENGTH_BYTES) return
      const length = readInt32(this.#rest, 0)
      if (length < 0) throw undecipherable(`a length of ${length}`)
      if (this.#left === 0) {
        this.#left = length
        this.#rest = this.#rest.subarray(LENGTH_BYTES)
        continue
      }
      if (length > CHUNK_BYTES_MAX) throw undecipherable(`a chunk of ${length} bytes`)
      if (this.#rest.length < LENGTH_BYTES + length) return
      const chunk = this.#chunk(this.#rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length))
      this.#rest = this.#rest.subarray(LENGTH_BYTES + length)
      this.#left -= chunk.length
      yield chunk
    }
  }

  /** Throws DO_NOT_RETRY where something is missing. */
  end(): void {
    if (this.#rest.length > 0 || this.#left > 0) throw undecipherable('it is cut off')
  }

  #chunk(compressed: Buffer): Uint8Array {
    let chunk: Uint8Array
    try {
      chunk = this.#codec.decompress(compressed, Math.min(this.#left, CHUNK_BYTES_MAX))
    } catch (error) {
      throw undecipherable(messageOf(error))
    }
    if (chunk.length === 0 || chunk.length > this.#left)
      throw undecipherable(`a chunk makes ${chunk.length} bytes`)
    return chunk
  }
}

function decompressed(bytes: Buffer, bytesMax: number, codec: ChunkCodec): Buffer {
  const reader = new FrameReader(codec)
  const chunks: Uint8Array[] = []
  let length = 0
  for (const chunk of reader.read(bytes)) {
    length += chunk.length
    if (length > bytesMax) throw Object.assign(new Error('too large'), { code: 'ERR_BUFFER_TOO_LARGE' })
    chunks.push(chunk)
  }
  reader.end()
  return Buffer.concat(chunks)
}

function decompressor(codec: ChunkCodec): Transform {
  const reader = new FrameReader(codec)
  return new TransformStream({
    transform(this: Transform, bytes: Buffer, _encoding, done: TransformCallback): void {
      void pushAll(this, reader.read(bytes)).then(() => done(), done)
    },
    flush(done: TransformCallback): void {
      try {
        reader.end()
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

async function pushAll(target: Transform, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) {
    // The reader stops at its limit, and may leave the rest.
    if (target.destroyed) return
    target.push(chunk)
    await nextTurn()
  }
}

async function compressAside(bytes: Buffer, codec: ChunkCodec): Promise<Buffer> {
  const frames = [frame(bytes.subarray(0, SLICE_BYTES), codec)]
  for (let at = SLICE_BYTES; at < bytes.length; at += SLICE_BYTES) {
    await nextTurn()
    frames.push(frame(bytes.subarray(at, at + SLICE_BYTES), codec))
  }
  return frames.length === 1 ? frames[0]! : Buffer.concat(frames)
}

function undecipherable(reason: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `the cell block cannot be decompressed: ${reason}`)
}
