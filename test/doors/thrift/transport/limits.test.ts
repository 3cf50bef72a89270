import { afterEach, describe, expect, test } from 'vitest'
import { callBytes, framed, RawClient, repliesOf } from './raw-client.ts'
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

async function open(): Promise<RawClient> {
  const client = await RawClient.open(server.port)
  clients.push(client)
  return client
}

const add = callBytes('binary', 'add', { left: 1n, right: 1n })
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex')

async function answersStill(): Promise<void> {
  const client = await open()
  client.send(add)
  expect(await client.replies(1)).toHaveLength(1)
}

describe('bytes that are not Thrift close the connection, with a reason in the log', () => {
  test.each([
    ['TLS', hex('16030100c8010000c40303'), 'closing: TLS, which this port does not speak'],
    ['noise', hex('ffffffffffffffff'), 'closing: no Thrift dialect begins with ffffffffffffffff'],
    [
      'another version',
      hex('80020001 00000003 616464'),
      'closing: no Thrift dialect begins with 8002000100000003',
    ],
    [
      'a wrong frame',
      hex('00000008 7f0000000000'),
      'closing: no Thrift dialect begins with 000000087f000000',
    ],
    ['another compact version', hex('82 22 01 03 616464 00'), 'closing: Bad version in readMessageBegin'],
    [
      'a second message of noise',
      Buffer.concat([add, hex('ffffffffffffffff')]),
      'closing: Bad version in readMessageBegin',
    ],
    [
      'a frame that ends early',
      framed(add.subarray(0, -3)),
      /^closing: the message ends where \d more bytes are due/,
    ],
    ['a name of 1 MB', hex('80010001 00100000 61616161'), 'closing: a name of 1048576 bytes'],
    [
      'deep structs',
      Buffer.concat([hex('80010001 00000003 616464 00000001'), Buffer.from('0c0063'.repeat(100), 'hex')]),
      'closing: values are nested too deeply',
    ],
  ])('%s', async (_, bytes, reason) => {
    await start()
    const client = await open()
    client.send(bytes)
    await client.closed()
    expect(server.logged).toEqual([typeof reason === 'string' ? reason : expect.stringMatching(reason)])
    await answersStill()
  })

  test('a negative size is answered before, as HBase answers it', async () => {
    await start()
    const client = await open()
    client.send(hex('80010001 00000004 6563686f 00000007 0b 0001 fffffffb 00'))
    await client.closed()
    expect(repliesOf('binary', client.received)).toMatchObject([
      {
        method: 'echo',
        type: 3,
        sequenceId: 7,
        fields: new Map<number, unknown>([
          [1, 'Negative length: -5'],
          [2, 7],
        ]),
      },
    ])
    await answersStill()
  })
})

test('what is required and missing, or an unknown method, leaves the connection usable', async () => {
  await start()
  const client = await open()
  const noKey = Buffer.concat([
    hex('80010001 00000006'),
    Buffer.from('lookUp'),
    hex('00000001 0c 0001 00 00'),
  ])
  const unknown = Buffer.concat([
    hex('80010001 00000005'),
    Buffer.from('never'),
    hex('00000002 0b 0001 00000001 61 00'),
  ])
  client.send(Buffer.concat([noKey, unknown, add]))
  expect(await client.replies(3)).toMatchObject([
    {
      type: 3,
      fields: new Map<number, unknown>([
        [1, "Required field 'row' was not present! Struct: Key(row:null)"],
        [2, 7],
      ]),
    },
    {
      type: 3,
      sequenceId: 2,
      fields: new Map<number, unknown>([
        [1, "Invalid method name: 'never'"],
        [2, 1],
      ]),
    },
    { type: 2, method: 'add' },
  ])
})

describe('limits', () => {
  test.each([
    ['binary', true],
    ['binary', false],
    ['compact', true],
    ['compact', false],
  ] as const)(
    'requestBytesMax: %s, in a frame %s: is answered, and the connection goes on',
    async (protocol, isFramed) => {
      await start({ limits: { requestBytesMax: 1000 } })
      const fits = callBytes(protocol, 'echo', { value: Buffer.alloc(900) })
      const exceeds = callBytes(protocol, 'echo', { value: Buffer.alloc(200_000) })
      const wrap = isFramed ? framed : (message: Buffer): Buffer => message
      const client = await open()
      client.send(Buffer.concat([fits, exceeds, fits].map(wrap)))
      const replies = await client.replies(3, protocol, isFramed)
      expect(replies.map(({ type }) => type)).toEqual([2, 3, 2])
      expect(replies[1]!.fields.get(1)).toMatch(/(frame|message) of .*1000 bytes|of at most 1000/)
      expect(server.logged).toHaveLength(1)
    },
  )

  test.each([
    ['2 GB of string', '80010001 00000004 6563686f 00000001 0b 0001 7fffffff'],
    ['2^31 elements', '80010001 00000004 6563686f 00000001 0f 0009 0c 7fffffff'],
  ])('%s: is answered before it has come', async (_, bytes) => {
    await start()
    const client = await open()
    client.send(hex(bytes))
    expect((await client.replies(1))[0]!.fields.get(1)).toMatch(/^a message of more than/)
    await answersStill()
  })

  test('a peer that does not read is not read from, and no further call of it is run', async () => {
    let calls = 0
    await start({
      handlers: {
        echo: () => {
          calls++
          return Buffer.alloc(200_000)
        },
      },
    })
    const client = await open()
    client.socket.pause()
    const call = callBytes('binary', 'echo', { value: Buffer.alloc(0) })
    client.send(Buffer.concat(Array.from({ length: 500 }, () => call)))
    await answersStill()
    await answersStill()
    expect(calls).toBeLessThan(200)
    client.socket.resume()
    let bytes = 0
    client.socket.removeAllListeners('data')
    await new Promise<void>((resolve) => {
      client.socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes >= 500 * 200_000) resolve()
      })
    })
    expect(calls).toBe(500)
  })
})
