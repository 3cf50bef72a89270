/** The files of snapshots below the store's directory: snapshots/SNAPSHOT/FILE, both by their numbers. */

import type { FileSystem } from '../platform/file-system.ts'

const NAME = 'snapshots'

export function snapshotsDirectory(root: string): string {
  return `${root}/${NAME}`
}

export function snapshotDirectory(root: string, snapshot: number): string {
  return `${snapshotsDirectory(root)}/${named(snapshot)}`
}

export function snapshotFile(root: string, snapshot: number, file: number): string {
  return `${snapshotDirectory(root, snapshot)}/${named(file)}`
}

function named(number: number): string {
  return String(number).padStart(10, '0')
}

/**
 * Removes the directories of snapshots that no longer are, or never came to be: their files are links, or belong to a
 * snapshot that was deleted. `known`: numbers of the others.
 */
export function removeLeftSnapshots(fileSystem: FileSystem, root: string, known: ReadonlySet<number>): void {
  for (const name of fileSystem.list(`${root}/${NAME}`)) {
    if (/^\d{10}$/.test(name) && !known.has(Number(name))) fileSystem.remove(`${root}/${NAME}/${name}`)
  }
}
