/**
 * A store file between its first byte and the edit of the manifest that names it. It is written as PATH.unfinished. Complete, it gets PATH
 * as a second name and keeps the first one until the manifest names it. After a crash in between, its two names show the next start that no
 * edit had named it yet. The start removes it (settleOrphans). The disk has the first name before there is the second.
 */

import type { FileSystem } from '../platform/file-system.ts'
import { UNFINISHED } from './region-directory.ts'

/**
 * Gives complete files of one directory their last names, on disk. On a disk without links each has its last name only: after a kill, the
 * start then sets it aside.
 */
export async function giveNames(
  fileSystem: FileSystem,
  directory: string,
  paths: readonly string[],
): Promise<void> {
  await fileSystem.syncDirectory(directory)
  for (const path of paths) {
    if (!fileSystem.link(path + UNFINISHED, path)) fileSystem.rename(path + UNFINISHED, path)
  }
  await fileSystem.syncDirectory(directory)
}

/** The manifest names the file. */
export function endUnfinished(fileSystem: FileSystem, path: string): void {
  try {
    fileSystem.remove(path + UNFINISHED)
  } catch {
    // The next start removes the name.
  }
}

/** Gives up a file that the manifest does not name. */
export function removeUnnamed(fileSystem: FileSystem, path: string): void {
  // After a kill between the two, a file with its last name only would be set aside.
  fileSystem.remove(path)
  fileSystem.remove(path + UNFINISHED)
}
