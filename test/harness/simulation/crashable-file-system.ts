/**
 * A file system in memory that can lose data as a crash does. `killed` keeps all bytes that the operating system has, as kill -9 does;
 * `powerLost` keeps what was synced, and any part of what was not: blocks and sizes of files, and entries of directories, each on its
 * own. Both return a new file system and leave this one.
 */

import { posix } from 'node:path'
import type { FileSystem, OpenFile, RandomSource } from '../../../adapters/native/platform/file-system.ts'
import { closable } from './closable-file.ts'
import { isWithin, parentOf, parentsOf } from './disk-paths.ts'
import { fileIdIn } from './file-ids.ts'
import { copier, MemoryFile } from './memory-file.ts'

/** Fault of the nth append from now: it fails whole, or after some of its bytes. */
interface AppendFault {
  readonly after: number
  readonly writtenBytes: number
}

/** Bugs to test the simulations with, of an engine or its disk: syncs that do nothing, a log that swallows appends, or has them one too late. */
export type PlantedBug = 'skips syncs' | 'skips directory syncs' | 'drops appends' | 'delays appends'

/** Of the appends to logs, one in so many is dropped. */
const DROPPED_APPENDS = 6

export class CrashableFileSystem implements FileSystem {
  /** Path to file, as the operating system sees it. */
  readonly #files = new Map<string, MemoryFile>()
  /** The entries that the disk has: a syncDirectory has made them safe. */
  #safe = new Map<string, MemoryFile>()
  #logAppends = 0
  /** Directories that were made; those of a test's own files need not be. */
  readonly #directories = new Set<string>()
  readonly realPath = (path: string): string => posix.normalize(path)
  readonly fileId: FileSystem['fileId'] = (path) => fileIdIn(this.#files, path)
  /** Directories that the disk has. */
  readonly #safeDirectories = new Set<string>()
  readonly #locks = new Set<string>()
  #appendsUntilFault = Number.POSITIVE_INFINITY
  #faultBytes = 0
  #isDead = false
  /** Of a bug that delays appends: the last one to a log. */
  #late: Buffer = Buffer.alloc(0)
  /** Appends for which there was no room, in all lives of the disk. */
  refusals = 0
  syncs = 0
  appends = 0
  plantedBug: PlantedBug | undefined
  /** What the disk writes whole: small files take a small one to be torn. */
  blockBytes = 4096
  /** A longer name of a file or directory is refused. */
  nameBytesMax: number = Number.POSITIVE_INFINITY
  /** False: as a disk on which a file has one name. */
  hasLinks = true
  /** Paths that cannot be opened: a table's files on a disk that has gone, say. */
  failOpening: (path: string) => boolean = () => false
  /** Reads that the disk fails. */
  failReading: (path: string) => boolean = () => false
  /** Syncs that the disk fails. */
  failSyncing: (path: string) => boolean = () => false
  lockLoss: FileSystem['lockLoss'] = () => undefined
  readonly freeBytes: FileSystem['freeBytes'] = () => Number.POSITIVE_INFINITY
  readonly diskBytes: FileSystem['diskBytes'] = () => Number.POSITIVE_INFINITY
  readonly stamp: FileSystem['stamp'] = (path) => this.#files.get(path)?.bytes.toString('latin1') ?? ''

  /** Lets `after` more appends through; the next one writes some bytes and fails, and so do all after it. */
  failAppends(fault: AppendFault): void {
    this.#appendsUntilFault = fault.after
    this.#faultBytes = fault.writtenBytes
  }

  repair(): void {
    this.#appendsUntilFault = Number.POSITIVE_INFINITY
  }

  #successor(): CrashableFileSystem {
    const survivor = new CrashableFileSystem()
    survivor.plantedBug = this.plantedBug
    survivor.blockBytes = this.blockBytes
    survivor.refusals = this.refusals
    return survivor
  }

  killed(): CrashableFileSystem {
    this.#isDead = true
    return this.fork()
  }

  /** A copy, as `killed` returns it; this one lives on. */
  fork(): CrashableFileSystem {
    const survivor = this.#successor()
    const copyOf = copier((file) => file.copy())
    for (const [path, file] of this.#files) survivor.#files.set(path, copyOf(file))
    for (const [path, file] of this.#safe) survivor.#safe.set(path, copyOf(file))
    for (const path of this.#directories) survivor.#directories.add(path)
    for (const path of this.#safeDirectories) survivor.#safeDirectories.add(path)
    return survivor
  }

  /** Where `random` returns 0 nothing survives but what was synced, where it returns almost 1 everything does. */
  powerLost(random: RandomSource): CrashableFileSystem {
    const survivor = this.#successor()
    for (const path of new Set([...this.#safeDirectories, ...this.#directories])) {
      const isSettled = this.#safeDirectories.has(path) === this.#directories.has(path)
      const remains = isSettled || random() < 0.5 ? this.#safeDirectories : this.#directories
      if (remains.has(path)) survivor.#directories.add(path)
    }
    const isKnown = (path: string): boolean => this.#safeDirectories.has(path) || this.#directories.has(path)
    const isLost = (path: string): boolean => isKnown(path) && !survivor.#directories.has(path)
    for (const path of survivor.#directories)
      if (parentsOf(path).some(isLost)) survivor.#directories.delete(path)
    const copyOf = copier((file) => file.afterPowerLoss(random, this.blockBytes))
    for (const path of new Set([...this.#safe.keys(), ...this.#files.keys()])) {
      const [before, now] = [this.#safe.get(path), this.#files.get(path)]
      const file = before === now || random() < 0.5 ? before : now
      if (file !== undefined && !parentsOf(path).some(isLost)) survivor.#files.set(path, copyOf(file))
    }
    survivor.#safe = new Map(survivor.#files)
    for (const path of survivor.#directories) survivor.#safeDirectories.add(path)
    this.#isDead = true
    return survivor
  }

  #put(path: string, bytes: Buffer): MemoryFile {
    const file = new MemoryFile([bytes])
    this.#files.set(path, file)
    return file
  }

  /** The file's bytes, which a test may damage. */
  bytesOf(path: string): Buffer {
    return this.#files.get(path)!.bytes
  }

  replace(path: string, bytes: Buffer): void {
    this.#put(path, Buffer.from(bytes))
  }

  /** As `cp` of another file to this name: the bytes of the file change, and those that have it open read them. */
  overwrite(path: string, bytes: Buffer): void {
    this.#files.get(path)!.write(Buffer.from(bytes))
  }

  paths(): string[] {
    return [...this.#files.keys()].sort()
  }

  open(path: string, mode: 'read' | 'append' | 'create'): OpenFile {
    this.#checkAlive()
    this.#checkName(path)
    if (this.failOpening(path)) throw new Error(`EIO: i/o error, open ${path}`)
    let file = this.#files.get(path)
    if (mode === 'create' && file !== undefined) throw new Error(`EEXIST: ${path}`)
    if (mode === 'read' && this.#directories.has(path)) throw systemError('EISDIR', path)
    if (mode === 'read' && file === undefined) throw new Error(`ENOENT: ${path}`)
    file ??= this.#put(path, Buffer.alloc(0))
    return closable(this.#openFile(path, file))
  }

  #openFile(path: string, file: MemoryFile): OpenFile {
    return {
      path,
      append: (buffers) => {
        this.#checkAlive()
        this.appends++
        const bytes = Buffer.concat(buffers)
        if (this.#appendsUntilFault-- <= 0) {
          this.refusals++
          file.write(Buffer.concat([file.bytes, bytes.subarray(0, this.#faultBytes)]))
          this.#faultBytes = 0
          throw systemError('ENOSPC', `no space left on device, write ${path}`)
        }
        const isLog = path.endsWith('.log') && file.bytes.length > 0
        if (isLog && ++this.#logAppends % DROPPED_APPENDS === 0 && this.plantedBug === 'drops appends') return
        const late = this.#late
        if (this.plantedBug === 'delays appends' && isLog) this.#late = bytes
        file.write(Buffer.concat([file.bytes, this.#late === bytes ? late : bytes]))
      },
      read: (target, offset, length, position) => {
        if (this.failReading(path)) throw systemError('EIO', `i/o error, read ${path}`)
        return file.bytes.copy(target, offset, position, position + length)
      },
      size: () => file.bytes.length,
      truncate: (bytes) => {
        this.#checkAlive()
        file.write(Buffer.from(file.bytes.subarray(0, bytes)))
      },
      sync: async () => {
        this.#checkAlive()
        const end = file.beginSync()
        await Promise.resolve()
        this.syncs++
        if (this.failSyncing(path)) throw systemError('EIO', `i/o error, fsync ${path}`)
        if (this.plantedBug !== 'skips syncs') end()
      },
      close: () => undefined,
    }
  }

  list(directory: string): string[] {
    const names = new Set<string>()
    const prefix = `${directory}/`
    for (const path of [...this.#files.keys(), ...this.#directories]) {
      if (path.startsWith(prefix)) names.add(path.slice(prefix.length).split('/')[0]!)
    }
    return [...names].sort()
  }

  exists(path: string): boolean {
    return this.#files.has(path) || this.#directories.has(path) || this.list(path).length > 0
  }

  #checkName(path: string): void {
    const isLong = path.split('/').some((name) => Buffer.byteLength(name) > this.nameBytesMax)
    if (isLong) throw new Error(`ENAMETOOLONG: ${path}`)
  }

  makeDirectory(path: string): void {
    this.#checkAlive()
    this.#checkName(path)
    for (let at = path; at.length > 0; at = parentOf(at)) this.#directories.add(at)
  }

  rename(from: string, to: string): void {
    this.#checkAlive()
    if (!this.exists(from)) throw new Error(`ENOENT: ${from}`)
    for (const [path, file] of this.#files) {
      if (!isWithin(path, from)) continue
      this.#files.delete(path)
      this.#files.set(`${to}${path.slice(from.length)}`, file)
    }
    for (const path of this.#directories) {
      if (!isWithin(path, from)) continue
      this.#directories.delete(path)
      this.#directories.add(`${to}${path.slice(from.length)}`)
    }
  }

  link(from: string, to: string): boolean {
    this.#checkAlive()
    this.#checkName(to)
    const file = this.#files.get(from)
    if (file === undefined) throw new Error(`ENOENT: ${from}`)
    if (this.#files.has(to)) throw new Error(`EEXIST: ${to}`)
    if (!this.hasLinks) return false
    this.#files.set(to, file)
    return true
  }

  linkCount(path: string): number {
    const file = this.#files.get(path)
    return [...this.#files.values()].filter((other) => other === file).length
  }

  remove(path: string): void {
    this.#checkAlive()
    for (const known of this.#files.keys()) if (isWithin(known, path)) this.#files.delete(known)
    for (const known of this.#directories) if (isWithin(known, path)) this.#directories.delete(known)
  }

  async readAside(path: string, offset: number, length: number): Promise<Buffer> {
    const file = this.open(path, 'read')
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, offset < file.size() ? file.read(bytes, 0, length, offset) : 0)
  }

  async removeLarge(path: string): Promise<void> {
    await Promise.resolve()
    this.remove(path)
  }

  removeIfEmpty(path: string): boolean {
    this.#checkAlive()
    if (this.#files.has(path) || this.list(path).length > 0) return false
    this.#directories.delete(path)
    return true
  }

  async syncDirectory(directory: string): Promise<void> {
    this.#checkAlive()
    await Promise.resolve()
    if (this.plantedBug === 'skips directory syncs') return
    const isIn = (path: string): boolean => parentOf(path) === directory
    for (const path of this.#safe.keys()) if (isIn(path) && !this.#files.has(path)) this.#safe.delete(path)
    for (const [path, file] of this.#files) if (isIn(path)) this.#safe.set(path, file)
    for (const path of this.#safeDirectories)
      if (isIn(path) && !this.#directories.has(path)) this.#safeDirectories.delete(path)
    for (const path of this.#directories) if (isIn(path)) this.#safeDirectories.add(path)
  }

  async lock(directory: string): Promise<() => void> {
    if (this.#locks.has(directory)) throw new Error(`locked: ${directory}`)
    this.#locks.add(directory)
    return () => void this.#locks.delete(directory)
  }

  /** Code that still runs after a test has killed its process must not reach the survivor, nor go on in silence. */
  #checkAlive(): void {
    if (this.#isDead) throw new Error('the process was killed')
  }
}

function systemError(code: string, message: string): Error {
  return Object.assign(new Error(`${code}: ${message}`), { code })
}
