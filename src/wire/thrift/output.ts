import { ViewedBytes } from '../../model/viewed-bytes.ts'

/** Bytes of slabs that answers of usual size share, so that a small one costs no allocation of its own. */
const SLAB_BYTES = 64 * 1024
/** Larger slabs are not kept for another large answer. */
const SPARE_BYTES_MAX = 4 * 1024 * 1024

/**
 * Where writers put their bytes. Messages stand one after the other in a slab that is never written again once handed
 * out; what is written but not yet taken moves to a slab of its own when room runs out.
 */
export class Output {
  buffer: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  /** The same bytes. */
  viewed: ViewedBytes = new ViewedBytes(this.buffer)
  /** Where the next byte goes. */
  length = 0
  /** Where what has not been taken begins. */
  #start = 0
  /** The shared slab, while a large answer has one of its own; and where it is free from. */
  #shared: ViewedBytes | undefined
  #sharedStart = 0
  /** The slab of a large answer that has been sent: a new one costs page faults, and collections of what it replaces. */
  #spare: ViewedBytes | undefined

  /** Makes room for `bytes` more; returns where they may be written. They count once `length` is moved. */
  reserve(bytes: number): number {
    if (this.length + bytes > this.buffer.length) this.#grow(bytes)
    return this.length
  }

  /** Bytes that have not been taken. A position counted from there stays right when the slab changes. */
  get pending(): number {
    return this.length - this.#start
  }

  /** Drops what was written after `pending` was this. */
  rewind(pending: number): void {
    this.length = this.#start + pending
  }

  /** Hands out what has been written since the last time. */
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

  /** Takes back what `take` handed out in a slab of its own: nobody may look at it any more. */
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

/** Whether an answer was too large for the slab that the others share. */
export function hasOwnSlab(taken: Buffer): boolean {
  return taken.buffer.byteLength > SLAB_BYTES
}

function newSlab(bytes: number): ViewedBytes {
  return new ViewedBytes(Buffer.allocUnsafeSlow(bytes))
}
