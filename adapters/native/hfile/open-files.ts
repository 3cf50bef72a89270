/**
 * The store files of all stores, of which only some have a descriptor. A read opens the file that it needs. Another file closes for it:
 * roughly the one unused for the longest (second chance). Reads are synchronous, so that no descriptor is closed under one.
 *
 * A file can be opened again only while it has its name: see `whenUnused`.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile, ReadableFile } from '../platform/file-system.ts'
import { corruptFile } from './corruption.ts'
import { missingFile } from './missing-file.ts'

/** Readers of one path. */
interface Users {
  count: number
  readonly waiting: (() => void)[]
}

export class OpenFiles {
  /** Files that were opened again, since they had been closed for others. */
  reopened = 0
  readonly fileSystem: FileSystem
  readonly #max: number
  /** The files that have a descriptor, the one opened first at the front. */
  readonly #open = new Set<KeptFile>()
  readonly #users = new Map<string, Users>()

  /** `max`: descriptors; at least 1. */
  constructor(fileSystem: FileSystem, max: number) {
    this.fileSystem = fileSystem
    this.#max = max
  }

  /** Descriptors in use. */
  get count(): number {
    return this.#open.size
  }

  /** Throws what the file system throws. */
  open(path: string): KeptFile {
    const opened = this.openFile(path)
    try {
      const file = new KeptFile(this, opened)
      this.#open.add(file)
      const users = this.#users.get(path) ?? { count: 0, waiting: [] }
      users.count++
      this.#users.set(path, users)
      return file
    } catch (error) {
      opened.close()
      throw error
    }
  }

  /** Resolves once no reader has the file any more, so that it can be removed; undefined where none has it now. */
  whenUnused(path: string): Promise<void> | undefined {
    const users = this.#users.get(path)
    return users && new Promise((resolve) => users.waiting.push(resolve))
  }

  /** At the end of a store: readers that are left can go no further, and `whenUnused` resolves. */
  stopWaiting(): void {
    for (const { waiting } of this.#users.values()) for (const resolve of waiting.splice(0)) resolve()
  }

  /** A descriptor for a file. Where the process has no more of them, other files give theirs. */
  openFile(path: string): OpenFile {
    if (this.#open.size >= this.#max) this.#closeOldest()
    for (;;) {
      try {
        return this.fileSystem.open(path, 'read')
      } catch (error) {
        if (this.#open.size === 0 || !isShortOfFiles(error)) throw error
        for (let half = this.#open.size >>> 1; half >= 0; half--) this.#closeOldest()
      }
    }
  }

  reopenedFor(file: KeptFile): void {
    this.reopened++
    this.#open.add(file)
  }

  /** The file keeps its descriptor from now on, beside those that are counted. */
  exempt(file: KeptFile): void {
    this.#open.delete(file)
  }

  /** Ends `exempt`. */
  admit(file: KeptFile): void {
    this.#open.add(file)
  }

  closed(file: KeptFile): void {
    this.#open.delete(file)
    const users = this.#users.get(file.path)!
    if (--users.count > 0) return
    this.#users.delete(file.path)
    for (const resolve of users.waiting) resolve()
  }

  #closeOldest(): void {
    for (const file of this.#open) {
      this.#open.delete(file)
      if (!file.isUsed) {
        file.rest()
        return
      }
      file.isUsed = false
      this.#open.add(file)
    }
  }
}

/** A file of OpenFiles. */
export class KeptFile implements ReadableFile {
  readonly path: string
  /** Read since its turn to be closed came last. */
  isUsed = false
  /** Whether a file that was put in the place of this one, of the same size, is a copy of it. */
  isCopy: (file: ReadableFile) => boolean = () => false
  readonly #files: OpenFiles
  readonly #bytes: number
  #id: string | undefined
  #opened: OpenFile | undefined
  #isExempt = false
  #isClosed = false

  /** Called by OpenFiles only. */
  constructor(files: OpenFiles, opened: OpenFile) {
    this.path = opened.path
    this.#files = files
    this.#opened = opened
    this.#bytes = opened.size()
    this.#id = files.fileSystem.fileId(opened.path)
  }

  /** Throws CORRUPTION for another file of this name, or none, and what the file system throws; the next read tries again. */
  read(target: Buffer, offset: number, length: number, position: number): number {
    const file = this.#opened ?? this.#openAgain()
    this.isUsed = true
    return file.read(target, offset, length, position)
  }

  size(): number {
    return this.#bytes
  }

  #openAgain(): OpenFile {
    if (this.#isClosed) throw new HBaseError('IO', `store file ${this.path} is closed`)
    const opened = this.#descriptor()
    try {
      this.#checkSame(opened)
    } catch (error) {
      opened.close()
      throw error
    }
    this.#opened = opened
    this.#files.reopenedFor(this)
    return opened
  }

  #descriptor(): OpenFile {
    try {
      return this.#files.openFile(this.path)
    } catch (cause) {
      if (isShortOfFiles(cause) || this.#files.fileSystem.exists(this.path)) throw cause
      throw missingFile(this.path, cause)
    }
  }

  #checkSame(opened: OpenFile): void {
    const bytes = opened.size()
    if (bytes !== this.#bytes) throw corruptFile(this.path, 0, 'file size', this.#bytes, bytes)
    const id = this.#files.fileSystem.fileId(this.path)
    if (id === this.#id) return
    // Some disks number their files anew, and an operator may have brought the file back from a copy.
    if (!this.isCopy(opened))
      throw corruptFile(this.path, 0, 'file', 'the one that was opened first', 'another one')
    this.#id = id
  }

  /** Whether the file's name leads to the file that was opened. */
  hasItsName(): boolean {
    return this.#files.fileSystem.fileId(this.path) === this.#id
  }

  /** Keeps the descriptor of a file that could not be opened again; false where there is none. */
  keepOpen(): boolean {
    if (this.#opened === undefined) return false
    this.#isExempt = true
    this.#files.exempt(this)
    return true
  }

  /** Ends `keepOpen`. */
  mayRest(): void {
    if (!this.#isExempt) return
    this.#isExempt = false
    if (this.#opened !== undefined) this.#files.admit(this)
  }

  /** Gives the descriptor up until the next read. */
  rest(): void {
    this.#opened?.close()
    this.#opened = undefined
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#files.closed(this)
    this.rest()
  }
}

/** The limit of open files of this process, or of the machine, is reached. */
export function isShortOfFiles(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'EMFILE' || code === 'ENFILE'
}
