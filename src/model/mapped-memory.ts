/**
 * Memory that goes back to the system as soon as it is freed.
 *
 * glibc maps a large block by itself, and unmaps it when it is freed. But the least size of a large block grows with each such block that
 * is freed, up to 32 MiB. After one body of 30 MB, glibc cuts even blocks of 20 MB out of heaps, which keep up to 64 MiB each for later.
 * Blocks above 32 MiB are always mapped, and do not move that limit. So a buffer of some megabytes is made as the beginning of such a
 * block: pages that no program touches take no memory.
 */

import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

const MIB = 1024 * 1024
const THREADS_KEY = 'tidegate.mapped-from-bytes'
/** More than glibc's DEFAULT_MMAP_THRESHOLD_MAX. */
const MAPPED_BYTES = 33 * MIB

/** Smaller blocks are left to glibc: V8 counts a mapped block as 33 MiB, and collects more often. */
let mappedFromBytes = Number(getEnvironmentData(THREADS_KEY) ?? 4 * MIB)

/** Maps smaller blocks, too, or only larger ones; in the threads that begin after that as well. */
export function mapBlocksFrom(bytes: number): void {
  mappedFromBytes = bytes
  setEnvironmentData(THREADS_KEY, bytes)
}

/** How much of its memory a buffer has, where that is not all. */
const parts = new WeakMap<ArrayBufferLike, number>()

/** A buffer with memory of its own, of arbitrary content: as Buffer.allocUnsafeSlow. */
export function ownMemory(bytes: number): Buffer<ArrayBuffer> {
  if (bytes < mappedFromBytes || bytes >= MAPPED_BYTES) return Buffer.allocUnsafeSlow(bytes)
  const mapped = Buffer.allocUnsafeSlow(MAPPED_BYTES)
  parts.set(mapped.buffer, bytes)
  return mapped.subarray(0, bytes)
}

/** The same, but a small one may have its memory in Node's pool: as Buffer.allocUnsafe. */
export function someMemory(bytes: number): Buffer<ArrayBuffer> {
  return bytes < mappedFromBytes ? Buffer.allocUnsafe(bytes) : ownMemory(bytes)
}

/** True where the buffer has all of its memory, so that no other buffer uses it. */
export function hasOwnMemory({ buffer, byteOffset, length }: Buffer): boolean {
  return byteOffset === 0 && length === (parts.get(buffer) ?? buffer.byteLength)
}
