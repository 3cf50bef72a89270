/**
 * Room on the disk that is given up for an edit of the manifest that frees more: a table or a snapshot can be dropped though the disk is full.
 * It is a file of no meaning beside the manifest, which is made anew once the disk has room again.
 */

import { isHBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import type { Catalog } from './catalog.ts'
import type { ManifestEdit, TableRecord } from './manifest-edit.ts'

/** Less is given up as a whole. */
const KEPT_BYTES_MIN = 64 * 1024

/** The disk must have so many times the room to spare, or the clients' writes would need it more. */
const SPARE_TIMES = 4
/** Calls that are passed over after failures: about 10 minutes of the calls of an idle server. */
const PAUSE_CALLS_MAX = 64

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

export class ManifestReserve {
  readonly #fileSystem: FileSystem
  readonly #path: string
  readonly #directory: string
  readonly #bytes: number
  /** Calls to pass over, and how many they were after the last failure. */
  #pause = 0
  #lastPause = 0

  /** `bytes`: 0 for none. */
  constructor(fileSystem: FileSystem, directory: string, bytes: number) {
    this.#fileSystem = fileSystem
    this.#directory = directory
    this.#path = `${directory}/manifest.reserve`
    this.#bytes = bytes
  }

  /** Gives the room up for an edit that the disk had none for, where the edit leads to more; false where nothing was given up. */
  giveUp(error: unknown, edit: ManifestEdit, catalog: Catalog): boolean {
    if (!isOfFullDisk(error) || !frees(edit, catalog)) return false
    try {
      if (!this.#fileSystem.exists(this.#path)) return false
      this.#giveHalf()
      return true
    } catch {
      return false
    }
  }

  /** Clients that go on writing may fill what is given up: half of it is kept for the next edit, such as that which drops a disabled table. */
  #giveHalf(): void {
    const file = this.#fileSystem.open(this.#path, 'append')
    const kept = Math.floor(file.size() / 2)
    try {
      if (kept >= KEPT_BYTES_MIN) file.truncate(kept)
    } finally {
      file.close()
    }
    if (kept < KEPT_BYTES_MIN) this.#fileSystem.remove(this.#path)
  }

  /** Takes the room, or what is missing of it, where the disk has it to spare. After a failure fewer and fewer calls try again. */
  async take(): Promise<void> {
    if (this.#bytes === 0 || this.#pause-- > 0) return
    try {
      if (this.#fileSystem.freeBytes(this.#directory) < SPARE_TIMES * this.#bytes) return
      const isThere = this.#fileSystem.exists(this.#path)
      const file = this.#fileSystem.open(this.#path, isThere ? 'append' : 'create')
      try {
        await this.#fill(file)
        this.#lastPause = 0
      } finally {
        file.close()
      }
    } catch {
      // The room that is there is given up as it is.
      this.#lastPause = Math.min(PAUSE_CALLS_MAX, 2 * this.#lastPause + 1)
      this.#pause = this.#lastPause
    }
  }

  async #fill(file: OpenFile): Promise<void> {
    const present = file.size()
    if (present >= this.#bytes) return
    try {
      file.append([noise(this.#bytes - present)])
      await file.sync()
    } catch (error) {
      // A full disk may have taken a part, which others need more.
      file.truncate(present)
      throw error
    }
  }
}

export function isOfFullDisk(error: unknown): boolean {
  const cause = isHBaseError(error) ? error.cause : error
  return cause instanceof Error && 'code' in cause && FULL.has(cause.code)
}

/**
 * True if the edit takes away the files of a table, family or snapshot, or unneeded files of the log. True also for an edit that must come
 * before such an edit: a table is disabled before it is dropped.
 */
function frees(edit: ManifestEdit, { tables, logs = [], keeping }: Catalog): boolean {
  if (edit.kind === 'logs') {
    const isKept = (edit.keeping?.kept.length ?? 0) < (keeping?.kept.length ?? 0)
    return edit.logs.length < logs.length || isKept
  }
  if (edit.kind === 'table') {
    const present = tables.get(edit.table.name)
    if (present === undefined) return false
    const isDisabled = present.state === 'ENABLED' && edit.table.state === 'DISABLED'
    return isDisabled || filesOf(edit.table) < filesOf(present)
  }
  return edit.kind === 'table-gone' || edit.kind === 'snapshot-gone' || edit.kind === 'namespace-gone'
}

function filesOf({ regions }: TableRecord): number {
  return regions.reduce((files, region) => files + region.files.length, 0)
}

/** Bytes that a file system which compresses cannot make fewer. */
function noise(bytes: number): Buffer {
  const filled = Buffer.alloc(bytes)
  let state = 1
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    filled[at] = state >>> 24
  }
  return filled
}
