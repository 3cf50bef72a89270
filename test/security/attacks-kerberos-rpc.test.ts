/** Clients of native RPC that begin a login by Kerberos and do not mean it, and that change the messages behind it. */

import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import {
  GET,
  getOf,
  type KerberosDoor,
  type KerberosDoorOptions,
  MUTATE,
  putOf,
  startKerberosDoor,
} from '../doors/rpc/connection/kerberos-door.ts'
import { FakeClient } from '../harness/fake-kerberos.ts'
import { AuthCode, behindLength, SaslTalk } from '../harness/sasl-talk.ts'

const ALICE = 'alice@TEST'
const TICKET = Buffer.from('ticket of a client')

let door: KerberosDoor
const talks: SaslTalk[] = []

afterEach(async () => {
  for (const talk of talks.splice(0)) talk.close()
  await door.close()
})

async function start(options?: KerberosDoorOptions): Promise<void> {
  door = await startKerberosDoor(options)
}

async function talkTo(): Promise<SaslTalk> {
  const talk = await SaslTalk.open(door.port)
  talks.push(talk)
  return talk
}

async function loggedIn(protection: 'authentication' | 'integrity' | 'privacy'): Promise<SaslTalk> {
  const talk = await talkTo()
  await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE, protection }))
  return talk
}

async function stillServes(): Promise<void> {
  const talk = await loggedIn('privacy')
  talk.header({ user: ALICE })
  await talk.call(GET, getOf(door, 'r'))
  talk.close()
}

test('a thousand half logins keep no client out, and are ended with their memory', async () => {
  await start({ limits: { headersMs: 1500, connectionsMax: 1100 } })
  const halves = await Promise.all(Array.from({ length: 1000 }, talkTo))
  for (const talk of halves) {
    talk.preamble(AuthCode.kerberos)
    talk.token(TICKET)
  }
  await expect.poll(() => door.service.open).toBe(1000)
  await stillServes()
  await Promise.all(halves.map((talk) => talk.closed))
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.memory.granted).toBe(0)
}, 60_000)

test('a login that waits for its server is ended in time, and its memory given back once the server answers', async () => {
  await start({ limits: { headersMs: 300 } })
  const answers = new EventEmitter()
  door.service.pause = async () => {
    await once(answers, 'answer')
  }
  const talk = await talkTo()
  talk.preamble(AuthCode.kerberos)
  talk.token(TICKET)
  talk.token(Buffer.alloc(0))
  await talk.closed
  expect(door.service.open).toBe(1)
  answers.emit('answer')
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.logged).toEqual([])
})

test('a ticket of 128 KB is taken, a longer one is refused before it has come', async () => {
  await start()
  const largest = await talkTo()
  await largest.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE }, undefined, 128 * 1024))
  const talk = await talkTo()
  talk.preamble(AuthCode.kerberos)
  talk.socket.write(Buffer.from('00020001', 'hex'))
  await expect(talk.answer()).rejects.toThrow('the limit is 131072')
  await talk.closed
})

test('a login of too many messages is ended', async () => {
  await start()
  let steps = 0
  const endless = door.service.saslServer.bind(door.service)
  door.service.saslServer = (protections) => {
    const server = endless(protections)
    server.step = async () => ({ token: Buffer.from([steps++]), isDone: false })
    return server
  }
  const talk = await talkTo()
  talk.preamble(AuthCode.kerberos)
  const all = async (): Promise<void> => {
    for (let message = 0; message < 20; message++) {
      talk.token(TICKET)
      await talk.answer()
    }
  }
  await expect(all()).rejects.toThrow('more than 10 messages')
  await talk.closed
  expect(steps).toBe(10)
})

test.each([0, 1, 9, 10, 500])(
  'a client whose buffer takes %i bytes is refused: protected answers would have no end',
  async (bytesMax) => {
    await start()
    const talk = await talkTo()
    await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE, protection: 'privacy', bytesMax }))
    await expect(talk.answer()).rejects.toThrow('of at least 1024')
    await talk.closed
    await expect.poll(() => door.service.open).toBe(0)
  },
)

test('messages that come before the answers to earlier ones are taken in their order', async () => {
  await start()
  const talk = await talkTo()
  talk.preamble(AuthCode.kerberos)
  for (const token of [TICKET, Buffer.alloc(0), Buffer.from(JSON.stringify({ principal: ALICE }))])
    talk.token(token)
  talk.header({ user: ALICE })
  talk.send(talk.request(GET, getOf(door, 'r')))
  for (let answers = 0; answers < 2; answers++) await talk.answer()
  expect((await talk.response()).exception).toBeUndefined()
})

test('a token behind a login that is done ends the connection', async () => {
  await start()
  const talk = await loggedIn('authentication')
  talk.token(TICKET)
  expect((await talk.response()).exception).toBeDefined()
  await talk.closed
  await stillServes()
})

test.each(['integrity', 'privacy'] as const)(
  'with %s, a message in clear or again ends its connection alone',
  async (protection) => {
    await start()
    const clear = await loggedIn(protection)
    clear.header({ user: ALICE })
    clear.socket.write(clear.request(GET, getOf(door, 'r')))
    expect((await clear.response()).exception?.javaClass).toContain('FatalConnectionException')
    await clear.closed
    const again = await loggedIn(protection)
    again.header({ user: ALICE })
    const message = behindLength(
      again.layer!.wrap(again.request(MUTATE, putOf(door, 'r', Buffer.from('once')))),
    )
    again.socket.write(message)
    expect((await again.response()).exception).toBeUndefined()
    again.socket.write(message)
    expect((await again.response()).exception?.message).toContain('out of order')
    await again.closed
    await stillServes()
  },
)

test('random bytes behind a login end their connection alone', async () => {
  await start()
  for (let round = 0; round < 30; round++) {
    const talk = await loggedIn(round % 2 === 0 ? 'privacy' : 'integrity')
    if (round % 3 > 0) talk.header({ user: ALICE })
    const junk = Buffer.from(Array.from({ length: 60 }, (_, at) => (at * 7919 + round * 104729) % 251))
    junk.writeInt32BE(56, 0)
    talk.socket.write(junk)
    await talk.closed
  }
  await stillServes()
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.memory.granted).toBe(0)
})

test('a request without memory waits, is refused by its call, and the connection goes on', async () => {
  await start({ memoryBytesMax: 4_000_000 })
  const talk = await loggedIn('privacy')
  talk.header({ user: ALICE })
  await talk.call(GET, getOf(door, 'r'))
  // Larger than the budget: it is known from the frame's length, of which a first message has come.
  const large = talk.call(MUTATE, putOf(door, 'r', Buffer.alloc(3_900_000)), 60_000)
  await expect(large).rejects.toMatchObject({ javaClass: expect.stringContaining('DoNotRetryIOException') })
  await talk.call(MUTATE, putOf(door, 'r', Buffer.alloc(200_000)), 60_000)
  talk.close()
  await expect.poll(() => door.memory.granted).toBe(0)
})

test('a frame beyond the limit is refused by its call, and the connection goes on', async () => {
  await start({ limits: { requestBytesMax: 500_000 } })
  const talk = await loggedIn('integrity')
  talk.header({ user: ALICE })
  const large = talk.call(MUTATE, putOf(door, 'r', Buffer.alloc(600_000)), 60_000)
  await expect(large).rejects.toThrow('the limit is 500000')
  await talk.call(GET, getOf(door, 'r'))
})

test('a client that closes within its login leaves nothing behind', async () => {
  await start()
  door.service.pause = () => pause(20)
  for (let round = 0; round < 50; round++) {
    const talk = await talkTo()
    talk.preamble(AuthCode.kerberos)
    talk.token(TICKET)
    if (round % 2 === 0) talk.close()
    else setImmediate(() => talk.socket.end())
  }
  await expect.poll(() => door.service.open).toBe(0)
  expect(door.logged).toEqual([])
})
