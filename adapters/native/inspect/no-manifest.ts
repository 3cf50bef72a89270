import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { filesBelow } from './store-folder.ts'

/**
 * Why a store without a manifest is not repaired, and what its owner can do. The folders' names show the tables and families.
 * No file says where regions begin (a folder has only the MD5 of that), which files a compaction has replaced, which halves
 * of shared files count, how the families are set (with one version, the next compaction would remove the others), and whose
 * the records of the log are (they have the regions' numbers). A repair would guess, and might serve what was deleted.
 */
export function noManifest(fileSystem: FileSystem, directory: string): HBaseError {
  const lines = [
    `${directory} has no manifest that can be read, nor a copy of it: put \`manifest\` or \`manifest.copy\` back from a copy. Nothing was changed: without them nothing tells for sure which rows, files and settings a table has`,
  ]
  const tables = tablesIn(fileSystem, directory)
  if (tables.length > 0)
    lines.push(
      'If there is no copy, import the store files into a new store. Cells may come back that were deleted and compacted, and the families get the settings that their files tell:',
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
