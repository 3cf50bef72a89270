/**
 * The store files that a thread has opened, and the memory that they take beside the block cache: the roots of their indexes and bloom filters, and
 * their info. A thread may come to thousands of files; beyond the limit those close that no read has used for long, and open again when one does.
 */

import { EndOfTurn } from '../../../src/model/end-of-turn.ts'

/** Objects of a file with a small section. Measured. */
const FILE_BYTES = 32 * 1024
/** The section that is read at the opening stands in memory as it was read, and as what was read from it. */
const SECTION_PART = 2

export interface OpenedFile {
  /** Read since its turn to be closed came last. */
  isUsed: boolean
  /** True while a read goes on in it after its turn of the event loop. */
  readonly isHeld: boolean
  readonly bytes: number
  close(): void
}

/** `sectionBytes`: of the part of a file that is read when it is opened. */
export function openedBytes(sectionBytes: number): number {
  return FILE_BYTES + SECTION_PART * sectionBytes
}

export class OpenedFiles {
  /** Memory of the files that are open. */
  bytes = 0
  readonly #bytesMax: number
  /** The file opened first at the front. */
  readonly #files = new Set<OpenedFile>()
  /** Within a turn reads stand in files that no scan holds. */
  readonly #end = new EndOfTurn(() => this.#closeOldest())

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  /** Files that are open. */
  get count(): number {
    return this.#files.size
  }

  opened(file: OpenedFile): void {
    this.#files.add(file)
    this.bytes += file.bytes
    if (this.bytes > this.#bytesMax) this.#end.ask()
  }

  closed(file: OpenedFile): void {
    if (this.#files.delete(file)) this.bytes -= file.bytes
  }

  /** Second chance. Each file is looked at twice at most: scans may hold all of them. */
  #closeOldest(): void {
    let looks = 2 * this.#files.size
    for (const file of this.#files) {
      if (this.bytes <= this.#bytesMax || looks-- === 0) return
      if (file.isUsed || file.isHeld) {
        file.isUsed = false
        this.#files.delete(file)
        this.#files.add(file)
      } else file.close()
    }
  }
}
