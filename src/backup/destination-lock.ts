/** One process at a time works on a folder of backups, which may be on a network: the lock is a file that its owner touches now and then. */

import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isCode, sizeOfFile } from './safe-file.ts'

const TOUCH_MS = 10_000
/** The owner of a lock that was not touched for so long is gone. */
const LEFT_MS = 120_000
/** Between two attempts to get the lock of another process. */
const WAIT_MS = 500

/** Another process works on the folder. */
export class DestinationTaken extends Error {
  override readonly name = 'DestinationTaken'
}

/** Waits for the end of another process that works on the folder. `onWait` is called once, with a sentence, where there is one. Else as lockDestination. */
export async function waitForDestination(
  folder: string,
  onWait: (reason: string) => void,
  mayBeReadOnly = false,
): Promise<() => Promise<void>> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await lockDestination(folder, mayBeReadOnly)
    } catch (error) {
      if (!(error instanceof DestinationTaken)) throw error
      if (isFirst) onWait(error.message)
    }
    await pause(WAIT_MS)
  }
}

/**
 * Resolves to a function that gives the folder free. Throws DestinationTaken where another process works on it. `mayBeReadOnly`: a folder in which nothing can
 * be written needs no lock.
 */
export async function lockDestination(folder: string, mayBeReadOnly = false): Promise<() => Promise<void>> {
  const path = join(folder, 'lock')
  try {
    if (!(await isMade(path)) && !(await takeOver(folder, path)))
      throw new DestinationTaken(await takenText(folder, path))
  } catch (error) {
    if (mayBeReadOnly && ['EROFS', 'EACCES', 'EPERM', 'ENOSPC'].some((code) => isCode(error, code)))
      return async () => undefined
    throw error
  }
  const touch = (): void => {
    const now = new Date()
    utimes(path, now, now).catch(() => undefined)
  }
  const timer = setInterval(touch, TOUCH_MS)
  timer.unref()
  return async () => {
    clearInterval(timer)
    // After a long sleep of this process the lock may be another one's.
    const owner = await ownerOf(path)
    if (owner === undefined || (owner.pid === process.pid && owner.host === hostname()))
      await rm(path, { force: true })
  }
}

/** False where the file is there already. */
async function isMade(path: string): Promise<boolean> {
  const own = JSON.stringify({ host: hostname(), pid: process.pid, at: new Date().toISOString() })
  try {
    const file = await open(path, 'wx')
    try {
      await file.writeFile(`${own}\n`)
    } catch (error) {
      // On a full disk an empty file is a lock as well: prune makes room.
      if (!isCode(error, 'ENOSPC')) throw error
    } finally {
      await file.close()
    }
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** Replaces the lock of an owner that is gone. Of two processes that try, one does. */
async function takeOver(folder: string, path: string): Promise<boolean> {
  if (!(await isLeft(folder, path))) return false
  const turn = `${path}.takeover`
  if (!(await isMade(turn))) {
    // Its own process may be gone, too; the next attempt takes over then.
    if (await isLeft(folder, turn)) await rm(turn, { force: true })
    return false
  }
  try {
    if (!(await isLeft(folder, path))) return false
    await rm(path, { force: true })
    return await isMade(path)
  } finally {
    await rm(turn, { force: true })
  }
}

async function isLeft(folder: string, path: string): Promise<boolean> {
  const owner = await ownerOf(path)
  if (owner?.host === hostname() && owner.pid !== undefined) return !isAlive(owner.pid)
  // The clock of the folder's machine, which may not be that of this one.
  const probe = join(folder, `lock.${process.pid}.probe`)
  await (await open(probe, 'w')).close()
  try {
    const [now, touched] = await Promise.all([stat(probe), stat(path)])
    return now.mtimeMs - touched.mtimeMs > LEFT_MS
  } catch (error) {
    if (isCode(error, 'ENOENT')) return true
    throw error
  } finally {
    await rm(probe, { force: true })
  }
}

interface Owner {
  readonly host?: string
  readonly pid?: number
  readonly at?: string
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    await sizeOfFile(path)
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}

async function takenText(folder: string, path: string): Promise<string> {
  const owner = await ownerOf(path)
  const who =
    owner === undefined ? 'another process' : `process ${owner.pid} on ${owner.host}, since ${owner.at},`
  return `${who} works on ${folder}: wait for it to end. If it is gone, its lock ${path} counts no more after two minutes`
}
