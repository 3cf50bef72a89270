import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { filesBelow } from './store-folder.ts'

/**
 * The error for a store without a manifest: why it is not repaired, and what its operator can do. Folders' names show the tables and
 * families. The folder does not state where regions begin, which files compactions have replaced, which halves count, how families are
 * set, or to which regions the log's records belong. A repair would guess: it might serve deleted cells, and the next compaction might
 * remove versions.
 */
export function noManifest(fileSystem: FileSystem, directory: string): HBaseError {
  const lines = [
    `${directory} has no manifest that can be read, nor a copy of it: put \`manifest\` or \`manifest.copy\` back from a copy. Nothing was changed: without them Tidegate cannot know which rows, files and settings a table has`,
  ]
  const tables = tablesIn(fileSystem, directory)
  if (tables.length > 0)
    lines.push(
      'If there is no copy, import the store files into a new store. Cells may come back that were deleted and compacted, and the families get the settings that their files state:',
      ...tables.map(
        ({ path, name }) => `  tidegate import ${quoted(path)} --store native:NEW --table ${name} --create`,
      ),
    )
  const logs = filesBelow(fileSystem, `${directory}/wal`)
  if (logs.length > 0)
    lines.push(
      'The changes that only the log has can be looked at:',
      ...logs.map((path) => `  tidegate dump --cells ${quoted(path)}`),
    )
  return new HBaseError('CORRUPTION', lines.join('\n'), { detail: { path: directory } })
}

/** Tables that have files, as their folders name them; `NAME` where a folder has only a part of a long name. */
function tablesIn(fileSystem: FileSystem, directory: string): { path: string; name: string }[] {
  return fileSystem.list(`${directory}/data`).flatMap((namespace) =>
    fileSystem.list(`${directory}/data/${namespace}`).flatMap((table) => {
      const path = `${directory}/data/${namespace}/${table}`
      if (filesBelow(fileSystem, path).length === 0) return []
      const isShortened = `${namespace}${table}`.includes('~')
      return [
        { path, name: isShortened ? 'NAME' : namespace === 'default' ? table : `${namespace}:${table}` },
      ]
    }),
  )
}

/** A path as a shell takes it. */
function quoted(path: string): string {
  return /^[\w./:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}
