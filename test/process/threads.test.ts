/** A server of several threads as a process: signals, logs, and a thread that dies. */

import { once } from 'node:events'
import { openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { ChildServer } from '../harness/child-server.ts'
import { FrameConnection } from '../harness/frame-connection.ts'
import { MOVES_CONNECTIONS } from '../harness/newest-node.ts'
import { checkAnswer, createTable, getRow, listAnswerLength, mutateRow } from '../harness/thrift-frames.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder } from '../harness/tidegate-process.ts'

const DYING = fileURLToPath(new URL('test/harness/door-threads/dying-thread.cjs', packageRoot()))

type Line = Readonly<Record<string, unknown>>

let folder: string
let log: string
const clients: FrameConnection[] = []

beforeEach(() => {
  folder = makeTemporaryFolder()
  log = join(folder, 'log')
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  for (const client of clients.splice(0)) client.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function start(...flags: readonly string[]): Promise<ChildServer> {
  const store = `native:${join(folder, 'data')}`
  const args = ['serve', '--store', store, '--threads', '2', ...FREE_PORTS, ...flags]
  return ChildServer.start(MAIN, args, openSync(log, 'a'))
}

async function connected(server: ChildServer): Promise<FrameConnection> {
  const client = await FrameConnection.open(server.port('thrift'))
  clients.push(client)
  return client
}

function linesOf(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Line)
}

/** Opens a connection, which stays open, and asks for the path. */
async function askedRest(server: ChildServer, path: string): Promise<Socket> {
  const socket = connect(server.port('rest'), '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  return socket
}

/** The folders in which threads reach each other. */
function foldersOfSockets(): string[] {
  return readdirSync(folder).filter((name) => /^tidegate-\w{6}$/.test(name))
}

describe.skipIf(!MOVES_CONNECTIONS)('a server of threads', () => {
  test('stops in order at a signal, keeps what it has answered, and its logs name the threads', async () => {
    const accessLog = join(folder, 'access')
    let server = await start('--access-log', accessLog)
    const all = [await connected(server), await connected(server), await connected(server)]
    checkAnswer(await all[0]!.ask(createTable('t', 'f')))
    for (const [i, client] of all.entries())
      checkAnswer(await client.ask(mutateRow('t', `r${i}`, 'f:q', 'v')))
    const kept: Socket[] = []
    for (const i of all.keys()) kept.push(await askedRest(server, `/t/r${i}`))
    const closed = kept.map((socket) => once(socket, 'close'))
    expect(foldersOfSockets()).toHaveLength(1)
    expect(await server.stop()).toBe(0)
    await Promise.all(closed)
    expect(foldersOfSockets()).toEqual([])
    for (const named of ['thrift', 'rest']) {
      const lines = linesOf(accessLog).filter((line) => line['door'] === named)
      expect(new Set(lines.map(({ thread }) => thread))).toEqual(new Set([undefined, 1, 2]))
    }
    const messages = linesOf(log).map(({ msg }) => String(msg))
    expect(messages.filter((message) => message.startsWith('serving'))).toHaveLength(1)
    expect(messages.at(-1)).toBe('stopped, because of SIGTERM')
    server = await start()
    const client = await connected(server)
    for (const i of all.keys()) expect(listAnswerLength(await client.ask(getRow('t', `r${i}`)))).toBe(1)
    expect(await server.stop()).toBe(0)
  })

  test('ends with code 1 and a fatal line when a thread dies, and the next start has all rows', async () => {
    vi.stubEnv('NODE_OPTIONS', `--require ${DYING}`)
    vi.stubEnv('DYING_FOLDER', folder)
    let server = await start()
    const all = [await connected(server), await connected(server)]
    checkAnswer(await all[0]!.ask(createTable('t', 'f')))
    checkAnswer(await all[1]!.ask(mutateRow('t', 'r', 'f:q', 'v')))
    writeFileSync(join(folder, 'die'), '')
    await Promise.all(all.map(({ closed }) => closed))
    expect(await server.stop()).toBe(1)
    const fatal = linesOf(log).find(({ level }) => level === 60)
    expect(fatal).toMatchObject({
      thread: 1,
      msg: expect.stringContaining('thread 1 has ended because of planted'),
    })
    expect(foldersOfSockets()).toEqual([])
    rmSync(join(folder, 'die'))
    server = await start()
    expect(listAnswerLength(await (await connected(server)).ask(getRow('t', 'r')))).toBe(1)
    expect(await server.stop()).toBe(0)
  })
})
