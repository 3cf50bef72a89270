/**
 * The manifest: append-only edits to the catalog, each on disk before it counts. It is kept twice, as `manifest` and
 * `manifest.copy`: damage to one file costs nothing, and an edit that a crash has cut is told from one that was lost.
 *
 * Once the files have become long, at a start or later, an atomic rewrite replaces their edits by the sum of them.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import type { NativeLog } from '../native-options.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { LostAndFound } from '../platform/lost-and-found.ts'
import { isNotPlain } from '../platform/not-plain.ts'
import { chooseManifest, type ManifestRemark } from './manifest-choice.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { encodeRecord, readManifest } from './manifest-file.ts'
import { encodeManifest, installDrafts, writeDrafts } from './manifest-rewrite.ts'

/** Edits, beyond twice the length of their sum, that a start need not read: then a rewrite costs less than the edits did. */
const SURPLUS_BYTES_MAX = 256 * 1024

/** The few edits that say the same as all before them. */
export type SumOfEdits = () => readonly ManifestEdit[]

export class Manifest {
  readonly #fileSystem: FileSystem
  readonly #directory: string
  readonly #log: NativeLog
  /** The first file and its copy. */
  readonly #paths: readonly [string, string]
  #files: readonly OpenFile[] = []
  /** Length of each file. */
  #bytes = 0
  /** Files that are longer may be worth a rewrite. */
  #longBytes = SURPLUS_BYTES_MAX
  #generation = 0
  #failure: HBaseError | undefined
  #isTamperingTold = false
  readonly #onLockLoss: (failure: HBaseError) => void

  constructor(
    fileSystem: FileSystem,
    directory: string,
    log: NativeLog,
    onLockLoss: (failure: HBaseError) => void = () => undefined,
  ) {
    this.#onLockLoss = onLockLoss
    this.#fileSystem = fileSystem
    this.#directory = directory
    this.#log = log
    this.#paths = [`${directory}/manifest`, `${directory}/manifest.copy`]
  }

  /** The error that ended all changes of the catalog, if one has. */
  get failure(): HBaseError | undefined {
    return this.#failure
  }

  /**
   * Passes all edits to `onEdit`, oldest first, and opens the files for more. `sum` is called after the last edit. Throws
   * CORRUPTION, with file and offset, where both files are damaged, or where both are missing beside data.
   */
  async open(onEdit: (edit: ManifestEdit) => void, sum: SumOfEdits): Promise<void> {
    const [path, copyPath] = this.#paths
    this.#fileSystem.makeDirectory(this.#directory)
    const first = readManifest(this.#fileSystem, path)
    const second = readManifest(this.#fileSystem, copyPath)
    this.#generation = Math.max(first?.generation ?? 0, second?.generation ?? 0)
    if (first === undefined && second === undefined) {
      this.#checkHasNoData('is missing')
      await this.#rewrite(sum())
      return
    }
    const { content, remarks } = chooseManifest(first, second, copyPath, this.#dataFolder() !== undefined)
    if (content.edits.length === 0) this.#checkHasNoData('has no edits')
    for (const edit of content.edits) onEdit(edit)
    if (remarks.length > 0) {
      await this.#mend(remarks, sum())
    } else {
      // A kill may have come after the renames of a rewrite, and before the disk had them.
      await this.#fileSystem.syncDirectory(this.#directory)
      this.#openFiles(content.end)
      await this.shortenIfLong(sum)
    }
  }

  /** A store without a manifest is a new one only if its directory has nothing that a manifest would name. */
  #checkHasNoData(fault: string): void {
    const [path] = this.#paths
    const folder = this.#dataFolder()
    if (folder === undefined) return
    const message = `manifest ${path} ${fault}, but ${folder} has data: nothing was changed. Restore the manifest or its copy, or give an empty directory`
    throw new HBaseError('CORRUPTION', message, { detail: { path, offset: 0 } })
  }

  /** A folder with files that a manifest would name, if there is any. */
  #dataFolder(): string | undefined {
    const folders = ['data', 'wal', 'snapshots'].map((name) => `${this.#directory}/${name}`)
    return folders.find((folder) => this.#fileSystem.list(folder).length > 0)
  }

  /** Tells of damage, keeps the damaged file for a person to look at, and writes both files anew. */
  async #mend(remarks: readonly ManifestRemark[], edits: readonly ManifestEdit[]): Promise<void> {
    const lost = new LostAndFound(this.#fileSystem, this.#directory, this.#log)
    for (const { level, message, path, offset } of remarks) {
      this.#log(level, message, { path, offset })
      if (level === 'error' && this.#fileSystem.exists(path)) lost.setAside(path, 'it is damaged')
    }
    try {
      await this.#rewrite(edits)
    } catch (cause) {
      this.#fail(cause)
    }
  }

  /** Rewrites files that have grown long; no edit may be appended meanwhile. */
  async shortenIfLong(sum: SumOfEdits): Promise<void> {
    if (this.#bytes <= this.#longBytes || this.#files.length === 0 || !this.#isUsable()) return
    const generation = this.#generation + 1
    const bytes = encodeManifest(generation, sum())
    this.#longBytes = longBytesBeside(bytes)
    if (this.#bytes <= this.#longBytes) return
    try {
      await writeDrafts(this.#fileSystem, this.#paths, bytes)
    } catch (error) {
      this.#longBytes = this.#bytes + SURPLUS_BYTES_MAX
      this.#log('warn', 'the manifest could not be rewritten: it stays as long as it is', { error })
      return
    }
    try {
      await this.#installDrafts(generation, bytes)
    } catch (cause) {
      this.#fail(cause)
    }
  }

  /**
   * Writes both files anew where somebody has removed or changed one: the next start would miss the edits to come. No edit may be
   * appended meanwhile.
   */
  async verify(sum: SumOfEdits): Promise<void> {
    if (this.#files.length === 0 || !this.#isUsable()) return
    const tampering = this.#paths.map((path) => this.#tampering(path)).find((found) => found !== undefined)
    if (tampering === undefined) {
      this.#isTamperingTold = false
      return
    }
    const tell = this.#isTamperingTold ? (): void => undefined : this.#log
    this.#isTamperingTold = true
    tell('error', `${tampering}: another program has changed it; manifest and copy are written anew`)
    const bytes = encodeManifest(this.#generation + 1, sum())
    try {
      await writeDrafts(this.#fileSystem, this.#paths, bytes)
    } catch (error) {
      tell('error', 'the manifest could not be written anew: the next attempt follows', { error })
      return
    }
    try {
      this.#keepChanged()
      await this.#installDrafts(this.#generation + 1, bytes)
    } catch (cause) {
      this.#fail(cause)
    }
  }

  #tampering(path: string): string | undefined {
    if (!this.#fileSystem.exists(path)) return `${path} is gone`
    let bytes: number
    try {
      bytes = sizeOf(this.#fileSystem, path)
    } catch (error) {
      if (isNotPlain(error)) return `${path} is not a file any more`
      throw error
    }
    return bytes === this.#bytes ? undefined : `${path} has ${bytes} bytes in the place of ${this.#bytes}`
  }

  #keepChanged(): void {
    const lost = new LostAndFound(this.#fileSystem, this.#directory, this.#log)
    for (const path of this.#paths) {
      if (this.#fileSystem.exists(path) && this.#tampering(path) !== undefined)
        lost.setAside(path, 'another program has changed it')
    }
  }

  async #rewrite(edits: readonly ManifestEdit[]): Promise<void> {
    const generation = this.#generation + 1
    const bytes = encodeManifest(generation, edits)
    await writeDrafts(this.#fileSystem, this.#paths, bytes)
    await this.#installDrafts(generation, bytes)
  }

  /** Where this fails, either file may be the old or the new one. */
  async #installDrafts(generation: number, bytes: Buffer): Promise<void> {
    this.close()
    await installDrafts(this.#fileSystem, this.#directory, this.#paths)
    this.#openFiles(bytes.length)
    this.#generation = generation
    this.#longBytes = longBytesBeside(bytes)
  }

  #openFiles(bytes: number): void {
    this.#files = this.#paths.map((path) => this.#fileSystem.open(path, 'append'))
    this.#bytes = bytes
  }

  /** Resolves once the edit is on disk, twice. One call at a time. Throws IO where the edit is not on disk, UNAVAILABLE where it may be. */
  async append(edit: ManifestEdit): Promise<void> {
    if (!this.#isUsable()) throw this.#failure!
    if (this.#files.length === 0) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    const record = encodeRecord(edit)
    for (const file of this.#files) {
      try {
        file.append([record])
      } catch (cause) {
        await this.#takeBack()
        throw new HBaseError('IO', `the manifest ${file.path} cannot be written: ${reasonText(cause)}`, {
          cause,
        })
      }
      try {
        await file.sync()
      } catch (cause) {
        throw this.#fail(cause)
      }
    }
    this.#bytes += record.length
  }

  /** Cuts off what a failed append has left; the caller then undoes what the edit was to record. */
  async #takeBack(): Promise<void> {
    try {
      for (const file of this.#files) {
        if (file.size() === this.#bytes) continue
        file.truncate(this.#bytes)
        await file.sync()
      }
    } catch (cause) {
      this.#fail(cause)
    }
  }

  /** False after a failure. Another process may have the files by now where somebody has removed the lock of this one. */
  #isUsable(): boolean {
    if (this.#failure !== undefined) return false
    const loss = this.#fileSystem.lockLoss(this.#directory)
    if (loss === undefined) return true
    const message = `the store has lost its folder (${loss}), which another process may have now: it takes no writes until it is started again`
    this.#failure = new HBaseError('UNAVAILABLE', message)
    this.#onLockLoss(this.#failure)
    return false
  }

  #fail(cause: unknown): HBaseError {
    if (this.#failure !== undefined) return this.#failure
    const [path] = this.#paths
    const message = `the manifest ${path} is in doubt (${reasonText(cause)}): the store must be started again`
    this.#failure = new HBaseError('UNAVAILABLE', message, { cause })
    this.#log('error', message, { path })
    return this.#failure
  }

  close(): void {
    for (const file of this.#files) file.close()
    this.#files = []
  }
}

/** `sum`: the bytes of a rewritten file. */
function longBytesBeside(sum: Buffer): number {
  return 2 * sum.length + SURPLUS_BYTES_MAX
}

function sizeOf(fileSystem: FileSystem, path: string): number {
  const file = fileSystem.open(path, 'read')
  try {
    return file.size()
  } finally {
    file.close()
  }
}

function reasonText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
