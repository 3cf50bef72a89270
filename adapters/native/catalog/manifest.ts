/**
 * The manifest: an append-only file of checksummed edits to the catalog, each on disk before it counts.
 *
 *     manifest := magic "TIDEMAN1" | record*
 *     record   := length u32 | crc u32 | edit        length and CRC32C of the edit, MessagePack
 *
 * Once the edits have become many, an atomic rewrite replaces them by their sum. PERSISTED: never renumber.
 */

import { crc32c } from '@node-rs/crc32'
import { readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { decodeEdit, encodeEdit, type ManifestEdit } from './manifest-edit.ts'

const MAGIC: Buffer = Buffer.from('TIDEMAN1', 'latin1')
const HEADER_BYTES = 8
const EDITS_MAX = 1000

export class Manifest {
  readonly #fileSystem: FileSystem
  readonly #directory: string
  readonly #path: string
  #file: OpenFile | undefined
  #bytes = 0
  #failure: HBaseError | undefined

  constructor(fileSystem: FileSystem, directory: string) {
    this.#fileSystem = fileSystem
    this.#directory = directory
    this.#path = `${directory}/manifest`
  }

  /**
   * Passes all edits to `onEdit`, oldest first, and opens the file for more. `sum` returns the few edits that say the
   * same; it is called after the last edit. Throws CORRUPTION, with file and offset, for damage other than an
   * unfinished last edit.
   */
  async open(onEdit: (edit: ManifestEdit) => void, sum: () => readonly ManifestEdit[]): Promise<void> {
    this.#fileSystem.makeDirectory(this.#directory)
    if (!this.#fileSystem.exists(this.#path)) {
      await this.#rewrite(sum())
      return
    }
    const file = this.#fileSystem.open(this.#path, 'append')
    const bytes = Buffer.allocUnsafeSlow(file.size())
    file.read(bytes, 0, bytes.length, 0)
    const { end, edits } = readEdits(bytes, this.#path, onEdit)
    if (edits > EDITS_MAX) {
      file.close()
      await this.#rewrite(sum())
      return
    }
    this.#file = file
    this.#bytes = end
    if (end < bytes.length) {
      file.truncate(end)
      await file.sync()
    }
  }

  async #rewrite(edits: readonly ManifestEdit[]): Promise<void> {
    const draft = `${this.#path}.new`
    this.#fileSystem.remove(draft)
    const file = this.#fileSystem.open(draft, 'create')
    const records = [MAGIC, ...edits.map(encodeRecord)]
    file.append(records)
    await file.sync()
    file.close()
    this.#fileSystem.rename(draft, this.#path)
    await this.#fileSystem.syncDirectory(this.#directory)
    this.#file = this.#fileSystem.open(this.#path, 'append')
    this.#bytes = this.#file.size()
  }

  /** Resolves once the edit is on disk. One call at a time. Throws IO where the edit is not on disk, UNAVAILABLE where it may be. */
  async append(edit: ManifestEdit): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure
    const file = this.#file
    if (file === undefined) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    const record = encodeRecord(edit)
    try {
      file.append([record])
    } catch (cause) {
      this.#takeBack(file)
      throw new HBaseError('IO', `the manifest ${this.#path} cannot be written: ${reasonText(cause)}`, {
        cause,
      })
    }
    try {
      await file.sync()
    } catch (cause) {
      throw this.#fail(cause)
    }
    this.#bytes += record.length
  }

  /** Cuts off the bytes that a failed append has left. */
  #takeBack(file: OpenFile): void {
    try {
      file.truncate(this.#bytes)
    } catch (cause) {
      this.#fail(cause)
    }
  }

  #fail(cause: unknown): HBaseError {
    this.#failure = new HBaseError(
      'UNAVAILABLE',
      `the manifest ${this.#path} is in doubt (${reasonText(cause)}): the store must be started again`,
      { cause },
    )
    return this.#failure
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
  }
}

function reasonText(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function encodeRecord(edit: ManifestEdit): Buffer {
  const payload = encodeEdit(edit)
  const record = Buffer.allocUnsafe(HEADER_BYTES + payload.length)
  writeInt32(record, 0, payload.length)
  writeInt32(record, 4, crc32c(payload))
  payload.copy(record, HEADER_BYTES)
  return record
}

/** The edit's bytes where a whole record begins at `at`. */
function editAt(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes.length - at < HEADER_BYTES) return undefined
  const length = readInt32(bytes, at) >>> 0
  const start = at + HEADER_BYTES
  if (length === 0 || length > bytes.length - start) return undefined
  const payload = bytes.subarray(start, start + length)
  return crc32c(payload) === readInt32(bytes, at + 4) >>> 0 ? payload : undefined
}

function readEdits(
  bytes: Buffer,
  path: string,
  onEdit: (edit: ManifestEdit) => void,
): { end: number; edits: number } {
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw corruption(path, 0, 'it is no manifest')
  let at = MAGIC.length
  let edits = 0
  for (; at < bytes.length; edits++) {
    const payload = editAt(bytes, at)
    if (payload === undefined) {
      for (let later = at + 1; later < bytes.length; later++) {
        if (editAt(bytes, later) !== undefined) throw corruption(path, at, `an edit at byte ${later} follows`)
      }
      break
    }
    onEdit(decodeEdit(payload))
    at += HEADER_BYTES + payload.length
  }
  return { end: at, edits }
}

function corruption(path: string, offset: number, fault: string): HBaseError {
  return new HBaseError('CORRUPTION', `manifest ${path} is damaged at byte ${offset}: ${fault}`, {
    detail: { path, offset },
  })
}
