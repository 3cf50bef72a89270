import type { FileSystem } from '../platform/file-system.ts'
import type { ManifestEdit } from './manifest-edit.ts'
import { encodeRecord, MANIFEST_MAGIC } from './manifest-file.ts'

/**
 * Puts new files in the place of a manifest and its copy, in that order: a crash leaves the old or the new ones, or one of
 * each. Returns the length of each.
 */
export async function rewriteManifest(
  fileSystem: FileSystem,
  directory: string,
  paths: readonly string[],
  generation: number,
  edits: readonly ManifestEdit[],
): Promise<number> {
  const first = { kind: 'generation', number: generation } as const
  const records = [MANIFEST_MAGIC, ...[first, ...edits].map(encodeRecord)]
  for (const path of paths) await writeDraft(fileSystem, `${path}.new`, records)
  for (const path of paths) fileSystem.rename(`${path}.new`, path)
  await fileSystem.syncDirectory(directory)
  return records.reduce((bytes, record) => bytes + record.length, 0)
}

async function writeDraft(fileSystem: FileSystem, path: string, records: readonly Buffer[]): Promise<void> {
  fileSystem.remove(path)
  const file = fileSystem.open(path, 'create')
  try {
    file.append(records)
    await file.sync()
  } finally {
    file.close()
  }
}
