/** Replies behind integrity and privacy that are longer than a frame: they are protected a frame at a time, and others have their turns in between. */

import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ThriftHandlers } from '../../../../src/doors/thrift/contract/thrift-service.ts'
import { FRAME_BYTES_MAX } from '../../../../src/doors/thrift/transport/sasl-frames.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { FAKE_OVERHEAD, FakeClient, FakeService, fakeLogins } from '../../../harness/fake-kerberos.ts'
import { GssapiClient } from './gssapi-client.ts'
import { callBytes } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

const LONG = Buffer.alloc(2 * FRAME_BYTES_MAX + 1_000_000, 'a value of many MB ')
const FRAMES = [
  FRAME_BYTES_MAX + FAKE_OVERHEAD,
  FRAME_BYTES_MAX + FAKE_OVERHEAD,
  expect.any(Number) as number,
]
const handlers: ThriftHandlers = {
  echo: async ({ value }: { value: Buffer }) => {
    if (value.length > 0) return value
    asked++
    return LONG
  },
}
const ASKED = callBytes('binary', 'echo', { value: Buffer.alloc(0) })

let service: FakeService
let server: ToyServer
let memory: MemoryBudget
/** Calls with a long reply that have begun. */
let asked = 0
let readers: Reader[] = []

beforeEach(async () => {
  asked = 0
  service = new FakeService()
  memory = new MemoryBudget()
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), {
    kerberos: fakeLogins(service, ['privacy']),
  })
  server = await startToyServer({ guard, handlers, memory })
})

afterEach(async () => {
  for (const { client } of readers) client.close()
  readers = []
  await server.listener.close()
  await expect.poll(() => memory.granted).toBe(0)
  await expect.poll(() => service.open).toBe(0)
})

/** Reads the frames behind a login without copying all that has come for each chunk. */
class Reader {
  readonly client: GssapiClient
  readonly frames: number[] = []
  readonly #exchange: FakeClient
  readonly #messages: Buffer[] = []
  readonly #chunks: Buffer[] = []
  #bytes = 0
  #waiting: (() => void) | undefined

  private constructor(client: GssapiClient, exchange: FakeClient) {
    this.client = client
    this.#exchange = exchange
    const { socket } = client.raw
    socket.removeAllListeners('data')
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#bytes += chunk.length
      this.#read()
      this.#waiting?.()
    })
    socket.on('close', () => this.#waiting?.())
  }

  static async open(): Promise<Reader> {
    const exchange = new FakeClient({ principal: 'alice@TEST' })
    const reader = new Reader(await GssapiClient.open(server.port, exchange), exchange)
    readers.push(reader)
    return reader
  }

  #read(): void {
    for (;;) {
      const head = this.#chunks[0]
      if (head === undefined || this.#bytes < 4) return
      if (head.length < 4) this.#join()
      const length = this.#chunks[0]!.readInt32BE(0)
      if (this.#bytes < 4 + length) return
      this.#join()
      const all = this.#chunks.pop()!
      this.frames.push(length)
      this.#messages.push(this.#exchange.layer!.unwrap(all.subarray(4, 4 + length)))
      this.#bytes -= 4 + length
      if (this.#bytes > 0) this.#chunks.push(all.subarray(4 + length))
    }
  }

  #join(): void {
    const joined = Buffer.concat(this.#chunks)
    this.#chunks.splice(0, this.#chunks.length, joined)
  }

  send(...calls: readonly Buffer[]): void {
    for (const call of calls) this.client.raw.send(this.client.frame(call))
  }

  /** The contents of so many frames. Rejects where the connection ends before. */
  async contents(frames: number): Promise<Buffer> {
    while (this.frames.length < frames) {
      if (this.client.raw.isClosed) throw new Error(`the connection ended after ${this.frames.length} frames`)
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    }
    return Buffer.concat(this.#messages)
  }
}

function small(text: string): Buffer {
  return callBytes('binary', 'echo', { value: Buffer.from(text) })
}

describe('a reply that is longer than a frame', () => {
  test('comes whole and before the replies of later calls', async () => {
    const reader = await Reader.open()
    reader.send(small('first'), ASKED, small('second'), ASKED, small('third'))
    const contents = await reader.contents(9)
    expect(reader.frames.slice(1, 4)).toEqual(FRAMES)
    expect(reader.frames.slice(5, 8)).toEqual(FRAMES)
    const places = ['first', LONG, 'second', 'third'].map((part) => contents.indexOf(part))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(contents.lastIndexOf(LONG)).toBeGreaterThan(contents.indexOf('second'))
  })

  test('holds the memory of itself and a frame while its client reads nothing, and others are served', async () => {
    const reader = await Reader.open()
    reader.client.raw.socket.pause()
    reader.send(ASKED, ASKED, ASKED)
    await expect.poll(() => memory.granted).toBeGreaterThan(LONG.length + FRAME_BYTES_MAX)
    const other = await Reader.open()
    for (let turn = 0; turn < 5; turn++) {
      other.send(small(`turn ${turn}`))
      expect((await other.contents(turn + 1)).toString()).toContain(`turn ${turn}`)
    }
    expect(memory.granted).toBeLessThan(LONG.length + FRAME_BYTES_MAX + 1_000_000)
    expect(server.listener.counters.connections()).toBe(2)
  })

  test('keeps the next call waiting until it is sent', async () => {
    const reader = await Reader.open()
    reader.send(ASKED, ASKED)
    await reader.contents(1)
    reader.client.raw.socket.pause()
    const other = await Reader.open()
    other.send(small('other'))
    await other.contents(1)
    expect(asked).toBe(1)
    reader.client.raw.socket.resume()
    await reader.contents(2 * FRAMES.length)
    expect(asked).toBe(2)
  })

  test('goes on for a client that ends its side', async () => {
    const reader = await Reader.open()
    reader.send(ASKED)
    reader.client.raw.socket.end()
    expect((await reader.contents(3)).includes(LONG)).toBe(true)
    await reader.client.raw.closed()
  })

  test('is sent to its end by a door that closes', async () => {
    const reader = await Reader.open()
    reader.send(ASKED)
    await reader.contents(1)
    const closed = server.listener.close()
    expect((await reader.contents(3)).includes(LONG)).toBe(true)
    await closed
  })

  test('gives its memory back where the client leaves in between', async () => {
    const reader = await Reader.open()
    reader.send(ASKED, ASKED)
    await reader.contents(1)
    reader.client.close()
    await expect.poll(() => memory.granted).toBe(0)
    await expect.poll(() => service.open).toBe(0)
  })
})
