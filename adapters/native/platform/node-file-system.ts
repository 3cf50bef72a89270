/** The engine's file system on node:fs: synchronous, except for syncs. */

import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile } from './file-system.ts'

const fdatasync = promisify(fs.fdatasync)
const fsync = promisify(fs.fsync)

const FLAGS = { read: 'r', append: 'a+', create: 'ax+' } as const

class NodeFile implements OpenFile {
  readonly path: string
  readonly #descriptor: number

  constructor(filePath: string, mode: keyof typeof FLAGS) {
    this.path = filePath
    this.#descriptor = fs.openSync(filePath, FLAGS[mode])
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
    fs.closeSync(this.#descriptor)
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

class NodeFileSystem implements FileSystem {
  open(filePath: string, mode: 'read' | 'append' | 'create'): OpenFile {
    return new NodeFile(filePath, mode)
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

  remove(filePath: string): void {
    fs.rmSync(filePath, { recursive: true, force: true })
  }

  removeIfEmpty(directory: string): boolean {
    try {
      fs.rmdirSync(directory)
      return true
    } catch {
      return false
    }
  }

  async syncDirectory(directory: string): Promise<void> {
    const descriptor = fs.openSync(directory, 'r')
    try {
      await fsync(descriptor)
    } finally {
      fs.closeSync(descriptor)
    }
  }

  lock(directory: string): () => void {
    return lockDirectory(path.resolve(directory))
  }
}

export const NODE_FILE_SYSTEM: FileSystem = new NodeFileSystem()

const LOCK_NAME = 'LOCK'
/** Field 22 of /proc/PID/stat, counted from behind the name in parentheses, which may hold any characters. */
const START_TIME_FIELD = 19

/** `pid start`: the kernel's start time of the process, or 0 where the kernel does not tell it. */
function ownerText(pid: number): string {
  return `${pid} ${processStartTime(pid)}`
}

function processStartTime(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_TIME_FIELD] ?? '0'
  } catch {
    return '0'
  }
}

function isAlive(owner: string): boolean {
  const [text = '', start = '0'] = owner.split(' ')
  const pid = Number(text)
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false
  }
  return start === '0' || start === processStartTime(pid)
}

/** Directories that this process holds: its pid in a lock file may be that of an earlier process. */
const held = new Set<string>()

/**
 * Locks a directory for one process by a file LOCK that names the owner. A dead owner's lock is void, so that a store can
 * be opened after kill -9. Another process may have got the owner's pid, so the lock names its start time, too.
 *
 * Returns a function that unlocks it. Throws UNAVAILABLE where a live process holds it.
 */
function lockDirectory(directory: string): () => void {
  const lock = path.join(directory, LOCK_NAME)
  if (held.has(lock)) throw inUse(directory, ownerText(process.pid))
  fs.mkdirSync(directory, { recursive: true })
  const mine = ownerText(process.pid)
  while (!tryCreate(lock, mine)) removeStale(directory, lock, mine)
  held.add(lock)
  return () => {
    if (!held.delete(lock)) return
    fs.rmSync(lock, { force: true })
  }
}

function tryCreate(lock: string, mine: string): boolean {
  // The lock is linked into place with its content, so that nobody reads a lock without an owner.
  const draft = `${lock}.${process.pid}`
  fs.writeFileSync(draft, mine)
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

function readOwner(lock: string): string | undefined {
  try {
    return fs.readFileSync(lock, 'latin1')
  } catch {
    return undefined
  }
}

function removeStale(directory: string, lock: string, mine: string): void {
  const owner = readOwner(lock)
  if (owner === undefined) return
  if (owner !== mine && isAlive(owner)) throw inUse(directory, owner)
  // Of several processes that find a dead owner's lock, only one moves it away; one that has moved a new lock puts it back.
  const moved = `${lock}.stale.${process.pid}`
  try {
    fs.renameSync(lock, moved)
  } catch {
    return
  }
  if (readOwner(moved) !== owner) {
    fs.linkSync(moved, lock)
    fs.rmSync(moved, { force: true })
    throw inUse(directory, readOwner(lock) ?? 'unknown')
  }
  fs.rmSync(moved, { force: true })
}

function inUse(directory: string, owner: string): HBaseError {
  const [pid = 'unknown'] = owner.split(' ')
  return new HBaseError('UNAVAILABLE', `the directory ${directory} is in use by process ${pid}`, {
    detail: { directory, pid },
  })
}
