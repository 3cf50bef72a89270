import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockOwner } from '../../../../adapters/native/platform/node-directory-lock.ts'
import { NODE_FILE_SYSTEM } from '../../../../adapters/native/platform/node-file-system.ts'
import { packageRoot } from '../../../../src/package-root.ts'

const SOCKET = 'LOCK.0123456789abcdef'
/** Built, for a child. */
const LOCKING = new URL('dist/adapters/native/platform/node-file-system.js', packageRoot()).href

let directory = ''
const children: ChildProcess[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tidegate-lock-'))
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

function child(command: string, where: { cwd?: string }, ...options: string[]): ChildProcess {
  const started = spawn(command, options, { ...where, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(started)
  return started
}

/** Throws where the process ends without one, as where `dist` is being built: nothing would come any more. */
async function firstLine(started: ChildProcess): Promise<string> {
  const ended = once(started, 'close').then(([code]) => {
    throw new Error(`process ${started.pid} has ended with ${code} before its first line`)
  })
  const [bytes] = (await Promise.race([once(started.stdout!, 'data'), ended])) as [Buffer]
  return String(bytes).trim()
}

function ownedBy(owner: string): void {
  writeFileSync(join(directory, 'LOCK'), owner)
}

async function expectFree(): Promise<void> {
  const unlock = await NODE_FILE_SYSTEM.lock(directory)
  unlock()
  expect(readdirSync(directory)).toEqual([])
}

it.each<[string, (lock: string) => void, string]>([
  ['removed', (lock) => rmSync(lock), 'LOCK is gone'],
  ['replaced by that of another process', (lock) => writeFileSync(lock, '17 1'), 'LOCK is of process 17'],
  [
    'replaced by a folder',
    (lock) => {
      rmSync(lock)
      mkdirSync(lock)
    },
    'LOCK is not a file any more',
  ],
])('a lock that somebody has %s is known to be lost', async (_, change, loss) => {
  const unlock = await NODE_FILE_SYSTEM.lock(directory)
  expect(NODE_FILE_SYSTEM.lockLoss(directory)).toBeUndefined()
  change(join(directory, 'LOCK'))
  expect(NODE_FILE_SYSTEM.lockLoss(directory)).toContain(loss)
  unlock()
  expect(NODE_FILE_SYSTEM.lockLoss(directory)).toBeUndefined()
})

async function expectInUse(): Promise<void> {
  await expect(NODE_FILE_SYSTEM.lock(directory)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('in use by process'),
  })
}

describe('the folder', () => {
  it('is made with its parents', async () => {
    const deep = join(directory, 'a', 'b', 'c')
    const unlock = await NODE_FILE_SYSTEM.lock(deep)
    unlock()
    expect(existsSync(deep)).toBe(true)
  })

  it.each<readonly [string, string, string]>([
    ['a file in the way', 'file', 'EEXIST'],
    ['a file above it', 'file/x/y', 'ENOTDIR'],
    ...(process.platform === 'linux'
      ? [['a parent that takes none', '/proc/x/y', 'ENOENT'] satisfies [string, string, string]]
      : []),
  ])('is refused for %s', async (_, name, code) => {
    writeFileSync(join(directory, 'file'), '')
    const folder = name.startsWith('/') ? name : join(directory, name)
    await expect(NODE_FILE_SYSTEM.lock(folder)).rejects.toMatchObject({ code: 'IO', cause: { code } })
  })
})

describe('the lock of a directory', () => {
  it('is held once and can be taken again when given back', async () => {
    const attempts = await Promise.allSettled([
      NODE_FILE_SYSTEM.lock(directory),
      NODE_FILE_SYSTEM.lock(directory),
    ])
    expect(attempts.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    await expect(NODE_FILE_SYSTEM.lock(directory)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`process ${process.pid}`),
    })
    const [first] = attempts
    if (first?.status === 'fulfilled') {
      first.value()
      first.value()
    }
    await expectFree()
  })

  it('tidies what killed processes have left, and nothing else', async () => {
    const minuteAgo = Date.now() / 1000 - 60
    const left = [SOCKET, 'LOCK.4194399', 'LOCK.stale.4194399']
    const kept = [`LOCK.${process.ppid}`, 'LOCK.00000000000000aa', 'LOCK.notes', 'LOCK.00000000000000bb']
    for (const name of [...left, ...kept.slice(0, 3)]) {
      writeFileSync(join(directory, name), '')
      utimesSync(join(directory, name), minuteAgo, minuteAgo)
    }
    // A process that is taking the lock, and one that is about to listen.
    rmSync(join(directory, 'LOCK.00000000000000aa'))
    const listening = net.createServer((connection) => connection.destroy())
    listening.listen(join(directory, 'LOCK.00000000000000aa'))
    await once(listening, 'listening')
    utimesSync(join(directory, 'LOCK.00000000000000aa'), minuteAgo, minuteAgo)
    writeFileSync(join(directory, 'LOCK.00000000000000bb'), '')
    const unlock = await NODE_FILE_SYSTEM.lock(directory)
    unlock()
    expect(readdirSync(directory).sort()).toEqual(kept.sort())
    listening.close()
  })

  it('is respected though its file is gone', async () => {
    const code = `import(${JSON.stringify(LOCKING)}).then(({ NODE_FILE_SYSTEM }) => NODE_FILE_SYSTEM.lock(${JSON.stringify(directory)})).then(() => { setInterval(() => {}, 1e6); console.log('holds') })`
    const owner = child(process.execPath, {}, '-e', code)
    await firstLine(owner)
    rmSync(join(directory, 'LOCK'))
    expect(await lockOwner(directory)).toBe(String(owner.pid))
    await expect(NODE_FILE_SYSTEM.lock(directory)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining(`in use by process ${owner.pid}`),
    })
    expect(readdirSync(directory)).toHaveLength(1)
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    const unlock = await NODE_FILE_SYSTEM.lock(directory)
    unlock()
  })

  it('of a live process is respected', async () => {
    ownedBy(`${process.ppid} 0`)
    await expectInUse()
  })

  it.each([
    ['a dead process', '4194399 12345'],
    ['a process whose pid another has now', `${process.ppid} 1`],
    ['a former life of this process', `${process.pid} 1`],
    ['a process whose socket is gone', `${process.ppid} 0 ${SOCKET}`],
    ['nobody', ''],
  ])('of %s does not count', async (_, owner) => {
    ownedBy(owner)
    await expectFree()
  })

  it.each([
    ['a folder', (lock: string) => mkdirSync(lock)],
    ['a link to nothing', (lock: string) => symlinkSync('nowhere', lock)],
    ['a pipe', (lock: string) => void spawnSync('mkfifo', [lock])],
  ])('that is %s is refused', async (_, make) => {
    make(join(directory, 'LOCK'))
    await expect(NODE_FILE_SYSTEM.lock(directory)).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringContaining('LOCK is not a file: move it away'),
    })
    expect(readdirSync(directory)).toEqual(['LOCK'])
  })

  it('of a process in another pid namespace is respected while that listens', async () => {
    const server = net.createServer((connection) => connection.destroy())
    server.listen(join(directory, SOCKET))
    await once(server, 'listening')
    ownedBy(`4194399 12345 ${SOCKET}`)
    await expectInUse()
    server.close()
    await once(server, 'close')
    await expectFree()
  })

  it('of a process that was killed does not count, though its socket is still there', async () => {
    const path = join(directory, SOCKET)
    const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listens'))`
    const owner = child(process.execPath, {}, '-e', code)
    await firstLine(owner)
    ownedBy(`${process.ppid} 0 ${SOCKET}`)
    await expectInUse()
    owner.kill('SIGKILL')
    await once(owner, 'exit')
    expect(existsSync(path)).toBe(true)
    await expectFree()
  })

  it.runIf(process.platform === 'linux')('of a zombie does not count', async () => {
    // The child ends once nobody can reap it any more: a shell would, `sleep` does not.
    const script = '(until grep -q sleep /proc/$$/comm; do :; done) & echo $!; exec sleep 60'
    const pid = await firstLine(child('sh', {}, '-c', script))
    const stat = (): string => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!
    while (!stat().startsWith('Z')) await nextTurn()
    ownedBy(`${pid} ${stat().split(' ')[19]}`)
    await expectFree()
  })

  it('works where the path is longer than a socket may have', async () => {
    const parent = directory
    directory = join(parent, 'x'.repeat(120))
    mkdirSync(directory)
    const unlock = await NODE_FILE_SYSTEM.lock(directory)
    unlock()
    await expectFree()
    if (process.platform === 'linux') {
      const code = `require('node:net').createServer().listen('${SOCKET}', () => console.log('listens'))`
      await firstLine(child(process.execPath, { cwd: directory }, '-e', code))
      ownedBy(`4194399 12345 ${SOCKET}`)
      await expectInUse()
    }
    directory = parent
  })

  it('tells of a directory that it cannot make', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    await expect(NODE_FILE_SYSTEM.lock(join(file, 'store'))).rejects.toMatchObject({
      code: 'IO',
      message: expect.stringContaining('cannot be locked'),
    })
  })
})
