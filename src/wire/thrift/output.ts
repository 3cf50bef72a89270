import { ViewedBytes } from './copy-bytes.ts'

/** Bytes of slabs that answers of usual size share, so that a small one costs no allocation of its own. */
const SLAB_BYTES = 64 * 1024

/**
 * Where writers put their bytes. Messages stand one after the other in a slab that is never written again once handed
 * out; what is written but not yet taken moves to a greater slab when room runs out.
 */
export class Output {
  buffer: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  /** The same bytes. */
  viewed: ViewedBytes = new ViewedBytes(this.buffer)
  /** Where the next byte goes. */
  length = 0
  /** Where what has not been taken begins. */
  #start = 0

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
    if (this.buffer.length > SLAB_BYTES) this.#renew(SLAB_BYTES)
    return taken
  }

  #grow(bytes: number): void {
    const { buffer, pending } = this
    const start = this.#start
    const wanted = pending + bytes
    this.#renew(wanted <= SLAB_BYTES >>> 1 ? SLAB_BYTES : Math.ceil(wanted * 1.5))
    buffer.copy(this.buffer, 0, start, start + pending)
    this.length = pending
  }

  #renew(bytes: number): void {
    this.buffer = Buffer.allocUnsafeSlow(bytes)
    this.viewed = new ViewedBytes(this.buffer)
    this.#start = 0
    this.length = 0
  }
}
