/**
 * Locks a directory for one process. A file LOCK names the owner: `pid start socket`. The owner listens on the socket, which
 * lies in the directory, too: so its life shows to processes of other pid namespaces, and ends with it, be it a zombie.
 * Where the file system has no sockets, pid and start time must do.
 *
 * A person may remove the file under a running owner. Its socket then shows the next process that the directory is held.
 */

import fs from 'node:fs'
import path from 'node:path'
import { HBaseError } from '../../../src/model/errors.ts'
import { LOCK_NAME } from './lock-names.ts'
import { heldBy, isListening, type Liveness, SOCKET_NAME, showLife } from './node-lock-socket.ts'

/** The file of a process that was taking the lock. */
const DRAFT_NAME = /^LOCK\.(?:stale\.)?(\d{1,10})$/
/** A younger socket may be that of a process that is only about to listen. */
const LEFTOVER_AGE_MS = 10_000
/** Fields of /proc/PID/stat, counted from behind the name in parentheses, which may hold any characters. */
const STATE_FIELD = 0
const START_TIME_FIELD = 19

/** Lock files of this process with what it wrote there; nothing yet where it is about to. */
const held = new Map<string, string | undefined>()

/** Returns a function that unlocks the directory. Throws UNAVAILABLE where a live process holds it, IO where it cannot be written. */
export async function lockDirectory(directory: string): Promise<() => void> {
  const lock = path.join(directory, LOCK_NAME)
  if (held.has(lock)) throw inUse(directory, String(process.pid))
  held.set(lock, undefined)
  let liveness: Liveness | undefined
  try {
    makeDirectory(directory)
    await removeStale(directory, lock)
    liveness = await showLife(directory)
    const mine =
      `${process.pid} ${processFields(process.pid)?.[START_TIME_FIELD] ?? 0} ${liveness.name}`.trim()
    while (!tryCreate(lock, mine)) await removeStale(directory, lock)
    await checkNotHeld(directory, lock, liveness.name)
    liveness.hold()
    await removeLeftovers(directory, liveness.name)
    held.set(lock, mine)
    const unlock = { liveness, mine }
    return () => {
      if (!held.delete(lock)) return
      // The lock goes before the socket: else another process could take it over, and lose it here.
      if (hasOwner(lock, unlock.mine)) fs.rmSync(lock, { force: true })
      unlock.liveness.end()
    }
  } catch (error) {
    liveness?.end()
    held.delete(lock)
    if (error instanceof HBaseError) throw error
    throw new HBaseError('IO', `the directory ${directory} cannot be locked: ${String(error)}`, {
      cause: error,
    })
  }
}

/** See FileSystem.lockLoss. */
export function lockLoss(directory: string): string | undefined {
  const lock = path.join(directory, LOCK_NAME)
  const mine = held.get(lock)
  if (mine === undefined) return undefined
  try {
    const owner = readOwner(lock)
    if (owner === mine) return undefined
    return owner === undefined ? `${lock} is gone` : `${lock} is of process ${pidOf(owner)}`
  } catch (error) {
    // A file that cannot be read, as where no more files can be opened, may well be there.
    return hasCode(error, 'ENOTDIR', 'NOT_A_FILE') ? `${lock} is not a file any more` : undefined
  }
}

/**
 * Makes a directory with its parents, which all survive a power loss. One after the other: Node's own `recursive` never ends
 * where a parent answers ENOENT although it is there, as folders of /proc do.
 */
function makeDirectory(directory: string): void {
  const missing: string[] = []
  for (let at = directory; !fs.existsSync(at) && path.dirname(at) !== at; at = path.dirname(at))
    missing.push(at)
  for (const each of missing.reverse()) {
    makeUnlessThere(each)
    if (process.platform === 'win32') continue
    const parent = fs.openSync(path.dirname(each), 'r')
    fs.fsyncSync(parent)
    fs.closeSync(parent)
  }
  if (!fs.statSync(directory).isDirectory()) throw notDirectory(directory)
}

function makeUnlessThere(directory: string): void {
  try {
    fs.mkdirSync(directory)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function notDirectory(at: string): Error {
  return Object.assign(new Error(`EEXIST: file already exists, mkdir '${at}'`), { code: 'EEXIST' })
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

function tryCreate(lock: string, mine: string): boolean {
  // The lock is linked into place with its content, so that no process reads a lock without an owner.
  const draft = `${lock}.${process.pid}`
  fs.writeFileSync(draft, mine)
  try {
    fs.linkSync(draft, lock)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    fs.rmSync(draft, { force: true })
  }
}

/** Undefined where no process holds the lock. Throws for a lock that cannot be read: it can neither be taken nor respected. */
function readOwner(lock: string): string | undefined {
  // Anything but a file may never end to be read, as a pipe, or be there and never readable, as a link to nothing.
  const isFile = fs.lstatSync(lock, { throwIfNoEntry: false })?.isFile() ?? true
  if (!isFile) throw Object.assign(new Error(`${lock} is not a file: move it away`), { code: 'NOT_A_FILE' })
  try {
    return fs.readFileSync(lock, 'latin1')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasOwner(lock: string, owner: string): boolean {
  try {
    return readOwner(lock) === owner
  } catch {
    return false
  }
}

async function removeStale(directory: string, lock: string): Promise<void> {
  const owner = readOwner(lock)
  if (owner === undefined) return
  if (await isAlive(directory, owner)) throw inUse(directory, owner)
  // Of several processes that find a dead owner's lock, only one moves it away; one that has moved a new lock puts it back.
  const moved = `${lock}.stale.${process.pid}`
  try {
    fs.renameSync(lock, moved)
  } catch {
    return
  }
  if (readOwner(moved) !== owner) {
    fs.linkSync(moved, lock)
    fs.rmSync(moved, { force: true })
    throw inUse(directory, readOwner(lock) ?? 'unknown')
  }
  fs.rmSync(moved, { force: true })
  const socket = socketOf(owner)
  if (socket !== undefined) fs.rmSync(path.join(directory, socket), { force: true })
}

/** Removes what processes have left that were killed while they took the lock. `mine`: the socket of this one. */
async function removeLeftovers(directory: string, mine: string): Promise<void> {
  for (const name of fs.readdirSync(directory)) {
    const leftover = path.join(directory, name)
    const pid = DRAFT_NAME.exec(name)?.[1]
    const isDraft = pid !== undefined && !isProcessAlive(pid)
    if (
      isDraft ||
      (SOCKET_NAME.test(name) && name !== mine && (await isLeftSocket(directory, name, leftover)))
    )
      fs.rmSync(leftover, { force: true })
  }
}

async function isLeftSocket(directory: string, name: string, socket: string): Promise<boolean> {
  const made = fs.statSync(socket, { throwIfNoEntry: false })?.mtimeMs
  if (made === undefined || Date.now() - made < LEFTOVER_AGE_MS) return false
  return (await isListening(directory, name)) === false
}

/** For the process that has just made the lock file: gives it up where a running process lost its own. Throws UNAVAILABLE. */
async function checkNotHeld(directory: string, lock: string, mine: string): Promise<void> {
  const pid = await heldBy(directory, mine)
  if (pid === undefined) return
  fs.rmSync(lock, { force: true })
  throw inUse(directory, pid)
}

/** The process that holds a directory; undefined where none does. Changes nothing. */
export async function lockOwner(directory: string): Promise<string | undefined> {
  const owner = readOwner(path.join(directory, LOCK_NAME))
  if (owner === undefined || !(await isAlive(directory, owner))) return heldBy(directory)
  return pidOf(owner)
}

function socketOf(owner: string): string | undefined {
  const socket = owner.split(' ')[2]
  return socket !== undefined && SOCKET_NAME.test(socket) ? socket : undefined
}

async function isAlive(directory: string, owner: string): Promise<boolean> {
  const socket = socketOf(owner)
  const isAnswering = socket === undefined ? undefined : await isListening(directory, socket)
  return isAnswering ?? isProcessAlive(owner)
}

/** Undefined where there is no such process, or the kernel does not show it. */
function processFields(pid: number): string[] | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Another process may have got the owner's pid, so the lock names its start time, too. A zombie holds nothing. */
function isProcessAlive(owner: string): boolean {
  const [text = '', start = '0'] = owner.split(' ')
  const pid = Number(text)
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) return false
  }
  const fields = processFields(pid)
  if (fields?.[STATE_FIELD] === 'Z' || fields?.[STATE_FIELD] === 'X') return false
  return start === '0' || start === (fields?.[START_TIME_FIELD] ?? '0')
}

function pidOf(owner: string): string {
  const [pid = ''] = owner.split(' ')
  return pid === '' ? 'unknown' : pid
}

function inUse(directory: string, owner: string): HBaseError {
  const pid = pidOf(owner)
  return new HBaseError('UNAVAILABLE', `the directory ${directory} is in use by process ${pid}`, {
    detail: { directory, pid },
  })
}
