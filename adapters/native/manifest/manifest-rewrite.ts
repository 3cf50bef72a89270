/**
 * Puts new files in the place of a manifest and its copy, in that order: a crash leaves the old or the new ones, or one of
 * each. Until the first new file is in its place, a failure leaves the old ones.
 */

import { manyATurn } from '../../../src/model/many-a-turn.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { encodeRecord, MANIFEST_MAGIC, recordInSteps } from './manifest-file.ts'

/** The bytes of a file of this generation. The edits must not change meanwhile: the event loop runs in between. */
export async function encodeManifest(generation: number, edits: readonly ManifestEdit[]): Promise<Buffer> {
  const parts = [MANIFEST_MAGIC, encodeRecord({ kind: 'generation', number: generation })]
  for (const edit of edits) parts.push(await manyATurn(recordInSteps(edit)))
  return Buffer.concat(parts)
}

/** Writes the new files to disk beside the old ones. Leaves none where it fails. */
export async function writeDrafts(
  fileSystem: FileSystem,
  paths: readonly string[],
  bytes: Buffer,
): Promise<void> {
  try {
    for (const path of paths) await writeDraft(fileSystem, draftOf(path), bytes)
  } catch (error) {
    for (const path of paths) fileSystem.remove(draftOf(path))
    throw error
  }
}

/** Gives the new files the names of the old ones, for good. */
export async function installDrafts(
  fileSystem: FileSystem,
  directory: string,
  paths: readonly string[],
): Promise<void> {
  for (const path of paths) fileSystem.rename(draftOf(path), path)
  await fileSystem.syncDirectory(directory)
}

/** Both steps, for files that are not open. */
export async function rewriteManifest(
  fileSystem: FileSystem,
  directory: string,
  paths: readonly string[],
  generation: number,
  edits: readonly ManifestEdit[],
): Promise<void> {
  await writeDrafts(fileSystem, paths, await encodeManifest(generation, edits))
  await installDrafts(fileSystem, directory, paths)
}

async function writeDraft(fileSystem: FileSystem, path: string, bytes: Buffer): Promise<void> {
  fileSystem.remove(path)
  const file = fileSystem.open(path, 'create')
  try {
    file.append([bytes])
    await file.sync()
  } finally {
    file.close()
  }
}

function draftOf(path: string): string {
  return `${path}.new`
}
