/**
 * The manifest: append-only edits to the catalog, each on disk before it counts. It is kept twice, as `manifest` and
 * `manifest.copy`: damage to one file costs nothing, and an edit that a crash has cut can be distinguished from one that was lost.
 *
 * Once the files have become long, at a start or later, an atomic rewrite replaces their edits by the sum of them.
 */

import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { checkHasNoData, dataFolder } from '../layout/data-folders.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { LostAndFound } from '../platform/lost-and-found.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { chooseManifest, type ManifestRemark } from './manifest-choice.ts'
import { doubtAbout, refusedBy } from './manifest-doubt.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { readManifest, recordInSteps } from './manifest-file.ts'
import { encodeManifest, installDrafts, writeDrafts } from './manifest-rewrite.ts'
import { keepTampered, tamperingOf } from './manifest-tampering.ts'

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
  /** Why this process may never write the files again: another one may have them. */
  #loss: HBaseError | undefined
  /** Why the files may not have the last edit, or not as one of them has it; see settle. */
  #doubt: HBaseError | undefined
  #isClosed = false
  #isTamperingLogged = false
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

  /** Why no change of the catalog is taken now, if none is. */
  get failure(): HBaseError | undefined {
    return this.#loss ?? this.#doubt
  }

  /** Whether another process may have the folder. */
  get isLost(): boolean {
    return this.#loss !== undefined
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
      checkHasNoData(this.#fileSystem, this.#directory, path, 'is missing')
      await this.#rewrite(sum())
      return
    }
    const hasData = dataFolder(this.#fileSystem, this.#directory) !== undefined
    const { content, remarks } = chooseManifest(first, second, copyPath, hasData)
    if (content.edits.length === 0) checkHasNoData(this.#fileSystem, this.#directory, path, 'has no edits')
    for (const edit of content.edits) onEdit(edit)
    if (remarks.length > 0) {
      await this.#mend(remarks, sum())
    } else {
      // A kill may have come after the renames of a rewrite, and before the disk had them.
      await this.#fileSystem.syncDirectory(this.#directory)
      this.#openFiles(content.end)
      // Or before the sync of the copy's last edit.
      for (const file of this.#files) await file.sync()
      await this.shortenIfLong(sum)
    }
  }

  /** Logs damage, keeps the damaged file for a person to look at, and writes both files anew. */
  async #mend(remarks: readonly ManifestRemark[], edits: readonly ManifestEdit[]): Promise<void> {
    const lost = new LostAndFound(this.#fileSystem, this.#directory, this.#log)
    for (const { level, message, path, offset } of remarks) {
      this.#log(level, message, { path, offset })
      if (level === 'error' && this.#fileSystem.exists(path)) lost.setAside(path, 'it is damaged')
    }
    try {
      await this.#rewrite(edits)
    } catch (cause) {
      this.#doubtAfter(cause)
    }
  }

  /** Rewrites files that have grown long; no edit may be appended meanwhile. */
  async shortenIfLong(sum: SumOfEdits): Promise<void> {
    if (this.#bytes <= this.#longBytes || this.#files.length === 0 || !this.#isUsable()) return
    const generation = this.#generation + 1
    const bytes = await encodeManifest(generation, sum())
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
      this.#doubtAfter(cause)
    }
  }

  /**
   * Writes both files anew where one was removed or changed by hand: the next start would miss the edits to come. No edit may be
   * appended meanwhile.
   */
  async verify(sum: SumOfEdits): Promise<void> {
    if (this.#files.length === 0 || !this.#isUsable()) return
    const tampering = this.#paths.map((path) => this.#tampering(path)).find((found) => found !== undefined)
    if (tampering === undefined) {
      this.#isTamperingLogged = false
      return
    }
    const log = this.#isTamperingLogged ? (): void => undefined : this.#log
    this.#isTamperingLogged = true
    log('error', `${tampering}: another program has changed it; manifest and copy are written anew`)
    const bytes = await encodeManifest(this.#generation + 1, sum())
    try {
      await writeDrafts(this.#fileSystem, this.#paths, bytes)
    } catch (error) {
      log('error', 'the manifest could not be written anew: the next attempt follows', { error })
      return
    }
    try {
      const lost = new LostAndFound(this.#fileSystem, this.#directory, this.#log)
      keepTampered(this.#fileSystem, this.#paths, this.#bytes, lost)
      await this.#installDrafts(this.#generation + 1, bytes)
    } catch (cause) {
      this.#doubtAfter(cause)
    }
  }

  #tampering(path: string): string | undefined {
    return tamperingOf(this.#fileSystem, path, this.#bytes)
  }

  async #rewrite(edits: readonly ManifestEdit[]): Promise<void> {
    const generation = this.#generation + 1
    const bytes = await encodeManifest(generation, edits)
    await writeDrafts(this.#fileSystem, this.#paths, bytes)
    await this.#installDrafts(generation, bytes)
  }

  /** Where this fails, either file may be the old or the new one. */
  async #installDrafts(generation: number, bytes: Buffer): Promise<void> {
    this.#closeFiles()
    // Not used again where this fails: the next attempt may have other edits.
    this.#generation = generation
    await installDrafts(this.#fileSystem, this.#directory, this.#paths)
    this.#openFiles(bytes.length)
    this.#longBytes = longBytesBeside(bytes)
  }

  #openFiles(bytes: number): void {
    this.#files = this.#paths.map((path) => this.#fileSystem.open(path, 'append'))
    this.#bytes = bytes
  }

  /**
   * Resolves once the edit is on disk, twice. One call at a time. Where a file cannot be synced, both are written anew, with the edits of
   * `sum` and this one. Throws IO where the edit is not on disk, UNAVAILABLE where none is taken now, and in doubt: see isInDoubt.
   */
  async append(edit: ManifestEdit, sum: SumOfEdits): Promise<void> {
    if (!this.#isUsable()) throw this.#refusal()
    if (this.#files.length === 0) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    const record = await manyATurn(recordInSteps(edit))
    for (const file of this.#files) {
      try {
        file.append([record])
      } catch (cause) {
        await this.#takeBack(sum)
        const message = `the manifest ${file.path} cannot be written: ${reasonOf(cause)}`
        throw new HBaseError('IO', message, { cause })
      }
      try {
        await file.sync()
      } catch (cause) {
        return this.#writeAnew([...sum(), edit], cause)
      }
    }
    this.#bytes += record.length
  }

  /** Cuts off what a failed append has left; the caller then undoes what the edit was to record. Throws where the edit may be on disk. */
  async #takeBack(sum: SumOfEdits): Promise<void> {
    try {
      for (const file of this.#files) {
        if (file.size() === this.#bytes) continue
        file.truncate(this.#bytes)
        await file.sync()
      }
    } catch (cause) {
      await this.#writeAnew(sum(), cause)
    }
  }

  /** After a failed sync the content on disk is unknown, and a later sync does not report it: only new files are sure. */
  async #writeAnew(edits: readonly ManifestEdit[], cause: unknown): Promise<void> {
    this.#log('error', `manifest and copy are written anew: ${reasonOf(cause)}`, { path: this.#paths[0] })
    try {
      await this.#rewrite(edits)
    } catch {
      throw this.#doubtAfter(cause)
    }
  }

  /** Ends a doubt: writes both files anew with the edits of `sum`. Throws UNAVAILABLE where that is not possible yet. */
  async settle(sum: SumOfEdits): Promise<void> {
    if (this.#doubt === undefined) return
    // The caller must not undo the edit: the next start may find it.
    if (this.#isClosed || this.#hasLost()) throw this.#refusal()
    try {
      await this.#rewrite(sum())
    } catch {
      throw this.#refusal()
    }
    this.#doubt = undefined
    const [path] = this.#paths
    this.#log(
      'info',
      `the manifest ${path} is written again: it has all changes but the one that was refused`,
    )
  }

  #isUsable(): boolean {
    return !this.#hasLost() && this.#doubt === undefined
  }

  #refusal(): HBaseError {
    return this.#loss ?? refusedBy(this.#doubt!)
  }

  /** Another process may have the files by now where the lock of this one was removed. */
  #hasLost(): boolean {
    if (this.#loss !== undefined) return true
    const loss = this.#fileSystem.lockLoss(this.#directory)
    if (loss === undefined) return false
    const message = `the store has lost its folder (${loss}), which another process may have now: it takes no writes until it is started again`
    this.#loss = new HBaseError('UNAVAILABLE', message)
    this.#onLockLoss(this.#loss)
    return true
  }

  #doubtAfter(cause: unknown): HBaseError {
    const [path] = this.#paths
    this.#doubt = doubtAbout(path, cause)
    this.#log('error', this.#doubt.message, { path })
    return this.#doubt
  }

  close(): void {
    this.#isClosed = true
    this.#closeFiles()
  }

  #closeFiles(): void {
    for (const file of this.#files) file.close()
    this.#files = []
  }
}

function longBytesBeside(sum: Buffer): number {
  return 2 * sum.length + SURPLUS_BYTES_MAX
}
