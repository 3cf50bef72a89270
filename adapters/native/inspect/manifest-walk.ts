/** Reads a manifest's two files together, edit by edit: their bytes are the same, so that one has what is damaged in the other. */

import { crc32c } from '@node-rs/crc32'
import { readInt32 } from '../../../src/model/bytes.ts'
import { decodeEdit, type ManifestEdit } from '../catalog/manifest-edit.ts'
import { MANIFEST_MAGIC } from '../catalog/manifest-file.ts'
import type { FileSystem } from '../platform/file-system.ts'

const HEADER_BYTES = 8

export type WalkedEdit =
  | { readonly kind: 'edit'; readonly offset: number; readonly bytes: number; readonly edit: ManifestEdit }
  | { readonly kind: 'damage'; readonly offset: number; readonly end: number }

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

/** The edits that any of the copies has, in order. Damage is where none has a whole edit. */
export function* walkManifest(copies: readonly Buffer[]): Generator<WalkedEdit> {
  const end = Math.max(0, ...copies.map((bytes) => bytes.length))
  const hasMagic = copies.some((bytes) => bytes.subarray(0, MANIFEST_MAGIC.length).equals(MANIFEST_MAGIC))
  let at = hasMagic ? MANIFEST_MAGIC.length : 0
  while (at < end) {
    const found = editIn(copies, at)
    if (found !== undefined) {
      yield { kind: 'edit', offset: at, ...found }
      at += found.bytes
      continue
    }
    let next = at + 1
    while (next < end && editIn(copies, next) === undefined) next++
    yield { kind: 'damage', offset: at, end: next }
    at = next
  }
}

function editIn(copies: readonly Buffer[], at: number): { bytes: number; edit: ManifestEdit } | undefined {
  for (const copy of copies) {
    const payload = payloadAt(copy, at)
    if (payload === undefined) continue
    const edit = decodeEdit(payload)
    if (edit !== undefined) return { bytes: HEADER_BYTES + payload.length, edit }
  }
  return undefined
}

function payloadAt(bytes: Buffer, at: number): Buffer | undefined {
  if (bytes.length - at < HEADER_BYTES) return undefined
  const length = readInt32(bytes, at) >>> 0
  const start = at + HEADER_BYTES
  if (length === 0 || length > bytes.length - start) return undefined
  const payload = bytes.subarray(start, start + length)
  return crc32c(payload) === readInt32(bytes, at + 4) >>> 0 ? payload : undefined
}
