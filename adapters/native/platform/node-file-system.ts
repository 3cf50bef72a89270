/** The engine's file system on node:fs: synchronous, except for syncs and for what may take long. */

import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { assert } from '../../../src/model/assert.ts'
import type { FileSystem, OpenFile } from './file-system.ts'
import { lockDirectory, lockLoss } from './node-directory-lock.ts'
import { openPlainFile } from './node-plain-file.ts'

const fdatasync = promisify(fs.fdatasync)
const fsync = promisify(fs.fsync)

/** The error codes of a disk without links, of one that allows no link, and of a file that has as many links as it can have. */
const LINKLESS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK']

class NodeFile implements OpenFile {
  readonly path: string
  /** Undefined once the file is closed: the system may have given the number to another file, which must not be used in its place. */
  #opened: number | undefined

  constructor(filePath: string, mode: 'read' | 'append' | 'create') {
    this.path = filePath
    this.#opened = openPlainFile(filePath, mode)
  }

  get #descriptor(): number {
    assert(this.#opened !== undefined, 'a closed file is used')
    return this.#opened
  }

  append(buffers: readonly Buffer[]): void {
    const total = buffers.reduce((bytes, buffer) => bytes + buffer.length, 0)
    const [only] = buffers
    let written =
      buffers.length === 1 ? fs.writeSync(this.#descriptor, only!) : fs.writevSync(this.#descriptor, buffers)
    if (written === total) return
    // The system may write less, as when the disk fills up: the next call then throws the reason.
    const rest = Buffer.concat(buffers)
    while (written < total) written += fs.writeSync(this.#descriptor, rest, written, total - written)
  }

  read(target: Buffer, offset: number, length: number, position: number): number {
    let read = 0
    while (read < length) {
      const bytes = fs.readSync(this.#descriptor, target, offset + read, length - read, position + read)
      if (bytes === 0) break
      read += bytes
    }
    return read
  }

  size(): number {
    return fs.fstatSync(this.#descriptor).size
  }

  truncate(bytes: number): void {
    fs.ftruncateSync(this.#descriptor, bytes)
  }

  sync(): Promise<void> {
    return fdatasync(this.#descriptor)
  }

  close(): void {
    const descriptor = this.#descriptor
    this.#opened = undefined
    fs.closeSync(descriptor)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

class NodeFileSystem implements FileSystem {
  open(filePath: string, mode: 'read' | 'append' | 'create'): OpenFile {
    return new NodeFile(filePath, mode)
  }

  realPath(filePath: string): string {
    return fs.realpathSync(filePath)
  }

  list(directory: string): string[] {
    try {
      return fs.readdirSync(directory).sort()
    } catch (error) {
      if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return []
      throw error
    }
  }

  exists(filePath: string): boolean {
    return fs.existsSync(filePath)
  }

  makeDirectory(directory: string): void {
    fs.mkdirSync(directory, { recursive: true })
  }

  rename(from: string, to: string): void {
    fs.renameSync(from, to)
  }

  link(from: string, to: string): boolean {
    try {
      fs.linkSync(from, to)
      return true
    } catch (error) {
      if (LINKLESS.some((code) => hasCode(error, code))) return false
      throw error
    }
  }

  linkCount(filePath: string): number {
    const status = fs.statSync(filePath)
    return status.isFile() ? status.nlink : 1
  }

  fileId(filePath: string): string | undefined {
    const status = fs.statSync(filePath, { bigint: true, throwIfNoEntry: false })
    return status === undefined || status.isDirectory() ? undefined : `${status.dev} ${status.ino}`
  }

  stamp(filePath: string): string {
    try {
      const status = fs.statSync(filePath, { throwIfNoEntry: false })
      return status === undefined ? '' : `${status.ino} ${status.size} ${status.mtimeMs}`
    } catch (error) {
      return String(error)
    }
  }

  remove(filePath: string): void {
    // Mostly it is a file, or nothing: rmSync looks for that first, which takes longer than the removal.
    try {
      fs.unlinkSync(filePath)
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) fs.rmSync(filePath, { recursive: true, force: true })
    }
  }

  async removeLarge(filePath: string): Promise<void> {
    try {
      await fs.promises.unlink(filePath)
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return
      if (!fs.lstatSync(filePath, { throwIfNoEntry: false })?.isDirectory()) throw error
      // Node's own removal of a directory begins with all of its files at once, which keeps the event loop where they are very many.
      for (const name of await fs.promises.readdir(filePath))
        await this.removeLarge(path.join(filePath, name))
      await fs.promises.rmdir(filePath)
    }
  }

  async readAside(filePath: string, offset: number, length: number): Promise<Buffer> {
    const file = await fs.promises.open(filePath, 'r')
    try {
      const bytes = Buffer.allocUnsafeSlow(length)
      let read = 0
      while (read < length) {
        const { bytesRead } = await file.read(bytes, read, length - read, offset + read)
        if (bytesRead === 0) break
        read += bytesRead
      }
      return bytes.subarray(0, read)
    } finally {
      await file.close()
    }
  }

  removeIfEmpty(directory: string): boolean {
    try {
      fs.rmdirSync(directory)
      return true
    } catch {
      return false
    }
  }

  freeBytes(directory: string): number {
    const { bavail, bsize } = fs.statfsSync(directory)
    return bavail * bsize
  }

  diskBytes(directory: string): number {
    const { blocks, bsize } = fs.statfsSync(directory)
    return blocks * bsize
  }

  async syncDirectory(directory: string): Promise<void> {
    const descriptor = fs.openSync(directory, 'r')
    try {
      await fsync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  }

  lock(directory: string): Promise<() => void> {
    return lockDirectory(path.resolve(directory))
  }

  lockLoss(directory: string): string | undefined {
    return lockLoss(path.resolve(directory))
  }
}

export const NODE_FILE_SYSTEM: FileSystem = new NodeFileSystem()
