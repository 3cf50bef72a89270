import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FileSystem } from './file-system.ts'

/** Other requests have their turn after so many names. */
const NAMES_A_TURN = 500

/**
 * The ids of all files of a store, under all their names: hard links, or paths below a folder that is mounted twice. `directory`:
 * the store's.
 */
export async function ownFileIds(fileSystem: FileSystem, directory: string): Promise<Set<string>> {
  const ids = new Set<string>()
  const folders = [directory]
  let names = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const name of namesIn(fileSystem, folder)) {
      if (++names % NAMES_A_TURN === 0) await nextTurn()
      const path = `${folder}/${name}`
      const id = fileSystem.fileId(path)
      if (id === undefined) folders.push(path)
      else ids.add(id)
    }
  }
  return ids
}

/** None of a folder that this process may not read, as lost+found at the root of a disk: it has no file of the store. */
function namesIn(fileSystem: FileSystem, folder: string): readonly string[] {
  try {
    return fileSystem.list(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return []
    throw error
  }
}
