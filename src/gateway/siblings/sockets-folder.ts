/**
 * The folder of the sockets between the processes or threads of one server, and of a secret that they share. A kill leaves it behind, with sockets at which no process
 * listens: the next start of any server of this user removes it.
 */

import { randomBytes } from 'node:crypto'
import { lstatSync, mkdtempSync, readdirSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkIsPrivate } from './siblings.ts'

const PREFIX = 'tidegate-'
/** As mkdtemp names it. */
const NAME = /^tidegate-[A-Za-z0-9]{6}$/
/** The socket at which the server listens as long as it lives, also while none of its processes does. */
const OWNER = 'owner'
/** The file with the secret of the processes' cookies. */
const SECRET = 'cookie-secret'
const SECRET_BYTES = 32
/** A folder without that socket may be that of a server that starts, or of an older version. */
const OWNERLESS_MS_MAX = 24 * 60 * 60 * 1000
/** Windows has pipes instead, which go with their process. */
const HAS_SOCKETS: boolean = process.platform !== 'win32'

export class SocketsFolder {
  /** Only this user may look into it. */
  readonly path: string
  readonly #owner: Server | undefined
  readonly #remove = (): void => rmSync(this.path, { recursive: true, force: true })

  /** The folder goes with the process, where that ends in order. */
  constructor(parent: string = tmpdir()) {
    this.path = mkdtempSync(join(parent, PREFIX))
    process.on('exit', this.#remove)
    if (HAS_SOCKETS) {
      this.#owner = createServer((socket) => socket.destroy()).unref()
      // Without it the folder stays a day longer after a kill.
      this.#owner.on('error', () => undefined).listen({ path: join(this.path, OWNER), exclusive: true })
    }
    void removeLeft(parent)
  }

  /** Writes the secret that signs the cookies of all processes. Returns the path of its file. */
  addCookieSecret(): string {
    const path = join(this.path, SECRET)
    writeFileSync(path, randomBytes(SECRET_BYTES).toString('base64'), { mode: 0o600 })
    return path
  }

  remove(): void {
    process.off('exit', this.#remove)
    this.#owner?.close()
    this.#remove()
  }
}

/** Removes the folders in `parent` that killed servers of this user have left. Failures are no matter: a later start tries again. */
export async function removeLeft(parent: string, now: number = Date.now()): Promise<void> {
  if (!HAS_SOCKETS) return
  try {
    const folders = readdirSync(parent, { withFileTypes: true }).filter(
      (entry) => entry.isDirectory() && NAME.test(entry.name),
    )
    for (const { name } of folders) await removeIfLeft(join(parent, name), now)
  } catch {
    // A folder of temporary files that cannot be listed.
  }
}

async function removeIfLeft(folder: string, now: number): Promise<void> {
  try {
    // Only the owner of a private folder can put another thing in its place meanwhile.
    checkIsPrivate(folder)
    const entries = readdirSync(folder, { withFileTypes: true })
    if (!entries.every((entry) => entry.isSocket() || entry.name === SECRET)) return
    const hasOwner = entries.some(({ name }) => name === OWNER)
    if (!hasOwner && now - lstatSync(folder).mtimeMs < OWNERLESS_MS_MAX) return
    for (const entry of entries) if (entry.isSocket() && !(await isDeserted(join(folder, entry.name)))) return
    for (const { name } of entries) unlinkSync(join(folder, name))
    rmdirSync(folder)
  } catch {
    // It belongs to another user, or another start has removed it.
  }
}

/** True where no process listens at the socket. */
function isDeserted(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path })
    const answer = (isRefused: boolean): void => {
      socket.destroy()
      resolve(isRefused)
    }
    socket.once('connect', () => answer(false))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => answer(code === 'ECONNREFUSED'))
  })
}
