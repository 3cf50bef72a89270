/** Reads a manifest's two files together, edit by edit: their bytes are the same, so that one has what is damaged in the other. */

import { decodeEdit, type ManifestEdit } from '../manifest/manifest-edit.ts'
import { editAt, HEADER_BYTES, MANIFEST_MAGIC } from '../manifest/manifest-file.ts'

export type WalkedEdit =
  | { readonly kind: 'edit'; readonly offset: number; readonly bytes: number; readonly edit: ManifestEdit }
  | { readonly kind: 'damage'; readonly offset: number; readonly end: number }

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
    const payload = editAt(copy, at)
    if (payload === undefined) continue
    const edit = decodeEdit(payload)
    if (edit !== undefined) return { bytes: HEADER_BYTES + payload.length, edit }
  }
  return undefined
}
