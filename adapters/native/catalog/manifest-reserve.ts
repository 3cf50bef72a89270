/**
 * Room on the disk that is given up for an edit of the manifest that frees more: a table or a snapshot can be dropped though the disk is full.
 * It is a file of no meaning beside the manifest, which is made anew once the disk has room again.
 */

import { isHBaseError } from '../../../src/model/errors.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { Catalog } from './catalog.ts'
import type { ManifestEdit } from './manifest-edit.ts'

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

export class ManifestReserve {
  readonly #fileSystem: FileSystem
  readonly #path: string
  readonly #bytes: number

  /** `bytes`: 0 for none. */
  constructor(fileSystem: FileSystem, directory: string, bytes: number) {
    this.#fileSystem = fileSystem
    this.#path = `${directory}/manifest.reserve`
    this.#bytes = bytes
  }

  /** Gives the room up for an edit that the disk had none for, where the edit leads to more; false where nothing was given up. */
  giveUp(error: unknown, edit: ManifestEdit, catalog: Catalog): boolean {
    if (!isOfFullDisk(error) || !frees(edit, catalog)) return false
    try {
      if (!this.#fileSystem.exists(this.#path)) return false
      this.#fileSystem.remove(this.#path)
      return true
    } catch {
      return false
    }
  }

  /** Takes the room, unless it is taken. Where the disk has none, the next call tries again. */
  async take(): Promise<void> {
    if (this.#bytes === 0 || this.#fileSystem.exists(this.#path)) return
    try {
      const file = this.#fileSystem.open(this.#path, 'create')
      try {
        file.append([noise(this.#bytes)])
        await file.sync()
      } finally {
        file.close()
      }
    } catch {
      this.#remove()
    }
  }

  #remove(): void {
    try {
      this.#fileSystem.remove(this.#path)
    } catch {
      // It is there, with less than all of its bytes, and is given up as it is.
    }
  }
}

function isOfFullDisk(error: unknown): boolean {
  const cause = isHBaseError(error) ? error.cause : error
  return cause instanceof Error && 'code' in cause && FULL.has(cause.code)
}

/** Whether the edit takes a table's or a snapshot's files away, or must come before one that does, as a table is disabled before it is dropped. */
function frees(edit: ManifestEdit, { tables }: Catalog): boolean {
  if (edit.kind === 'table') return tables.has(edit.table.name)
  return edit.kind === 'table-gone' || edit.kind === 'snapshot-gone' || edit.kind === 'namespace-gone'
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
