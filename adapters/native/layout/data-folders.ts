import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem } from '../platform/file-system.ts'

/** A folder with files that a manifest would name, if there is any. `directory`: the store's. */
export function dataFolder(fileSystem: FileSystem, directory: string): string | undefined {
  const folders = ['data', 'wal', 'snapshots'].map((name) => `${directory}/${name}`)
  return folders.find((folder) => fileSystem.list(folder).length > 0)
}

/** A store without a manifest is a new one only if its directory has nothing that a manifest would name. `path`: the manifest's. */
export function checkHasNoData(fileSystem: FileSystem, directory: string, path: string, fault: string): void {
  const folder = dataFolder(fileSystem, directory)
  if (folder === undefined) return
  const message = `manifest ${path} ${fault}, but ${folder} has data: nothing was changed. Restore the manifest or its copy, or give an empty directory`
  throw new HBaseError('CORRUPTION', message, { detail: { path, offset: 0 } })
}
