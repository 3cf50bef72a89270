/** The folders of moments that clients copy away, below the store's directory: backups/MOMENT. */

import type { FileSystem } from '../platform/file-system.ts'

const NAME = 'backups'

export function momentsDirectory(root: string): string {
  return `${root}/${NAME}`
}

export function momentDirectory(root: string, moment: number): string {
  return `${momentsDirectory(root)}/${String(moment).padStart(10, '0')}`
}

/** Removes all moments: their files are links, and the clients that copied them have gone with the server that made them. */
export function removeLeftMoments(fileSystem: FileSystem, root: string): void {
  fileSystem.remove(momentsDirectory(root))
}
