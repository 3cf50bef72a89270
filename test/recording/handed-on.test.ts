/** Bytes on their way through a recorder, with peers and a watcher that take them slowly or not at all. */

import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HandedOn, type Watcher } from '../../src/recording/handed-on.ts'

const CHUNK = Buffer.alloc(16 * 1024, 'x')

/** A socket whose peer sends chunks as they are read, and takes what is written once the test lets it. */
class FakeSocket extends Duplex {
  readonly taken: Buffer[] = []
  /** Undefined: the peer sends nothing, and does not end. */
  readonly #toSend: Buffer[] | undefined
  #isStuck: boolean
  #done: (() => void) | undefined

  constructor(toSend: readonly Buffer[] | undefined, isStuck = false) {
    super({ allowHalfOpen: true })
    this.#toSend = toSend && [...toSend]
    this.#isStuck = isStuck
  }

  /** Chunks that have not been read of the peer. */
  get left(): number {
    return this.#toSend?.length ?? 0
  }

  letGo(): void {
    this.#isStuck = false
    this.#done?.()
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }

  override _read(): void {
    if (this.#toSend !== undefined) this.push(this.#toSend.shift() ?? null)
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.taken.push(chunk)
    if (this.#isStuck) this.#done = done
    else setImmediate(done)
  }
}

class FakeWatcher implements Watcher {
  readonly seen: Record<'request' | 'answer', Buffer[]> = { request: [], answer: [] }
  ends = 0
  isBehind = false

  saw(side: 'request' | 'answer', bytes: Buffer): void {
    this.seen[side].push(bytes)
  }

  end(): void {
    this.ends++
  }
}

function handOn(...sockets: ConstructorParameters<typeof HandedOn>): HandedOn {
  return new HandedOn(...sockets)
}

/** Until nothing moves any more. */
async function settled(...sockets: readonly FakeSocket[]): Promise<void> {
  const state = (): string => sockets.map(({ left, taken }) => `${left} ${taken.length}`).join()
  for (let before = '', same = 0; same < 20; before = state()) {
    await new Promise(setImmediate)
    same = state() === before ? same + 1 : 0
  }
}

test('of a server that sends much to a client that does not read, little is read; later all of it arrives', async () => {
  const client = new FakeSocket([], true)
  const server = new FakeSocket(Array.from({ length: 200 }, () => CHUNK))
  const watcher = new FakeWatcher()
  handOn(client, server, watcher)
  await settled(client, server)
  expect(server.left).toBeGreaterThan(180)
  client.letGo()
  await settled(client, server)
  expect(Buffer.concat(client.taken).length).toBe(200 * CHUNK.length)
  expect(Buffer.concat(watcher.seen.answer).length).toBe(200 * CHUNK.length)
})

test('of a client that sends much to a server that does not read, little is read', async () => {
  const client = new FakeSocket(Array.from({ length: 200 }, () => CHUNK))
  const server = new FakeSocket([], true)
  handOn(client, server, new FakeWatcher())
  await settled(client, server)
  expect(client.left).toBeGreaterThan(180)
})

test('while the watcher is behind nothing is read, and nothing is lost', async () => {
  const client = new FakeSocket(Array.from({ length: 50 }, () => CHUNK))
  const server = new FakeSocket(Array.from({ length: 50 }, () => CHUNK))
  const watcher = new FakeWatcher()
  watcher.isBehind = true
  const handedOn = new HandedOn(client, server, watcher)
  await settled(client, server)
  expect(client.left).toBeGreaterThan(40)
  expect(server.left).toBeGreaterThan(40)
  watcher.isBehind = false
  handedOn.goOn()
  await settled(client, server)
  expect(Buffer.concat(server.taken).length).toBe(50 * CHUNK.length)
  expect(Buffer.concat(client.taken).length).toBe(50 * CHUNK.length)
  expect(watcher.ends).toBe(1)
})

test('a watcher that has caught up does not read for a peer that has not', async () => {
  const client = new FakeSocket([], true)
  const server = new FakeSocket(Array.from({ length: 50 }, () => CHUNK))
  const watcher = new FakeWatcher()
  watcher.isBehind = true
  const handedOn = new HandedOn(client, server, watcher)
  await settled(client, server)
  watcher.isBehind = false
  for (let i = 0; i < 10; i++) {
    handedOn.goOn()
    await settled(client, server)
  }
  expect(server.left).toBeGreaterThan(30)
})

test('a client gets all that a server has sent before it failed', async () => {
  const client = new FakeSocket(undefined, true)
  const server = new FakeSocket([CHUNK])
  handOn(client, server, new FakeWatcher())
  client.on('error', () => undefined)
  await settled(client, server)
  server.destroy(new Error('reset'))
  await settled(client, server)
  expect(client.destroyed).toBe(false)
  client.letGo()
  await settled(client, server)
  expect(Buffer.concat(client.taken).length).toBe(CHUNK.length)
  expect(client.destroyed).toBe(true)
})

test('a client that fails ends the connection to the server, and the watcher hears of the end', async () => {
  const client = new FakeSocket([], true)
  const server = new FakeSocket([CHUNK], true)
  const watcher = new FakeWatcher()
  handOn(client, server, watcher)
  client.destroy(new Error('reset'))
  await settled(client, server)
  expect(server.destroyed).toBe(true)
  expect(watcher.ends).toBe(1)
})

const anyBytes = fc.array(
  fc.uint8Array({ minLength: 1, maxLength: 20_000 }).map((bytes) => Buffer.from(bytes)),
  {
    maxLength: 8,
  },
)

test('both get what the other one sends, and the watcher the same', async () => {
  await fc.assert(
    fc.asyncProperty(anyBytes, anyBytes, async (asked, answered) => {
      const client = new FakeSocket(asked)
      const server = new FakeSocket(answered)
      const watcher = new FakeWatcher()
      handOn(client, server, watcher)
      await settled(client, server)
      expect(Buffer.concat(server.taken)).toEqual(Buffer.concat(asked))
      expect(Buffer.concat(client.taken)).toEqual(Buffer.concat(answered))
      expect(Buffer.concat(watcher.seen.request)).toEqual(Buffer.concat(asked))
      expect(Buffer.concat(watcher.seen.answer)).toEqual(Buffer.concat(answered))
    }),
  )
})
