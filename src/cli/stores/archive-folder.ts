/** The folder of `--archive-log`, at the start. */

import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '../failures/start-error.ts'
import type { NameSetting } from '../settings/setting-names.ts'

/** The start does not wait longer for a disk on a network: the archive waits for it by itself. */
const LOOK_MS = 1000

/** Throws StartError where the path is that of a file, or leads through one. A folder that is missing, or away, may come. Undefined: there is none. */
export async function checkArchiveFolder(folder: string | undefined, nameOf: NameSetting): Promise<void> {
  if (folder === undefined) return
  const seen = new AbortController()
  const isLate = pause(LOOK_MS, undefined, { signal: seen.signal, ref: false }).catch(() => undefined)
  const file = await Promise.race([fileOn(folder), isLate])
  seen.abort()
  if (file === folder) throw new StartError(`${nameOf('archiveLog')}: that is a file: name a folder`)
  if (file !== undefined)
    throw new StartError(`${nameOf('archiveLog')}: that cannot be a folder, since ${file} is a file`)
}

/** The part of a path that is no folder; undefined: there is none. */
async function fileOn(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : path
  } catch (error) {
    const isBehindFile = error instanceof Error && 'code' in error && error.code === 'ENOTDIR'
    return isBehindFile ? fileOn(dirname(path)) : undefined
  }
}
