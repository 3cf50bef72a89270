/**
 * Writes to TLS connections in pieces. Node encrypts each write in a buffer of its size and keeps that buffer while the connection is open.
 * After one answer of 36 MB, an idle connection would hold 36 MB that no budget counts.
 */

import type { TLSSocket } from 'node:tls'

/** The size of a piece: four TLS records. */
export const PIECE_BYTES: number = 64 * 1024

/** A chunk of a write. `encoding`: of a string. */
interface Chunk {
  chunk: Buffer | string
  encoding: BufferEncoding
}

type Done = (error?: Error | null) => void

export function writePiecewise(socket: TLSSocket): void {
  const write = socket._write.bind(socket)
  const writeAll = socket._writev!.bind(socket)
  const inPieces = (chunks: readonly Chunk[], done: Done): void => {
    const pieces = new Pieces(chunks)
    let isWriting = false
    let isDone = false
    const next = (error?: Error | null): void => {
      if (error !== undefined && error !== null) return done(error)
      isDone = true
      if (isWriting) return
      isWriting = true
      while (isDone) {
        const some = pieces.next()
        if (some.length === 0) return done()
        isDone = false
        writeAll(some, next)
      }
      isWriting = false
    }
    next()
  }
  socket._write = (chunk: Buffer | string, encoding: BufferEncoding, done: Done): void => {
    if (chunk.length <= PIECE_BYTES) write(chunk, encoding, done)
    else inPieces([{ chunk, encoding }], done)
  }
  socket._writev = (chunks: Chunk[], done: Done): void => {
    let length = 0
    for (const { chunk } of chunks) length += chunk.length
    if (length <= PIECE_BYTES) writeAll(chunks, done)
    else inPieces(chunks, done)
  }
}

/** The chunks of a write, in lists of at most PIECE_BYTES. */
class Pieces {
  readonly #chunks: readonly Chunk[]
  #at = 0
  /** The rest of the chunk before #at; undefined where it was taken completely. */
  #rest: Buffer | undefined

  constructor(chunks: readonly Chunk[]) {
    this.#chunks = chunks
  }

  /** The next list; empty at the end. */
  next(): Chunk[] {
    const some: Chunk[] = []
    let room = PIECE_BYTES
    while (room > 0) {
      const bytes = this.#rest ?? this.#nextChunk()
      if (bytes === undefined) break
      if (bytes.length > 0) some.push({ chunk: bytes.subarray(0, room), encoding: 'latin1' })
      this.#rest = bytes.length > room ? bytes.subarray(room) : undefined
      room -= Math.min(room, bytes.length)
    }
    return some
  }

  #nextChunk(): Buffer | undefined {
    const next = this.#chunks[this.#at++]
    if (next === undefined) return undefined
    const { chunk, encoding } = next
    return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk, encoding)
  }
}
