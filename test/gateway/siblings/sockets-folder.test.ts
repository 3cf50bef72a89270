import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { removeLeft, SocketsFolder } from '../../../src/gateway/siblings/sockets-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let parent: string
const servers: Server[] = []

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tidegate-sockets-'))
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  rmSync(parent, { recursive: true, force: true })
})

function folderOf(name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder, { mode: 0o700 })
  return folder
}

async function listen(path: string): Promise<Server> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ path }, resolve))
  return server
}

/** A socket as a killed server leaves it: an orderly end removes it by its first name. */
async function leave(path: string): Promise<void> {
  const server = await listen(`${path}-`)
  renameSync(`${path}-`, path)
  await new Promise((resolve) => server.close(resolve))
}

async function leftFolder(name = 'tidegate-aZ09xy'): Promise<string> {
  const folder = folderOf(name)
  for (const socket of ['owner', '1-thrift', '2-rpc']) await leave(join(folder, socket))
  return folder
}

describe.skipIf(process.platform === 'win32')('the folder of a server’s sockets', () => {
  test('a start removes the folder that a killed server has left, and keeps that of one that lives', async () => {
    const left = await leftFolder()
    const living = new SocketsFolder(parent)
    try {
      await expect.poll(() => existsSync(left)).toBe(false)
      await removeLeft(parent, Date.now() + 2 * DAY_MS)
      expect(existsSync(living.path)).toBe(true)
    } finally {
      living.remove()
    }
    expect(existsSync(living.path)).toBe(false)
  })

  test('the secret of the cookies is for its user alone, and goes with its folder', async () => {
    const living = new SocketsFolder(parent)
    try {
      const path = living.addCookieSecret()
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(readFileSync(path, 'utf8')).toMatch(/^[\w+/]{43}=$/)
      const left = await leftFolder()
      renameSync(path, join(left, 'cookie-secret'))
      await removeLeft(parent)
      expect(existsSync(left)).toBe(false)
    } finally {
      living.remove()
    }
  })

  test('a folder stays while one process listens in it', async () => {
    const left = await leftFolder()
    rmSync(join(left, '2-rpc'))
    servers.push(await listen(join(left, '2-rpc')))
    await removeLeft(parent)
    expect(existsSync(left)).toBe(true)
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
    await removeLeft(parent)
    expect(existsSync(left)).toBe(false)
  })

  test('a folder in which no server listens yet stays for a day', async () => {
    const young = folderOf('tidegate-young0')
    await removeLeft(parent)
    expect(existsSync(young)).toBe(true)
    await removeLeft(parent, Date.now() + 2 * DAY_MS)
    expect(existsSync(young)).toBe(false)
  })

  test.each([
    ['that others may enter', (folder: string) => chmodSync(folder, 0o755)],
    ['with a file that is no socket', (folder: string) => writeFileSync(join(folder, 'kept'), '')],
  ])('a folder %s stays', async (_, change) => {
    const left = await leftFolder()
    change(left)
    await removeLeft(parent)
    expect(existsSync(join(left, 'owner'))).toBe(true)
  })

  test('a link to a folder, and folders of other names, stay', async () => {
    const other = await leftFolder('tidegate-test-ab')
    symlinkSync(other, join(parent, 'tidegate-linked'))
    await removeLeft(parent)
    expect(existsSync(join(other, 'owner'))).toBe(true)
  })
})
