import type { OpenFile } from '../platform/file-system.ts'

const WINDOW_BYTES = 4 << 20

/** Reads a long file through a window that moves forwards, so that its length does not matter. */
export class FileWindow {
  readonly size: number
  readonly #file: OpenFile
  #buffer: Buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: OpenFile) {
    this.#file = file
    this.size = file.size()
  }

  /** The bytes [at, at + length) of the file, fewer at its end; valid until the next call. */
  bytes(at: number, length: number): Buffer {
    const end = Math.min(at + length, this.size)
    if (at < this.#start || end > this.#start + this.#buffer.length) this.#load(at, end - at)
    return this.#buffer.subarray(at - this.#start, Math.max(at, end) - this.#start)
  }

  #load(at: number, length: number): void {
    const buffer = Buffer.allocUnsafeSlow(
      Math.min(Math.max(length, WINDOW_BYTES), Math.max(0, this.size - at)),
    )
    this.#start = at
    this.#buffer = buffer.subarray(0, this.#file.read(buffer, 0, buffer.length, at))
  }
}
