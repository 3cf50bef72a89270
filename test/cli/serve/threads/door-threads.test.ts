/** Threads before a store of the test's own: hang-ups, stops, reloads, and threads that die. */

import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { DoorThreads, type DoorThreadsParts } from '../../../../src/cli/serve/threads/door-threads.ts'
import { startRestDoor } from '../../../../src/doors/rest/rest-door.ts'
import { openThriftServices } from '../../../../src/doors/thrift/service/thrift-services.ts'
import { startThriftDoor } from '../../../../src/doors/thrift/thrift-door.ts'
import { advertised } from '../../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../../src/gateway/door.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { packageRoot } from '../../../../src/package-root.ts'
import type { Call } from '../../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../../src/store/decorate.ts'
import type { Rows } from '../../../../src/store/rows.ts'
import { FrameConnection } from '../../../harness/frame-connection.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { checkAnswer, createTable, getRow, listAnswerLength } from '../../../harness/thrift-frames.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { parsedSettings } from '../../parsed-settings.ts'

const DYING = new URL('dist/test/harness/door-threads/dying-worker.js', packageRoot()).href
const server = { host: 'h', port: 1, startCode: 1 }
const silent = pino({ level: 'silent' })

/** The gets that have come to the store; each waits until the test lets it go, or its client hangs up. */
class HeldGets {
  readonly calls: Call[] = []
  readonly #goOn: (() => void)[] = []
  #come: (() => void) | undefined

  /** Resolves once so many gets have come. */
  async come(count: number): Promise<void> {
    while (this.calls.length < count) await new Promise<void>((resolve) => (this.#come = resolve))
  }

  letGo(): void {
    for (const goOn of this.#goOn.splice(0)) goOn()
  }

  async hold(call: Call): Promise<void> {
    this.calls.push(call)
    this.#come?.()
    await new Promise<void>((resolve) => {
      this.#goOn.push(resolve)
      call.signal?.addEventListener('abort', () => resolve())
    })
  }
}

let gets: HeldGets
let threads: DoorThreads
let door: Door
let rest: Door
let codes: number[]
const clients: FrameConnection[] = []

function exit(code: number): void {
  codes.push(code)
}

async function start(parts: Partial<DoorThreadsParts> = {}, flags: readonly string[] = []): Promise<void> {
  const settings = parsedSettings('--store', 'memory', '--threads', '1', '--log-level', 'silent', ...flags)
  threads = new DoorThreads({ count: 1, settings, requestsBytes: 2 ** 26, logger: silent, exit, ...parts })
  const memory = openMemoryStore({ clock: Date })
  const get: Rows['get'] = async (target, asked, limits, call) => {
    await gets.hold(call)
    return await memory.rows.get(target, asked, limits, call)
  }
  const store = advertised(withFacets(memory, { rows: withMethods(memory.rows, { get }) }), server)
  const { limits } = settings
  const { siblings, handover } = threads
  const context = { limits, memory: new MemoryBudget(), logger: silent, siblings, handover }
  const address = { host: '127.0.0.1', port: 0 }
  door = await startThriftDoor(context, address, openThriftServices({ ...context, store }))
  rest = await startRestDoor({ ...context, store, server }, address)
  const doors = new Map([
    ['thrift', door],
    ['rest', rest],
  ])
  await threads.start({ store, server, doors })
}

function stopped(): Promise<unknown> {
  return Promise.all([door.close(), rest.close(), threads.stop()])
}

async function connected(): Promise<FrameConnection> {
  const client = await FrameConnection.open(door.port)
  clients.push(client)
  return client
}

/** The second connection of an address is the thread's. */
async function inThread(): Promise<FrameConnection> {
  const first = await connected()
  checkAnswer(await first.ask(createTable('t', 'f')))
  return await connected()
}

beforeEach(() => {
  gets = new HeldGets()
  codes = []
})
afterEach(async () => {
  gets.letGo()
  for (const client of clients.splice(0)) client.close()
  await stopped()
})

describe.skipIf(!MOVES_CONNECTIONS)('a thread', () => {
  test('passes on a hang-up to the store, and the name of the client', async () => {
    await start()
    const client = await inThread()
    const asked = client.ask(getRow('t', 'a')).catch((error: unknown) => error)
    await gets.come(1)
    const { signal, address, client: name, isOwn } = gets.calls[0]!
    expect({ address, isOwn }).toEqual({ address: '127.0.0.1', isOwn: false })
    expect(name).toMatch(/^127\.0\.0\.1:\d+$/)
    const aborted = new Promise((resolve) => signal!.addEventListener('abort', resolve))
    client.reset()
    await aborted
    expect(await asked).toBeInstanceOf(Error)
  })

  test('finishes what is in flight when the server stops', async () => {
    await start()
    const client = await inThread()
    const asked = client.ask(getRow('t', 'a'))
    await gets.come(1)
    let isOver = false
    const stopping = stopped().finally(() => (isOver = true))
    const refused = await FrameConnection.open(door.port).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Error)
    expect(isOver).toBe(false)
    gets.letGo()
    expect(listAnswerLength(await asked)).toBe(0)
    await stopping
    await client.closed
    expect(codes).toEqual([])
  })

  test('passes on the hang-up of a client of REST', async () => {
    await start()
    await inThread()
    const asking = askedOfRest()
    await gets.come(1)
    const { signal, address, client } = gets.calls[0]!
    expect([address, client]).toEqual(['127.0.0.1', expect.stringMatching(/^127\.0\.0\.1:\d+$/)])
    const aborted = new Promise((resolve) => signal!.addEventListener('abort', resolve))
    asking.resetAndDestroy()
    await aborted
  })

  test('finishes requests of REST that are in flight when the server stops, and ends their connections', async () => {
    await start()
    await inThread()
    const asking = askedOfRest()
    await gets.come(1)
    expect(threads.handover.open('rest')).toBe(1)
    const stopping = stopped()
    gets.letGo()
    const [answer] = (await once(asking, 'data')) as [Buffer]
    expect(String(answer)).toMatch(/^HTTP\/1\.1 404 [^]*Connection: close/)
    await once(asking, 'close')
    await stopping
    expect(codes).toEqual([])
  })

  test('is counted by the main one, for each door, until its connections are closed', async () => {
    await start()
    const client = await inThread()
    expect(threads.handover.open('thrift')).toBe(1)
    expect(threads.handover.open('rpc')).toBe(0)
    client.close()
    await expect.poll(() => threads.handover.open('thrift')).toBe(0)
  })

  test('has read its files once a reload is answered', () =>
    inTemporaryFolder(async (folder) => {
      const users = join(folder, 'users')
      await writeUser(users, 'alice', 'the password of alice')
      await start({}, ['--users', users, '--insecure'])
      await connected()
      expect(await login('bob')).toBe(401)
      await writeUser(users, 'bob', 'the password of bob')
      await threads.reload()
      const asked = login('bob')
      await gets.come(1)
      gets.letGo()
      expect(await asked).toBe(200)
    }))

  test('that dies ends the process with code 1 and a fatal line', async () => {
    const lines: string[] = []
    const logger: Logger = pino({ level: 'fatal' }, { write: (line: string) => void lines.push(line) })
    await start({ program: DYING, logger })
    await connected()
    const lost = await connected()
    await expect.poll(() => codes).toEqual([1])
    expect(lines.join('')).toContain('thread 1 has ended because of planted; ending the server')
    lost.close()
  })

  test('that cannot start is reported, and nothing is left', async () => {
    const program = new URL('none.js', DYING).href
    await expect(start({ program })).rejects.toThrow('thread 1 of the server has ended at its start')
    await threads.stop()
    expect(existsSync(fileURLToPath(DYING))).toBe(true)
  })
})

/** A connection with a request for a row that the store does not have. */
function askedOfRest(): Socket {
  const socket = connect(rest.port, '127.0.0.1')
  socket.write('GET /t/a HTTP/1.1\r\nHost: x\r\n\r\n')
  return socket
}

/** The status of a call of Thrift over HTTP, with the user's password, over a connection of its own. */
async function login(user: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${user}:the password of ${user}`).toString('base64')}`
  const headers = { authorization, 'content-type': 'application/x-thrift', connection: 'close' }
  const frame = getRow('t', 'a')
  const body = new Uint8Array(frame.subarray(4))
  const answer = await fetch(`http://127.0.0.1:${door.port}/`, { method: 'POST', headers, body })
  await answer.arrayBuffer()
  return answer.status
}
