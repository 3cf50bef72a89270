import { ownMemory } from '../../model/mapped-memory.ts'
import { ViewedBytes } from '../../model/viewed-bytes.ts'

/** Size of the slabs that small answers share, so that none of them costs an allocation of its own. */
const SLAB_BYTES = 64 * 1024
/** A larger slab is not kept for the next large answer. */
const SPARE_BYTES_MAX = 4 * 1024 * 1024

/**
 * The output of writers. Messages stand one after the other in a slab; bytes that were handed out are never written
 * again. When room runs out, the message being written moves to another slab.
 */
export class Output {
  buffer: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  /** The same bytes. */
  viewed: ViewedBytes = new ViewedBytes(this.buffer)
  /** Where the next byte goes. */
  length = 0
  /** Offset of the first byte that was not taken. */
  #start = 0
  /** The shared slab, while a large answer has its own, and the offset of the shared slab's free bytes. */
  #shared: ViewedBytes | undefined
  #sharedStart = 0
  /** The slab of a sent large answer, kept: a new slab costs page faults and garbage collections. */
  #spare: ViewedBytes | undefined

  /** Makes room for `bytes` more and returns the offset at which they go; the caller moves `length`. */
  reserve(bytes: number): number {
    if (this.length + bytes > this.buffer.length) this.#grow(bytes)
    return this.length
  }

  /** The number of bytes that were not taken. As a position it stays right when the slab changes. */
  get pending(): number {
    return this.length - this.#start
  }

  /** Drops the bytes written since `pending` had this value. */
  rewind(pending: number): void {
    this.length = this.#start + pending
  }

  /** Hands out the bytes written since the last take. */
  take(): Buffer {
    const taken = this.buffer.subarray(this.#start, this.length)
    this.#start = this.length
    const shared = this.#shared
    if (shared !== undefined) {
      this.#shared = undefined
      this.#use(shared, this.#sharedStart)
    }
    return taken
  }

  /** Takes back bytes that `take` handed out in their own slab. The caller reads them no more. */
  giveBack(taken: Buffer): void {
    const bytes = taken.buffer.byteLength
    if (!hasOwnSlab(taken) || bytes > SPARE_BYTES_MAX || bytes <= (this.#spare?.buffer.length ?? 0)) return
    this.#spare = new ViewedBytes(Buffer.from(taken.buffer))
  }

  #grow(bytes: number): void {
    const { buffer, pending } = this
    const start = this.#start
    const wanted = pending + bytes
    if (wanted <= SLAB_BYTES >>> 1) {
      this.#use(newSlab(SLAB_BYTES), 0)
    } else {
      if (this.#shared === undefined) {
        this.#shared = this.viewed
        this.#sharedStart = start
      }
      this.#use(this.#takeSpare(wanted) ?? newSlab(Math.ceil(wanted * 1.5)), 0)
    }
    buffer.copy(this.buffer, 0, start, start + pending)
    this.length = pending
  }

  #takeSpare(bytes: number): ViewedBytes | undefined {
    const spare = this.#spare
    if (spare === undefined || spare.buffer.length < bytes) return undefined
    this.#spare = undefined
    return spare
  }

  #use(slab: ViewedBytes, start: number): void {
    this.viewed = slab
    this.buffer = slab.buffer
    this.#start = start
    this.length = start
  }
}

/** Whether an answer was too large for the shared slab. */
export function hasOwnSlab(taken: Buffer): boolean {
  return taken.buffer.byteLength > SLAB_BYTES
}

function newSlab(bytes: number): ViewedBytes {
  return new ViewedBytes(ownMemory(bytes))
}
