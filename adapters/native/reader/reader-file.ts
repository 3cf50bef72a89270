import type { HBaseError } from '../../../src/model/errors.ts'
import type { ReadableFile } from '../platform/file-system.ts'
import { readFault } from '../region/read-faults.ts'

/** A store file that a reader has opened. It reports each read that fails. */
export class ReaderFile implements ReadableFile {
  readonly path: string
  readonly #file: ReadableFile
  readonly #onFault: (error: HBaseError) => void

  constructor(file: ReadableFile, onFault: (error: HBaseError) => void) {
    this.path = file.path
    this.#file = file
    this.#onFault = onFault
  }

  /** Throws IO, which names the file and the offset, and CORRUPTION where the file is gone. */
  read(target: Buffer, offset: number, length: number, position: number): number {
    try {
      return this.#file.read(target, offset, length, position)
    } catch (cause) {
      const error = readFault(this.path, position, cause)
      this.#onFault(error)
      throw error
    }
  }

  size(): number {
    return this.#file.size()
  }

  close(): void {
    this.#file.close()
  }
}
