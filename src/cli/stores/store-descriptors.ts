/** The files that the embedded engine may have open, of those that the process may. */

import { openFilesMax } from '../machine/open-files.ts'

/** The part of all files that is left to the store, whose log, store files and threads open them as they need them. */
const STORE_PART = 1 / 4
const STORE_FILES_MIN = 64
const STORE_FILES_MAX = 8192

/** Of the store's part, at most, for what is not a store file under read: logs, manifests, folders under sync, files that threads read and write. */
const OTHERS_MAX = 512

/** Files that are left to the store where the process may open `limit`. */
export function filesOfStore(limit: number): number {
  return Math.min(STORE_FILES_MAX, Math.max(STORE_FILES_MIN, Math.floor(limit * STORE_PART)))
}

/** Store files that have a descriptor at a time. */
export function openStoreFilesMax(limit: number): number {
  const ofStore = filesOfStore(limit)
  return ofStore - Math.min(OTHERS_MAX, ofStore >>> 1)
}

/** For the engine's options: nothing where the system does not tell its limit. */
export function openStoreFiles(limit: number | undefined = openFilesMax()): {
  readonly openFilesMax?: number
} {
  return limit === undefined ? {} : { openFilesMax: openStoreFilesMax(limit) }
}
