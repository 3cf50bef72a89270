/** Clients whose tickets, or delegation tokens, fail again and again: their address is refused unchecked for a time, at each door. */

import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import type { DelegationTokens } from '../../src/gateway/identity/delegation/delegation-tokens.ts'
import { Guard } from '../../src/gateway/identity/guard/guard.ts'
import { DigestMd5Server } from '../../src/wire/sasl/digest-md5-server.ts'
import { OP_CODE } from '../../src/wire/zookeeper/codes.ts'
import { part } from '../../src/wire/zookeeper/frames.ts'
import { SASL_TOKEN } from '../../src/wire/zookeeper/server-records.ts'
import { GET, getOf, type KerberosDoor, startKerberosDoor } from '../doors/rpc/connection/kerberos-door.ts'
import { GssapiClient } from '../doors/thrift/transport/gssapi-client.ts'
import { startToyServer } from '../doors/thrift/transport/toy-services.ts'
import { RawClient, startServer } from '../doors/zookeeper/zookeeper-server.ts'
import {
  type HttpDoor,
  type NegotiatingDoors,
  openNegotiatingDoors,
} from '../gateway/identity/guard/negotiate/negotiating-doors.ts'
import { DigestMd5Client } from '../harness/digest-md5-client.ts'
import { FakeClient, FakeService, fakeLogins } from '../harness/fake-kerberos.ts'
import { ticket } from '../harness/fake-tickets.ts'
import { AuthCode, SaslTalk } from '../harness/sasl-talk.ts'

/** The failures of an address that cost nothing. */
const FREE = 30
const ELSEWHERE = '127.0.0.2'
const NO_TICKET = Buffer.from('no ticket')

/** Parts to close, the last first. */
const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

let now = 0

describe('native RPC', () => {
  let door: KerberosDoor

  async function start(): Promise<void> {
    const tokens: DelegationTokens = {
      belongTo: () => undefined,
      digestServer: (protections) =>
        new DigestMd5Server({
          protections,
          passwordOf: async (name) => (name === 'a token' ? 'its secret' : undefined),
        }),
      userOf: () => 'bob',
      issue: () => Promise.reject(new Error('no token is asked for')),
      close: () => undefined,
    }
    door = await startKerberosDoor({ parts: { delegation: tokens, now: () => now } })
    open.push(() => door.close())
  }

  async function talkFrom(address?: string): Promise<SaslTalk> {
    const talk = await SaslTalk.open(door.port, address)
    open.push(() => talk.close())
    return talk
  }

  async function byTicket(message: Buffer, address?: string): Promise<unknown> {
    const talk = await talkFrom(address)
    talk.preamble(AuthCode.kerberos)
    talk.token(message)
    return await talk.answer().then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  async function byToken(password: string, address?: string): Promise<void> {
    const talk = await talkFrom(address)
    await talk.logIn(
      AuthCode.digest,
      new DigestMd5Client({ username: 'a token', password, protections: ['authentication'] }),
    )
    talk.header()
    await talk.call(GET, getOf(door, 'r'))
  }

  async function reads(address?: string): Promise<void> {
    const talk = await talkFrom(address)
    await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: 'alice@TEST' }))
    talk.header()
    await talk.call(GET, getOf(door, 'r'))
  }

  test('refuses tickets unchecked, those of other addresses and delegation tokens not, and a right one in time ends it', async () => {
    await start()
    for (let time = 0; time < FREE; time++)
      expect(await byTicket(NO_TICKET)).toMatchObject({ message: 'the ticket is malformed' })
    expect(door.service.asked).toBe(FREE)
    expect(await byTicket(Buffer.from('ticket'))).toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException',
      message: 'too many failed logins: try again in 1 s',
    })
    expect(door.service.asked).toBe(FREE)
    expect(door.throttledLogins()).toEqual([{ labels: { door: 'rpc' }, value: 1 }])
    await reads(ELSEWHERE)
    await byToken('its secret')
    now += 1000
    await reads()
    for (let time = 1; time < FREE; time++) await byTicket(NO_TICKET)
    await reads()
    await expect.poll(() => door.service.open).toBeLessThanOrEqual(3)
  })

  test('refuses delegation tokens unchecked, those of other addresses and tickets not', async () => {
    await start()
    for (let time = 0; time < FREE; time++) await expect(byToken('another')).rejects.toThrow('Mismatched')
    await expect(byToken('its secret')).rejects.toThrow('too many failed logins: try again in 1 s')
    expect(door.throttledLogins()).toEqual([{ labels: { door: 'rpc' }, value: 1 }])
    await byToken('its secret', ELSEWHERE)
    await reads()
    now += 1000
    await byToken('its secret')
    await byToken('its secret')
  })
})

test('SASL of Thrift refuses tickets unchecked', async () => {
  const service = new FakeService()
  const kerberos = fakeLogins(service, ['authentication'])
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), { kerberos, now: () => now })
  const server = await startToyServer({ guard })
  open.push(() => server.listener.close())
  const login = async (first: string, from?: string): Promise<void> => {
    const real = new FakeClient({ principal: 'alice@TEST' })
    const step = (token: Buffer): ReturnType<FakeClient['step']> =>
      first === '' ? real.step(token) : Promise.resolve({ token: Buffer.from(first), isDone: false })
    const exchange = { layer: undefined, step, close: () => undefined }
    const client = await GssapiClient.open(server.port, exchange, undefined, from)
    open.push(() => client.close())
  }
  for (let time = 0; time < FREE; time++) await expect(login('no ticket')).rejects.toThrow(/refused with/)
  expect(service.asked).toBe(FREE)
  await expect(login('')).rejects.toThrow('too many failed logins: try again in 1 s')
  expect(service.asked).toBe(FREE)
  expect(guard.counts.throttledSamples()).toEqual([{ labels: { door: 'thrift' }, value: 1 }])
  await login('', ELSEWHERE)
  now += 1000
  await login('')
})

test('the door of ZooKeeper refuses tickets unchecked', async () => {
  const service = new FakeService()
  const kerberos = { ...fakeLogins(service, ['authentication']), zookeeper: service }
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), { kerberos, now: () => now })
  const server = await startServer({ guard })
  open.push(() => server.stop())
  const login = async (token: Buffer): Promise<number> => {
    const client = await RawClient.connected(server.door.port)
    open.push(() => client.close())
    return (await client.ask(OP_CODE.sasl, part(SASL_TOKEN, { token }))).err
  }
  for (let time = 0; time < FREE; time++) expect(await login(NO_TICKET)).not.toBe(0)
  expect(service.asked).toBe(FREE)
  expect(await login(Buffer.from('ticket'))).not.toBe(0)
  expect(service.asked).toBe(FREE)
  expect(guard.counts.throttledSamples()).toEqual([{ labels: { door: 'zookeeper' }, value: 1 }])
  now += 1000
  expect(await login(Buffer.from('ticket'))).toBe(0)
})

describe.each(['rest', 'thrift', 'web', 'timeline'] as const)('over HTTP at %s', (door: HttpDoor) => {
  let doors: NegotiatingDoors
  const ask = async (headers: Record<string, string>, from?: string): ReturnType<NegotiatingDoors['ask']> =>
    await doors.ask(door, headers, undefined, undefined, from)

  test('tickets are refused unchecked, those of other addresses and cookies not', async () => {
    doors = await openNegotiatingDoors({ parts: { now: () => now } })
    open.push(() => doors.close())
    const alice = { authorization: ticket('alice@EXAMPLE.ORG') }
    const [cookie] = (await ask(alice)).values('set-cookie')
    const { seen } = doors.tickets
    const damaged = { authorization: `Negotiate ${NO_TICKET.toString('base64')}` }
    for (let time = 0; time < FREE; time++)
      expect((await ask(damaged)).status).toBe(door === 'thrift' ? 401 : 403)
    const { status, values } = await ask({ authorization: ticket('alice@EXAMPLE.ORG') })
    expect([status, values('retry-after')]).toEqual([429, ['1']])
    expect(doors.tickets.seen).toBe(seen + FREE)
    expect(doors.throttledLogins()).toEqual([{ labels: { door }, value: 1 }])
    if (cookie !== undefined) expect((await ask({ cookie: cookie.split(';')[0]! })).status).toBe(200)
    expect((await ask({ authorization: ticket('bob@EXAMPLE.ORG') }, ELSEWHERE)).status).toBe(200)
    now += 1000
    expect((await ask({ authorization: ticket('alice@EXAMPLE.ORG') })).status).toBe(200)
  })

  test('messages of NTLM, which no ticket is looked for in, hold no ticket up', async () => {
    doors = await openNegotiatingDoors({ parts: { now: () => now } })
    open.push(() => doors.close())
    const ntlm = { authorization: `Negotiate ${Buffer.from('NTLMSSP\0\x01\0\0\0').toString('base64')}` }
    for (let time = 0; time <= FREE; time++) expect((await ask(ntlm)).status).toBe(401)
    expect((await ask({ authorization: ticket('alice@EXAMPLE.ORG') })).status).toBe(200)
  })
})
