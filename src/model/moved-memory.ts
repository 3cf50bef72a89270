import { hasOwnMemory } from './mapped-memory.ts'

/**
 * Bytes that are to move to another thread with their memory: the same ones where they have their memory for themselves,
 * else a copy.
 */
export function movable(bytes: Buffer, length: number = bytes.length): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes
  // Node's pool and the system's pieces for small reads hold other bytes too.
  if (buffer instanceof ArrayBuffer && hasOwnMemory(bytes) && length > Buffer.poolSize)
    return new Uint8Array(buffer, 0, length)
  const copy = new Uint8Array(length)
  copy.set(bytes.subarray(0, length))
  return copy
}

/** Bytes whose memory no other buffer uses, with all of that memory. */
export function alone({ buffer, byteOffset, length }: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, length)
}

/** Bytes that came from another thread, as a Buffer: a message makes plain Uint8Arrays of them. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
