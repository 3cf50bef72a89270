import { afterEach, describe, expect, test } from 'vitest'
import { callBytes, framed, type ProtocolName, RawClient, repliesOf } from './raw-client.ts'
import { startToyServer, type ToyOptions, type ToyServer } from './toy-services.ts'

let server: ToyServer
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await server.listener.close()
})

async function start(options: ToyOptions = {}): Promise<void> {
  server = await startToyServer(options)
}

async function open(allowHalfOpen = false): Promise<RawClient> {
  const client = await RawClient.open(server.port, allowHalfOpen)
  clients.push(client)
  return client
}

const add = (left: bigint, sequenceId = 1): Buffer =>
  callBytes('binary', 'add', { left, right: 1n }, sequenceId)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const DIALECTS: readonly { name: string; protocol: ProtocolName; isFramed: boolean }[] = [
  { name: 'buffered binary', protocol: 'binary', isFramed: false },
  { name: 'buffered compact', protocol: 'compact', isFramed: false },
  { name: 'framed binary', protocol: 'binary', isFramed: true },
  { name: 'framed compact', protocol: 'compact', isFramed: true },
]

describe.each(DIALECTS)('$name', ({ protocol, isFramed }) => {
  test('calls that come byte by byte are answered as those that come whole', async () => {
    await start()
    const calls = [
      callBytes(protocol, 'add', { left: -9n, right: 1n }, 1),
      callBytes(protocol, 'echo', { value: Buffer.from('some bytes') }, 2),
      callBytes(protocol, 'lookUp', { row: Buffer.from('r') }, 3),
    ].map((call) => (isFramed ? framed(call) : call))
    const whole = await open()
    whole.send(Buffer.concat(calls))
    const expected = await whole.replies(3, protocol, isFramed)
    expect(expected.map(({ sequenceId }) => sequenceId)).toEqual([1, 2, 3])
    const piecemeal = await open()
    for (const byte of Buffer.concat(calls)) {
      piecemeal.send(Buffer.of(byte))
      await turn()
    }
    expect(await piecemeal.replies(3, protocol, isFramed)).toEqual(expected)
  })

  test('a large message in many pieces', async () => {
    await start()
    const client = await open()
    const value = Buffer.alloc(3_000_000, 'x')
    const call = callBytes(protocol, 'echo', { value })
    client.send(isFramed ? framed(call) : call)
    const [reply] = await client.replies(1, protocol, isFramed)
    expect(reply!.fields.get(0)).toHaveLength(value.length)
  })
})

describe('calls of one connection', () => {
  test('run one after the other, and are answered in order', async () => {
    await start()
    const client = await open()
    client.send(
      Buffer.concat([
        callBytes('binary', 'wait', { turns: 5 }, 1),
        add(1n, 2),
        callBytes('binary', 'wait', { turns: 1 }, 3),
        add(2n, 4),
      ]),
    )
    expect((await client.replies(4)).map(({ sequenceId }) => sequenceId)).toEqual([1, 2, 3, 4])
    expect(server.calls).toEqual(['wait 5', 'add 1', 'wait 1', 'add 2'])
  })

  test('that come together are answered together', async () => {
    await start()
    const client = await open()
    client.send(Buffer.concat(Array.from({ length: 100 }, (_, i) => add(BigInt(i), i))))
    expect(await client.replies(100)).toHaveLength(100)
    expect(client.chunks).toBe(1)
  })

  test('a reply does not wait for the next call', async () => {
    let release: (() => void) | undefined
    await start({
      handlers: {
        wait: () =>
          new Promise<void>((resolve) => {
            release = resolve
          }),
      },
    })
    const client = await open()
    client.send(Buffer.concat([add(1n, 1), callBytes('binary', 'wait', { turns: 1 }, 2)]))
    expect(await client.replies(1)).toHaveLength(1)
    release!()
    expect(await client.replies(2)).toHaveLength(2)
  })

  test('oneway calls are not answered', async () => {
    await start()
    const client = await open()
    client.send(Buffer.concat([callBytes('binary', 'note', { text: 'a' }, 1), add(1n, 2)]))
    expect(await client.replies(1)).toMatchObject([{ method: 'add', sequenceId: 2 }])
    expect(server.notes).toEqual(['a'])
  })

  test('what has no arguments goes to the service that the connection spoke last, at first to the oldest', async () => {
    await start()
    const client = await open()
    client.send(callBytes('binary', 'age', {}, 1))
    expect((await client.replies(1))[0]!.fields.get(0)).toBe('old')
    client.send(Buffer.concat([callBytes('binary', 'hello', {}, 2), callBytes('binary', 'age', {}, 3)]))
    expect((await client.replies(3))[2]!.fields.get(0)).toBe('young')
    client.send(Buffer.concat([add(1n, 4), callBytes('binary', 'age', {}, 5)]))
    expect((await client.replies(5))[4]!.fields.get(0)).toBe('old')
  })

  test('the old form of the binary protocol, answered in the strict one', async () => {
    await start()
    const old = Buffer.concat([
      Buffer.from([0, 0, 0, 3]),
      Buffer.from('age'),
      Buffer.from([1, 0, 0, 0, 9, 0]),
    ])
    for (const bytes of [old, framed(old)]) {
      const client = await open()
      client.send(bytes)
      expect(await client.replies(1, 'binary', bytes !== old)).toMatchObject([
        { method: 'age', sequenceId: 9 },
      ])
    }
  })
})

describe('an end', () => {
  test("of the client's sending: what it sent is answered, then the connection is closed", async () => {
    await start()
    const client = await open(true)
    client.socket.end(Buffer.concat([callBytes('binary', 'wait', { turns: 5 }, 1), add(1n, 2)]))
    await new Promise((resolve) => client.socket.once('end', resolve))
    expect(repliesOf('binary', client.received)).toHaveLength(2)
  })

  test('of the listener: the call under way is answered, those behind it are not run', async () => {
    let release: (() => void) | undefined
    let began: () => void
    const waiting = new Promise<void>((resolve) => {
      began = resolve
    })
    await start({
      handlers: {
        wait: () =>
          new Promise<void>((resolve) => {
            release = resolve
            began()
          }),
      },
    })
    const busy = await open()
    const idle = await open()
    idle.send(add(7n))
    await idle.replies(1)
    busy.send(Buffer.concat([callBytes('binary', 'wait', { turns: 1 }, 1), add(1n, 2)]))
    await waiting
    const closed = server.listener.close()
    await idle.closed()
    expect(busy.isClosed).toBe(false)
    release!()
    await closed
    await busy.closed()
    expect(repliesOf('binary', busy.received)).toMatchObject([{ method: 'wait', sequenceId: 1 }])
    expect(server.calls).toEqual(['add 7'])
    await expect(RawClient.open(server.port)).rejects.toThrow('ECONNREFUSED')
  })
})
