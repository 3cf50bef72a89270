/**
 * Memory that threads share. V8 does not count it as a thread's own, so that much of it that no thread uses any more begins no collection. It is counted
 * here, for our own collections.
 */

let bytes = 0
const collected = new FinalizationRegistry<number>((size) => {
  bytes -= size
})

/** Memory of so many bytes, of arbitrary content. */
export function sharedMemory(size: number): Buffer {
  const memory = new SharedArrayBuffer(size)
  bytes += size
  collected.register(memory, size)
  return Buffer.from(memory)
}

/** Bytes of the shared memory that this thread has, or has dropped since its last collection. */
export function sharedBytes(): number {
  return bytes
}
