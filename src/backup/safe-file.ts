/** Files that are complete under their names, whenever a process or a machine ends. */

import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The files have all data and all permissions: no other account may read them. */
export const PRIVATE_FILE = 0o600
const PRIVATE_FOLDER = 0o700
/** The fault of a folder, a pipe or a device in the place of a file. */
export const NO_FILE = 'it is no file'

/** Writes a file of that name, or replaces it. */
export async function writeSafely(path: string, content: string | readonly Buffer[]): Promise<void> {
  await makeFolder(dirname(path))
  const draft = `${path}.new`
  const file = await open(draft, 'w', PRIVATE_FILE)
  try {
    await file.writeFile(typeof content === 'string' ? content : Buffer.concat(content))
    await file.sync()
  } catch (error) {
    // On a full disk the part that was written is room for others.
    await rm(draft, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** Resolves to the first folder that was made; undefined: all were there. */
export async function makeFolder(path: string): Promise<string | undefined> {
  const made = await makeAll(path)
  if (made !== undefined) await syncFolder(dirname(made))
  return made
}

/**
 * Resolves to the first folder that was made; undefined: all were there. Node's own way says ENOENT where the disk can only be read, and never ends where
 * a folder takes no others.
 */
async function makeAll(path: string): Promise<string | undefined> {
  try {
    return await makeOne(path)
  } catch (error) {
    if (!isCode(error, 'ENOENT') || dirname(path) === path) throw error
  }
  const first = await makeAll(dirname(path))
  const made = await makeOne(path)
  return first ?? made
}

/** Undefined: it was there. */
async function makeOne(path: string): Promise<string | undefined> {
  try {
    await mkdir(path, { mode: PRIVATE_FOLDER })
    return path
  } catch (error) {
    if (isCode(error, 'EEXIST') && (await stat(path)).isDirectory()) return undefined
    throw error
  }
}

/** Makes renames and new files in the folder survive a power loss. */
export async function syncFolder(path: string): Promise<void> {
  let folder: FileHandle
  try {
    folder = await open(path, 'r')
  } catch (error) {
    // Windows opens no folders.
    if (isCode(error, 'EISDIR') || isCode(error, 'EPERM')) return
    throw error
  }
  try {
    await folder.sync()
  } catch (error) {
    // Some network file systems sync files only.
    if (!isCode(error, 'EINVAL') && !isCode(error, 'ENOTSUP')) throw error
  } finally {
    await folder.close()
  }
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === code
}

/** Throws an Error for a folder, a pipe and a device: to open a pipe may never end. Throws ENOENT, too. */
export async function sizeOfFile(path: string): Promise<number> {
  const file = await stat(path)
  if (!file.isFile()) throw new Error(NO_FILE)
  return file.size
}

/** False for a folder, a pipe and a device. Throws ENOENT. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path)).isFile()
}

/** Undefined where there is no such file. */
export async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The sorted names in a folder; none where there is no such folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return []
    throw error
  }
}
