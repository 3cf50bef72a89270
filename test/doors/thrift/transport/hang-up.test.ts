/** When a client hangs up, its running call is aborted. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Call } from '../../../../src/store/call.ts'
import { callBytes, framed, RawClient, repliesOf } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

/** Time in milliseconds, longer than the door lets a call run for a peer that sends no more. */
const UNHEARD_MS_MORE = 6000

let server: ToyServer
/** The Calls given to `wait`, and the functions that end it. */
let calls: Call[]
let ends: (() => void)[]
const clients: RawClient[] = []

beforeEach(async () => {
  calls = []
  ends = []
  server = await startToyServer({
    handlers: {
      wait: (_, call) => {
        calls.push(call)
        return new Promise<void>((resolve) => ends.push(resolve))
      },
    },
  })
})

afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends) end()
  for (const client of clients.splice(0)) client.socket.destroy()
  await server.listener.close()
})

const wait = callBytes('binary', 'wait', { turns: 1 })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await turn()
}

async function open(allowHalfOpen = false): Promise<RawClient> {
  const client = await RawClient.open(server.port, allowHalfOpen)
  clients.push(client)
  return client
}

const isAborted = (index: number): boolean => calls[index]!.signal!.aborted

const WAYS: readonly { name: string; request: Buffer }[] = [
  { name: 'buffered', request: wait },
  { name: 'framed', request: framed(wait) },
  {
    name: 'HTTP',
    request: Buffer.concat([
      Buffer.from(`POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${wait.length}\r\n\r\n`),
      wait,
    ]),
  },
]

describe.each(WAYS)('$name', ({ request }) => {
  test('all calls of a connection carry one signal to the store, which is aborted when the connection breaks', async () => {
    const [client, other] = [await open(), await open()]
    for (let i = 0; i < 2; i++) {
      client.send(request)
      await until(() => calls.length === i + 1)
      ends[i]!()
    }
    other.send(request)
    client.send(request)
    await until(() => calls.length === 4)
    expect(new Set(calls).size).toBe(2)
    const mine = calls.indexOf(calls[0]!, 2)
    const others = mine === 2 ? 3 : 2
    expect([isAborted(mine), isAborted(others)]).toEqual([false, false])
    client.socket.resetAndDestroy()
    await until(() => isAborted(mine))
    expect(isAborted(others)).toBe(false)
  })
})

test('over HTTP a client that closes its socket has hung up', async () => {
  const client = await open()
  client.send(WAYS[2]!.request)
  await until(() => calls.length === 1)
  client.socket.destroy()
  await until(() => isAborted(0))
})

describe('a client that sends no more', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })

  test('has hung up where one call runs on for long', async () => {
    const client = await open()
    client.send(wait)
    await until(() => calls.length === 1)
    client.socket.destroy()
    await until(() => vi.getTimerCount() === 1)
    expect(isAborted(0)).toBe(false)
    vi.advanceTimersByTime(UNHEARD_MS_MORE)
    expect(isAborted(0)).toBe(true)
  })

  test('has not where its calls come to an end, one after the other', async () => {
    const client = await open(true)
    client.socket.end(Buffer.concat([wait, wait, wait]))
    await until(() => calls.length === 1 && vi.getTimerCount() === 1)
    for (let i = 0; i < 3; i++) {
      ends[i]!()
      await until(() => calls.length === Math.min(i + 2, 3))
      vi.advanceTimersByTime(UNHEARD_MS_MORE)
    }
    await until(() => repliesOf('binary', client.received).length === 3)
    expect(isAborted(0)).toBe(false)
  })
})

test('the doubt about a client that has ended its side ends with its connection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const client = await open(true)
  client.send(wait)
  await until(() => calls.length === 1)
  client.socket.end()
  await until(() => vi.getTimerCount() === 1)
  ends[0]!()
  await client.closed()
  await until(() => server.listener.counters.connections() === 0)
  expect(vi.getTimerCount()).toBe(0)
})
