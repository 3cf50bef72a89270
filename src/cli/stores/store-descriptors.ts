/** The files that the embedded engine may have open, of those that the process may. */

import { openFilesMax } from '../machine/open-files.ts'

/** The store's part of all files. Its log, store files and threads open them as they need them. */
const STORE_PART = 1 / 4
const STORE_FILES_MIN = 64
const STORE_FILES_MAX = 8192

/** The most of the store's part that is kept for other files than those under read: logs, manifests, folders, files of threads. */
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

/** The limit as an option of the engine; no option where the system does not show its limit. */
export function openStoreFiles(limit: number | undefined = openFilesMax()): {
  readonly openFilesMax?: number
} {
  return limit === undefined ? {} : { openFilesMax: openStoreFilesMax(limit) }
}
