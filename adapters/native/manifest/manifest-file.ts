/**
 * The bytes of a manifest: docs/formats.md has them with an example.
 *
 *     manifest := magic "TIDEMAN1" | record*
 *     record   := length u32 | crc u32 | edit        length and CRC32C of the edit, MessagePack
 *
 * PERSISTED: never renumber.
 */

import { EMPTY, readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { atOnce, eachInSteps, type Steps } from '../../../src/model/steps.ts'
import { crc32c } from '../../../src/wire/checksums/checksums.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { decodeEdit, encodeEdit, type ManifestEdit } from './manifest-edit.ts'

export const MANIFEST_MAGIC: Buffer = Buffer.from('TIDEMAN1', 'latin1')
/** Bytes of a record before its edit. */
export const HEADER_BYTES = 8
/** Bytes of a record of which the checksum is made in one step. */
const SUMMED_AT_ONCE = 256 * 1024

/** The content of one of the two files of a manifest. */
export interface ManifestContent {
  readonly path: string
  /** Grows with each rewrite; 0 in files of the time when there was no copy. */
  readonly generation: number
  /** The whole edits from the file's beginning. */
  readonly edits: readonly ManifestEdit[]
  /** Bytes of magic and whole edits. */
  readonly end: number
  readonly size: number
  /** The fault at `end`, if no unfinished append can have left it. */
  readonly fault: string | undefined
  /** The record of the last whole edit. */
  readonly last: Buffer
  /** The bytes that follow `end`: no whole edit. */
  readonly rest: Buffer
}

export function encodeRecord(edit: ManifestEdit): Buffer {
  return atOnce(recordInSteps(edit))
}

export function* recordInSteps(edit: ManifestEdit): Steps<Buffer> {
  const parts = yield* encodeEdit(edit)
  let length = 0
  yield* eachInSteps(parts, (part) => {
    length += part.length
  })
  const record = Buffer.allocUnsafe(HEADER_BYTES + length)
  let at = HEADER_BYTES
  yield* eachInSteps(parts, (part) => {
    at += part.copy(record, at)
  })
  let sum = 0
  for (at = HEADER_BYTES; at < record.length; at += SUMMED_AT_ONCE) {
    sum = crc32c(record.subarray(at, at + SUMMED_AT_ONCE), sum)
    yield
  }
  writeInt32(record, 0, length)
  writeInt32(record, 4, sum)
  return record
}

/** Reads a manifest as far as it is whole; undefined where there is no such file. */
export function readManifest(fileSystem: FileSystem, path: string): ManifestContent | undefined {
  const bytes = manifestBytes(fileSystem, path)
  return bytes === undefined ? undefined : parseManifest(path, bytes)
}

/** The bytes of a manifest; undefined where there is no such file. Throws what the file system throws. */
export function manifestBytes(fileSystem: FileSystem, path: string): Buffer | undefined {
  if (!fileSystem.exists(path)) return undefined
  const file = fileSystem.open(path, 'read')
  try {
    const bytes = Buffer.allocUnsafeSlow(file.size())
    return bytes.subarray(0, file.read(bytes, 0, bytes.length, 0))
  } finally {
    file.close()
  }
}

export function parseManifest(path: string, bytes: Buffer): ManifestContent {
  const size = bytes.length
  if (!bytes.subarray(0, MANIFEST_MAGIC.length).equals(MANIFEST_MAGIC)) {
    return {
      path,
      generation: 0,
      edits: [],
      end: 0,
      size,
      fault: 'it is no manifest',
      last: EMPTY,
      rest: bytes,
    }
  }
  const edits: ManifestEdit[] = []
  let generation = 0
  let at = MANIFEST_MAGIC.length
  let last = EMPTY
  for (let payload = editAt(bytes, at); payload !== undefined; payload = editAt(bytes, at)) {
    const edit = decodeEdit(payload)
    if (edit === undefined)
      return {
        path,
        generation,
        edits,
        end: at,
        size,
        fault: 'a record is no edit',
        last,
        rest: bytes.subarray(at),
      }
    if (edit.kind === 'generation') generation = edit.number
    else edits.push(edit)
    last = bytes.subarray(at, at + HEADER_BYTES + payload.length)
    at += last.length
  }
  return { path, generation, edits, end: at, size, fault: faultAt(bytes, at), last, rest: bytes.subarray(at) }
}

/** The edit's bytes where a whole record begins at `at`. */
export function editAt(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes.length - at < HEADER_BYTES) return undefined
  const length = readInt32(bytes, at) >>> 0
  const start = at + HEADER_BYTES
  if (length === 0 || length > bytes.length - start) return undefined
  const payload = bytes.subarray(start, start + length)
  return crc32c(payload) === readInt32(bytes, at + 4) >>> 0 ? payload : undefined
}

/** Whether the bytes are as long as an edit. A power loss may leave an unfinished one so, with parts that are zeros. */
export function isWholeLength(rest: Buffer): boolean {
  const length = rest.length < HEADER_BYTES ? 0 : readInt32(rest, 0) >>> 0
  return length > 0 && length <= rest.length - HEADER_BYTES
}

function faultAt(bytes: Buffer, at: number): string | undefined {
  for (let later = at + 1; later < bytes.length; later++) {
    if (editAt(bytes, later) !== undefined) return `an edit at byte ${later} follows`
  }
  return undefined
}
