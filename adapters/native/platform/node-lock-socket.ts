/**
 * The socket in a directory by which the process that locks it shows its life. It also says who holds the lock, which a process
 * that is only taking it does not: so an owner is known whose lock file is gone.
 */

import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'

/** The name of a socket in the directory. */
export const SOCKET_NAME: RegExp = /^LOCK\.[0-9a-f]{16}$/
/** The system's limit is 104 to 108 bytes. */
const SOCKET_PATH_BYTES_MAX = 100
/** Milliseconds to wait for the owner's answer: its event loop may be busy. */
const ANSWER_MS = 5000
const ANSWER = /^held by (\d+)$/

export interface Liveness {
  /** The socket's name in the lock file, or none. */
  readonly name: string
  /** From now on the socket answers that this process holds the lock. */
  hold(): void
  end(): void
}

interface Address {
  readonly path: string
  release(): void
}

/** The path to reach a socket by; undefined where it is too long for this system. */
function addressOf(directory: string, name: string): Address | undefined {
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\tidegate-${name}`, release: () => undefined }
  const full = path.join(directory, name)
  if (Buffer.byteLength(full) <= SOCKET_PATH_BYTES_MAX) return { path: full, release: () => undefined }
  if (process.platform !== 'linux') return undefined
  const descriptor = fs.openSync(directory, 'r')
  return { path: `/proc/self/fd/${descriptor}/${name}`, release: () => fs.closeSync(descriptor) }
}

/** Undefined where the socket cannot be reached by any path. Anything but a clear no is true: a stopped process that takes no more connections, say. */
export async function isListening(directory: string, name: string): Promise<boolean | undefined> {
  const address = addressOf(directory, name)
  if (address === undefined) return undefined
  try {
    return await new Promise((resolve) => {
      const connection = net.connect(address.path)
      connection.on('connect', () => resolve(true))
      connection.on('error', (error) => resolve(!isClearNo(error)))
      connection.on('close', () => connection.destroy())
      connection.once('connect', () => connection.destroy())
    })
  } finally {
    address.release()
  }
}

function isClearNo(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code === 'ECONNREFUSED' || code === 'ENOENT'
}

/** The process whose socket in the directory, other than `mine`, says that it holds the lock. */
export async function heldBy(directory: string, mine?: string): Promise<string | undefined> {
  // No process holds a folder that is not there yet.
  const names = fs.existsSync(directory) ? fs.readdirSync(directory) : []
  for (const name of names) {
    if (!SOCKET_NAME.test(name) || name === mine) continue
    const pid = ANSWER.exec(await answerOf(directory, name))?.[1]
    if (pid !== undefined) return pid
  }
  return undefined
}

async function answerOf(directory: string, name: string): Promise<string> {
  const address = addressOf(directory, name)
  if (address === undefined) return ''
  try {
    return await new Promise((resolve) => {
      let answer = ''
      const connection = net.connect(address.path)
      connection.setTimeout(ANSWER_MS, () => connection.destroy())
      connection.on('data', (bytes) => {
        answer += bytes.toString('latin1')
      })
      connection.on('error', () => undefined)
      connection.on('close', () => resolve(answer))
    })
  } finally {
    address.release()
  }
}

export async function showLife(directory: string): Promise<Liveness> {
  const unseen: Liveness = { name: '', hold: () => undefined, end: () => undefined }
  const name = `LOCK.${globalThis.crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`
  const address = addressOf(directory, name)
  if (address === undefined) return unseen
  let answer = ''
  const server = net.createServer((connection) => {
    // A process that only looks for a listener hangs up at once.
    connection.on('error', () => undefined)
    connection.end(answer, () => connection.destroy())
  })
  const isReachable = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(address.path, () => resolve(true))
  })
  if (!isReachable) {
    address.release()
    return unseen
  }
  server.unref()
  const hold = (): void => {
    answer = `held by ${process.pid}`
  }
  const end = (): void => {
    server.close(() => address.release())
    fs.rmSync(path.join(directory, name), { force: true })
  }
  return { name, hold, end }
}
