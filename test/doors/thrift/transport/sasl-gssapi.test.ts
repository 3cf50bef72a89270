/** Logins of Thrift's clients by SASL GSSAPI, in the framing of TSaslTransport, with a fake mechanism; and the protection of calls behind them. */

import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ThriftHandlers } from '../../../../src/doors/thrift/contract/thrift-service.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import type { Call } from '../../../../src/store/call.ts'
import { PROTECTIONS, type Protection } from '../../../../src/wire/sasl/sasl.ts'
import { FAKE_OVERHEAD, FakeClient, FakeService, fakeLogins } from '../../../harness/fake-kerberos.ts'
import { testRuns } from '../../../harness/test-runs.ts'
import { GssapiClient, saslBytes } from './gssapi-client.ts'
import { callBytes, framed, type ProtocolName, RawClient, repliesOf } from './raw-client.ts'
import { startToyServer, type ToyOptions, type ToyServer } from './toy-services.ts'

const ALICE = 'alice@TEST'
const TRANSPORTS = ['buffered', 'framed'] as const
type Transport = (typeof TRANSPORTS)[number]

let service: FakeService
let server: ToyServer
let memory: MemoryBudget
let clients: GssapiClient[] = []
let failures: string[] = []

const handlers: ThriftHandlers = {
  age: (_: never, { principal }: Call) => `${principal?.user} ${principal?.realUser} ${principal?.method}`,
}

function write(line: string): void {
  failures.push((JSON.parse(line) as { msg: string }).msg)
}

async function start(
  protections: readonly Protection[] = PROTECTIONS,
  options: ToyOptions = {},
): Promise<void> {
  const proxyRules = new Map([['hue', { hosts: ['*'], users: ['alice'], groups: [] }]])
  const guard = new Guard({ certificates: false, proxyRules }, pino({ level: 'warn' }, { write }), {
    kerberos: fakeLogins(service, protections),
  })
  memory = new MemoryBudget()
  server = await startToyServer({ guard, handlers, memory, ...options })
}

beforeEach(() => {
  service = new FakeService()
  failures = []
})

afterEach(async () => {
  for (const client of clients) client.close()
  clients = []
  await expect.poll(() => server.listener.counters.connections()).toBe(0)
  expect(service.open).toBe(0)
  expect(memory.granted).toBe(0)
  await server.listener.close()
})

async function open(
  ...[claim, protections]: [
    FakeClient | { principal: string; authorized?: string; bytesMax?: number },
    (readonly Protection[])?,
  ]
): Promise<GssapiClient> {
  const client = await GssapiClient.open(server.port, claim, protections)
  clients.push(client)
  return client
}

function call(
  transport: Transport,
  method: string,
  args: Readonly<Record<string, unknown>>,
  protocol: ProtocolName = 'binary',
): Buffer {
  const message = callBytes(protocol, method, args)
  return transport === 'framed' ? framed(message) : message
}

/** The reply to `age`: the user, the user that has logged in and how. */
async function whoAmI(client: GssapiClient): Promise<unknown> {
  client.raw.send(client.frame(callBytes('binary', 'age', {})))
  const payload = await client.payload(30)
  return repliesOf('binary', payload)[0]?.fields.get(0)
}

describe('a login', () => {
  test('in the statuses of TSaslTransport, byte by byte', async () => {
    await start(['authentication'])
    const raw = await RawClient.open(server.port)
    const claim = Buffer.from(JSON.stringify({ principal: ALICE }))
    const sent = [saslBytes(1, 'GSSAPI'), saslBytes(2, 'ticket'), saslBytes(2, ''), saslBytes(5, claim)]
    for (const byte of Buffer.concat(sent)) raw.send(Buffer.of(byte))
    const wanted = [saslBytes(2, 'server'), saslBytes(2, 'authentication'), saslBytes(5, '')]
    await raw.until(() => raw.received.length >= Buffer.concat(wanted).length)
    expect(raw.received).toEqual(Buffer.concat(wanted))
    // Without a layer the mechanism has nothing more to do.
    expect(service.open).toBe(0)
    raw.socket.destroy()
  })

  test.each(PROTECTIONS)('with %s: the user of the principal', async (protection) => {
    await start([protection])
    expect(await whoAmI(await open({ principal: 'alice/host@TEST' }))).toBe('alice undefined KERBEROS')
    expect(service.open).toBe(protection === 'authentication' ? 0 : 1)
  })

  test.each([
    ['its own principal', ALICE, ALICE, 'alice undefined KERBEROS'],
    ['its own short name', ALICE, 'alice', 'alice undefined KERBEROS'],
    ['a user that it may act for', 'hue@TEST', 'alice', 'alice hue KERBEROS'],
    ['a principal that it may act for', 'hue@TEST', ALICE, 'alice hue KERBEROS'],
  ])('for %s', async (_, principal, authorized, wanted) => {
    await start()
    expect(await whoAmI(await open({ principal, authorized }))).toBe(wanted)
  })

  test.each([
    ['a user that it may not act for', ALICE, 'bob', 'User: alice is not allowed to impersonate bob'],
    [
      'a principal that it may not act for',
      'hue@TEST',
      'bob@TEST',
      'User: hue is not allowed to impersonate bob',
    ],
    ['a principal of another realm', 'hue@TEST', 'alice@ELSEWHERE', 'no rule names a user'],
    ['a name that is no user', 'hue@TEST', 'a\0b', ''],
  ])('for %s is refused', async (_, principal, authorized, reason) => {
    await start()
    await expect(open({ principal, authorized })).rejects.toThrow(`refused with 3: ${reason}`)
  })

  test('of a principal that is no user here is refused', async () => {
    await start()
    await expect(open({ principal: 'alice@ELSEWHERE' })).rejects.toThrow(
      'refused with 3: no rule names a user for the principal alice@ELSEWHERE',
    )
    expect(failures).toEqual([expect.stringContaining('a login failed: no rule names a user')])
  })

  test('whose ticket is wrong is refused, and logged', async () => {
    await start()
    const raw = await RawClient.open(server.port)
    raw.send(Buffer.concat([saslBytes(1, 'GSSAPI'), saslBytes(2, 'garbage')]))
    await raw.closed()
    expect(raw.received).toEqual(saslBytes(3, 'the ticket is malformed'))
    expect(failures).toEqual(['a login failed: the ticket is malformed'])
  })

  test.each([
    [
      'a mechanism that is not taken',
      [saslBytes(1, 'DIGEST-MD5')],
      saslBytes(3, 'Unsupported mechanism type DIGEST-MD5: it is GSSAPI'),
    ],
    [
      'a mechanism again',
      [saslBytes(1, 'GSSAPI'), saslBytes(1, 'GSSAPI')],
      saslBytes(4, 'Expecting OK or COMPLETE status, received START'),
    ],
    ['a status that is none', [saslBytes(1, 'GSSAPI'), saslBytes(6, '')], saslBytes(4, 'Invalid status 6')],
    ['the end of the login by the client', [saslBytes(1, 'GSSAPI'), saslBytes(3, 'no')], Buffer.alloc(0)],
    ['an error of the client', [saslBytes(1, 'GSSAPI'), saslBytes(4, 'no')], Buffer.alloc(0)],
    [
      'a negative length',
      [saslBytes(1, 'GSSAPI'), Buffer.from('02ffffffff', 'hex')],
      saslBytes(4, 'Invalid payload header length: -1'),
    ],
    [
      'a message of 128 KB and a byte',
      [saslBytes(1, 'GSSAPI'), Buffer.from('0200020001', 'hex')],
      saslBytes(4, 'Invalid payload header length: 131073'),
    ],
  ])('with %s is ended', async (_, sent, wanted) => {
    await start()
    const raw = await RawClient.open(server.port)
    raw.send(Buffer.concat(sent))
    await raw.closed()
    expect(raw.received.toString()).toBe(wanted.toString())
  })

  test.each([64 * 1024, 128 * 1024])('with a ticket of %d bytes', async (bytes) => {
    await start()
    expect(await whoAmI(await open(new FakeClient({ principal: ALICE }, PROTECTIONS, bytes)))).toBe(
      'alice undefined KERBEROS',
    )
  })

  test('whose ticket has no memory is refused, and others log in', async () => {
    memory = new MemoryBudget(256 * 1024)
    const mine = memory
    await start(PROTECTIONS, { memory })
    memory = mine
    memory.note(200 * 1024)
    const raw = await RawClient.open(server.port)
    const ticket = saslBytes(2, Buffer.alloc(100 * 1024))
    raw.send(Buffer.concat([saslBytes(1, 'GSSAPI'), ticket.subarray(0, -1)]))
    await raw.closed()
    expect(raw.received[0]).toBe(4)
    expect(raw.received.toString()).toContain('no memory for a request')
    expect(await whoAmI(await open({ principal: ALICE }))).toBe('alice undefined KERBEROS')
    memory.give(200 * 1024)
  })

  test('that the client leaves while a step runs gives its memory back', async () => {
    await start()
    const waits: (() => void)[] = []
    service.pause = () => new Promise((resolve) => waits.push(resolve))
    const raw = await RawClient.open(server.port)
    raw.send(Buffer.concat([saslBytes(1, 'GSSAPI'), saslBytes(2, 'ticket')]))
    await expect.poll(() => waits.length).toBe(1)
    raw.socket.destroy()
    await expect.poll(() => server.listener.counters.connections()).toBe(0)
    expect(service.open).toBe(1)
    waits[0]!()
    await expect.poll(() => service.open).toBe(0)
  })

  test('with a protection that the server does not take, where the mechanism lets it pass', async () => {
    service.isLax = true
    await start(['privacy'])
    for (const protection of ['authentication', 'integrity'] as const)
      await expect(open(new FakeClient({ principal: ALICE, protection }))).rejects.toThrow(
        `refused with 3: the client has chosen the protection ${protection}, and this server takes privacy`,
      )
  })
})

test('thousands of half logins keep no client out, and are ended', async () => {
  let now = 0
  await start(PROTECTIONS, { now: () => now, limits: { headersMs: 5000, connectionsMax: 3000 } })
  const halves = await Promise.all(Array.from({ length: 2000 }, () => RawClient.open(server.port)))
  for (const half of halves)
    half.send(
      Buffer.concat([saslBytes(1, 'GSSAPI'), saslBytes(2, 'ticket'), saslBytes(2, '').subarray(0, 3)]),
    )
  await expect.poll(() => service.open, { timeout: 20_000 }).toBe(2000)
  await Promise.all(halves.map((half) => half.until(() => half.received.length > 5)))
  expect(await whoAmI(await open({ principal: ALICE }))).toBe('alice undefined KERBEROS')
  server.listener.sweep()
  now = 6000
  server.listener.sweep()
  await Promise.all(halves.map((half) => half.closed()))
  expect(service.open).toBe(0)
}, 60_000)

describe.each(PROTECTIONS)('calls with %s', (protection) => {
  test('buffered and framed, in frames and pieces of any size, keep their order', async () => {
    await start([protection])
    const judged = fc.asyncProperty(
      fc.constantFrom<Transport>(...TRANSPORTS),
      fc.constantFrom<ProtocolName>('binary', 'compact'),
      fc.array(fc.nat(3000), { minLength: 1, maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 8 }),
      async (transport, protocol, values, frames, pieces) => {
        const client = await open({ principal: ALICE })
        const calls = Buffer.concat(
          values.map((bytes, at) => call(transport, 'echo', { value: Buffer.alloc(bytes, at) }, protocol)),
        )
        const sent = Buffer.concat(cut(calls, frames).map((part) => client.frame(part)))
        for (const piece of cut(sent, pieces)) client.raw.send(piece)
        let payload = await client.payload(1)
        while (repliesOf(protocol, payload, transport === 'framed').length < values.length)
          payload = await client.payload(payload.length + 1)
        const replies = repliesOf(protocol, payload, transport === 'framed')
        expect(replies.map(({ fields }) => fields.get(0))).toEqual(
          values.map((bytes, at) => Buffer.alloc(bytes, at).toString('latin1')),
        )
        client.close()
      },
    )
    await fc.assert(judged, { numRuns: testRuns(25) })
  })

  test.each(TRANSPORTS)('a large reply to a %s call is one frame, as HBase sends it', async (transport) => {
    await start([protection])
    // The buffer that the client states counts for HBase as little as here.
    const client = await open({ principal: ALICE, bytesMax: 100 })
    const value = Buffer.alloc(3_000_000, 'large')
    client.raw.send(client.frame(call(transport, 'echo', { value })))
    const payload = await client.payload(value.length + 20)
    expect(payload.includes(value)).toBe(true)
    expect(client.frames).toEqual([payload.length + (protection === 'authentication' ? 0 : FAKE_OVERHEAD)])
  })
})

describe.each(['integrity', 'privacy'] as const)('a frame with %s', (protection) => {
  const changes: readonly (readonly [string, (frame: Buffer, client: GssapiClient) => Buffer])[] = [
    [
      'that was changed',
      (frame) => {
        frame[frame.length - 1]! ^= 1
        return frame
      },
    ],
    ['that comes again', (frame) => Buffer.concat([frame, frame])],
    ['whose predecessor is missing', (_, client) => client.frame(callBytes('binary', 'age', {}))],
    [
      'that was cut',
      (frame) => {
        const cut = frame.subarray(0, -1)
        cut.writeInt32BE(cut.length - 4)
        return cut
      },
    ],
    ['that is empty', () => Buffer.alloc(4)],
    ['of a negative length', () => Buffer.from('ffffffff', 'hex')],
    ['that is longer than a message may be', () => Buffer.from('7fffffff', 'hex')],
    ['that is not protected', () => framed(callBytes('binary', 'age', {}))],
  ]
  test.each(changes)('%s ends its connection alone', async (_, change) => {
    await start([protection])
    const other = await open({ principal: ALICE })
    const client = await open({ principal: ALICE })
    client.raw.send(client.frame(callBytes('binary', 'add', { left: 1n, right: 2n })))
    await client.payload(20)
    client.raw.send(change(client.frame(callBytes('binary', 'note', { text: 'changed' })), client))
    await client.raw.closed()
    expect(await whoAmI(other)).toBe('alice undefined KERBEROS')
    expect(server.logged).toEqual([expect.stringMatching(/protected SASL frame/)])
    expect(server.notes.length).toBeLessThanOrEqual(1)
  })
})

test('behind a login that speaks HTTP, or begins another login, the connection ends', async () => {
  await start()
  for (const inner of [Buffer.from('POST / HTTP/1.1\r\n\r\n'), saslBytes(1, 'GSSAPI')]) {
    const client = await open({ principal: ALICE })
    client.raw.send(client.frame(inner))
    await client.raw.closed()
  }
})

test('a first frame that no memory is free for ends its connection', async () => {
  const mine = new MemoryBudget(1024 * 1024)
  await start(['privacy'], { memory: mine })
  memory = mine
  const client = await open({ principal: ALICE })
  client.raw.send(client.frame(callBytes('binary', 'echo', { value: Buffer.alloc(2 * 1024 * 1024) })))
  await client.raw.closed()
  const other = await open({ principal: ALICE })
  expect(await whoAmI(other)).toBe('alice undefined KERBEROS')
})

test('a frame that trickles in has the time of a request', async () => {
  let now = 0
  await start(['integrity'], { now: () => now, limits: { requestMs: 5000 } })
  const client = await open({ principal: ALICE })
  client.raw.send(client.frame(callBytes('binary', 'add', { left: 1n, right: 2n })))
  await client.payload(20)
  client.raw.send(client.frame(callBytes('binary', 'age', {})).subarray(0, 9))
  await expect
    .poll(() => {
      server.listener.sweep()
      now += 2000
      return client.raw.isClosed
    })
    .toBe(true)
  expect(now).toBeLessThan(60_000)
})

/** Cuts bytes into pieces of the given sizes, over and over. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += pieces.at(-1)!.length)
    pieces.push(bytes.subarray(at, at + sizes[pieces.length % sizes.length]!))
  return pieces
}
