/** Logins by Kerberos at the native RPC door, step by step. HBase: ServerRpcConnection, NettyHBaseSaslRpcServerHandler. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, expect, test } from 'vitest'
import type { DelegationTokens } from '../../../../src/gateway/identity/delegation/delegation-tokens.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { CryptoAesLayer, decodeConnectionHeaderResponse } from '../../../../src/wire/rpc/crypto-aes.ts'
import { SecurityPreamableResponseSchema } from '../../../../src/wire/rpc/gen/rpc_pb.ts'
import { ResponseFrame } from '../../../../src/wire/rpc/response-frame.ts'
import { PROTECTIONS, type SaslServer } from '../../../../src/wire/sasl/sasl.ts'
import { type FakeClaim, FakeClient } from '../../../harness/fake-kerberos.ts'
import { AuthCode, SaslRefused, SaslTalk } from '../../../harness/sasl-talk.ts'
import { makeTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { exchange } from '../rpc-server.ts'
import {
  GET,
  getOf,
  type KerberosDoor,
  type KerberosDoorOptions,
  MUTATE,
  putOf,
  startKerberosDoor,
} from './kerberos-door.ts'

const ALICE = 'alice@TEST'

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

async function loggedIn(claim: FakeClaim): Promise<SaslTalk> {
  const talk = await talkTo()
  await talk.logIn(AuthCode.kerberos, new FakeClient(claim))
  return talk
}

/** The class of the server's refusal of the connection. */
async function refusalOf(talk: SaslTalk): Promise<string | undefined> {
  const frame = await talk.response()
  expect(frame.concernsConnection).toBe(true)
  await talk.closed
  return frame.exception?.javaClass.split('.').at(-1)
}

test.each(PROTECTIONS)(
  'a client with a ticket and %s reads and writes as the user of its principal',
  async (protection) => {
    await start()
    const talk = await loggedIn({ principal: ALICE, protection })
    talk.header({ user: ALICE })
    const value = Buffer.alloc(300_000, 7)
    await talk.call(MUTATE, putOf(door, 'r', value), 10_000)
    const { result } = await talk.call(GET, getOf(door, 'r'))
    expect(value.equals(result!.cell[0]!.value)).toBe(true)
    expect(door.readers).toEqual([{ user: 'alice', method: 'KERBEROS' }])
    talk.close()
    await expect.poll(() => door.service.open).toBe(0)
    await expect.poll(() => door.memory.granted).toBe(0)
  },
)

test.each(PROTECTIONS)('the server takes %s alone where it is stated alone', async (protection) => {
  await start({ protections: [protection] })
  for (const wanted of PROTECTIONS) {
    const talk = await talkTo()
    const login = talk.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE }, [wanted]))
    if (wanted === protection) await login
    else await expect(login).rejects.toThrow(`takes ${protection} alone`)
  }
})

test('a client that insists on a protection that the server does not take is refused', async () => {
  await start({ protections: ['privacy'] })
  const talk = await talkTo()
  await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE, protection: 'integrity' }))
  await expect(talk.answer()).rejects.toMatchObject({ javaClass: 'javax.security.sasl.SaslException' })
})

test('a client asks for the principal first, and logs in on the same connection', async () => {
  await start()
  const talk = await talkTo()
  talk.socket.write(Buffer.from('Securi'))
  const frame = await talk.response()
  const { serverPrincipal } = fromBinary(
    SecurityPreamableResponseSchema,
    frame.bytes.subarray(frame.messageStart, frame.messageEnd),
  )
  expect(serverPrincipal).toBe('hbase/localhost@TEST')
  await talk.logIn(AuthCode.kerberos, new FakeClient({ principal: ALICE }))
  talk.header()
  await talk.call(GET, getOf(door, 'r'))
})

test('a client that asks for the cluster’s id needs no login', async () => {
  await start()
  const answer = await exchange(door.port, Buffer.from('Regist'))
  const frame = new ResponseFrame()
  frame.read(answer, 4, 4 + answer.readInt32BE(0))
  expect(frame.exception).toBeUndefined()
})

test('a client without a ticket is refused, whether it comes without a login or with a token', async () => {
  await start()
  const simple = await talkTo()
  simple.preamble(AuthCode.simple)
  expect(await refusalOf(simple)).toBe('AccessDeniedException')
  const digest = await talkTo()
  digest.preamble(AuthCode.digest)
  digest.token(Buffer.alloc(0))
  await expect(digest.answer()).rejects.toThrow('delegation tokens are not taken here')
  expect(door.logged).not.toEqual([])
})

test('a ticket that is none is refused with the class of HBase, and logged', async () => {
  await start()
  const talk = await talkTo()
  talk.preamble(AuthCode.kerberos)
  talk.token(Buffer.from('no ticket'))
  const refusal = await talk.answer().catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(SaslRefused)
  expect(refusal).toMatchObject({ javaClass: 'javax.security.sasl.SaslException' })
  await talk.closed
  expect(door.logged).toEqual([expect.stringContaining('the ticket is malformed')])
  await expect.poll(() => door.service.open).toBe(0)
})

test('a principal that is no user here is refused as an answer to its header, under its protection', async () => {
  await start()
  const talk = await loggedIn({ principal: 'mallory@ELSEWHERE', protection: 'privacy' })
  talk.header()
  expect(await refusalOf(talk)).toBe('AccessDeniedException')
  expect(door.logged).toContainEqual(expect.stringContaining('no rule names a user'))
})

test('a login for another name than the ticket’s is refused', async () => {
  await start()
  const talk = await loggedIn({ principal: ALICE, authorized: 'bob@TEST' })
  await expect(talk.answer()).rejects.toThrow('is not authorized')
})

test('a user acts for another where a rule lets it, by short names', async () => {
  const proxyRules = new Map([['alice', { users: ['bob'], groups: [], hosts: ['*'] }]])
  await start({ settings: { proxyRules } })
  for (const user of ['bob', 'bob@TEST', 'bob/host@TEST']) {
    const talk = await loggedIn({ principal: ALICE, protection: 'integrity' })
    talk.header({ user, realUser: ALICE })
    await talk.call(GET, getOf(door, 'r'))
  }
  expect(door.readers).toEqual(
    Array.from({ length: 3 }, () => ({ user: 'bob', realUser: 'alice', method: 'KERBEROS' })),
  )
})

test.each(['carol', 'carol@TEST', 'carol@ELSEWHERE'])(
  'a user does not act for %s without a rule',
  async (user) => {
    await start()
    const talk = await loggedIn({ principal: ALICE })
    talk.header({ user })
    expect(await refusalOf(talk)).toBe('AccessDeniedException')
    expect(door.readers).toEqual([])
  },
)

test('a client with privacy gets AES where it asks, in both directions, behind the answer with its keys', async () => {
  await start({ takesAes: true })
  const talk = await loggedIn({ principal: ALICE, protection: 'privacy' })
  talk.header({ user: ALICE, cipher: 'aes/ctr/nopadding' })
  talk.layer = new CryptoAesLayer(decodeConnectionHeaderResponse(await talk.message())!)
  await talk.call(MUTATE, putOf(door, 'r', Buffer.alloc(300_000)), 10_000)
  await talk.call(GET, getOf(door, 'r'))
  const other = await loggedIn({ principal: ALICE, protection: 'privacy' })
  other.header({ user: ALICE, cipher: 'AES/GCM/NoPadding' })
  expect(await refusalOf(other)).toBe('UnsupportedCryptoException')
})

test.each([
  ['where the server does not take it', false, 'privacy'],
  ['without privacy', true, 'integrity'],
] as const)(
  'a client that asks for AES %s goes on with the protection of its login',
  async (_, takesAes, protection) => {
    await start({ takesAes })
    const talk = await loggedIn({ principal: ALICE, protection })
    talk.header({ user: ALICE, cipher: 'AES/CTR/NoPadding' })
    await talk.call(GET, getOf(door, 'r'))
  },
)

/** A login by a token in two messages, the first of which is empty, as of DIGEST-MD5. */
function tokenLogin(): SaslServer {
  return {
    authenticated: 'a token of bob',
    authorized: '',
    layer: undefined,
    close: () => undefined,
    step: async (token) =>
      token.length === 0
        ? { token: Buffer.from('challenge'), isDone: false }
        : { token: Buffer.from('proof'), isDone: true },
  }
}

test('behind one code a token begins with an empty message, and a password does not', async () => {
  const folder = makeTemporaryFolder()
  try {
    const users = join(folder, 'users')
    await writeUser(users, 'carol', 'secret of carol')
    const delegation: DelegationTokens = {
      digestServer: tokenLogin,
      userOf: () => 'bob',
      belongTo: () => undefined,
      close: () => undefined,
      issue: () => Promise.reject(new Error('no token is asked for')),
    }
    await start({ settings: { users }, parts: { delegation } })
    const token = await talkTo()
    token.preamble(AuthCode.digest)
    for (const message of ['', 'response']) {
      token.token(Buffer.from(message))
      await token.answer()
    }
    token.header()
    await token.call(GET, getOf(door, 'r'))
    const password = await talkTo()
    password.preamble(AuthCode.digest)
    password.token(Buffer.from('\0carol\0secret of carol'))
    password.header()
    await password.call(GET, getOf(door, 'r'))
    expect(door.readers).toEqual([
      { user: 'bob', method: 'TOKEN' },
      { user: 'carol', method: 'PASSWORD' },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('the master, the registry and the region server take the same logins', async () => {
  await start()
  for (const service of ['ClientService', 'ClientMetaService', 'MasterService', 'AdminService']) {
    const talk = await loggedIn({ principal: ALICE, protection: 'privacy' })
    talk.header({ service, user: ALICE })
    talk.send(talk.request({ ...GET, name: 'NoSuchMethod' }, getOf(door, 'r')))
    expect((await talk.response()).exception?.javaClass).toContain('DoNotRetryIOException')
  }
})
