/**
 * Memory of batches that is used again. V8 counts the memory of buffers, and collects its whole heap after some megabytes of new ones:
 * with a buffer for every batch of a hundred rows, that is a twentieth of the work of such writes.
 */

import { EMPTY } from './bytes.ts'
import { hasOwnMemory, someMemory } from './mapped-memory.ts'
import type { MutationBatch } from './mutation.ts'

/** Smaller buffers cost less than this pool. */
const BYTES_MIN = 4 * 1024
const BYTES_MAX = 64 * 1024
/** Buffers of batches that differ a little in size can replace each other. */
const STEP_BYTES = 8 * 1024
const BUFFERS_MAX = 32

const unused: Buffer[] = []

/** Memory of at least so many bytes, of arbitrary content, for a batch. Returning it is optional. */
export function batchMemory(bytes: number): Buffer {
  if (bytes < BYTES_MIN || bytes > BYTES_MAX) return someMemory(bytes)
  const known = unused.pop()
  if (known !== undefined && known.length >= bytes) return known
  return Buffer.allocUnsafeSlow(Math.ceil(bytes / STEP_BYTES) * STEP_BYTES)
}

/** Takes back the memory of a batch of which the caller has the last reference, if its store has copied the cells. The batch has none after that. */
export function giveBackMemory(batch: MutationBatch): void {
  const { buffer } = batch.cells
  if (!batch.isCopied || buffer.length < BYTES_MIN || buffer.length > BYTES_MAX || !hasOwnMemory(buffer))
    return
  batch.cells.buffer = EMPTY
  if (unused.length < BUFFERS_MAX) unused.push(buffer)
}
