/** DIGEST-MD5: Java's own logins as they were recorded (DigestPeer.java), and client against server. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import { oneText, readDirectives } from '../../../src/wire/sasl/digest-md5-directives.ts'
import { digestLayer, withParity } from '../../../src/wire/sasl/digest-md5-layer.ts'
import { DigestMd5Server } from '../../../src/wire/sasl/digest-md5-server.ts'
import { DigestSession } from '../../../src/wire/sasl/digest-md5-session.ts'
import { PROTECTIONS, type Protection, SaslFailure, type SaslLayer } from '../../../src/wire/sasl/sasl.ts'
import { DigestMd5Client } from '../../harness/digest-md5-client.ts'
import { SimRandom } from '../../harness/simulation/sim-random.ts'

const TOKEN_USER = Buffer.from('\0\0\0\x08identity').toString('base64')
const TOKEN_PASSWORD = 'c2VjcmV0IG9mIGFsaWNl'

const RECORDED = [
  { file: 'auth', protection: 'authentication', username: TOKEN_USER, password: TOKEN_PASSWORD },
  { file: 'auth-int', protection: 'integrity', username: TOKEN_USER, password: TOKEN_PASSWORD },
  { file: 'auth-conf', protection: 'privacy', username: TOKEN_USER, password: TOKEN_PASSWORD },
  { file: 'auth-quoted', protection: 'authentication', username: 'al"i\\ce é', password: 'pässword 漢' },
] as const

/** The messages of a recorded login, by their names. */
function recorded(file: string): Map<string, Buffer[]> {
  const text = readFileSync(new URL(`test/wire/sasl/recorded/${file}.txt`, packageRoot()), 'utf8')
  const messages = new Map<string, Buffer[]>()
  for (const line of text.trim().split('\n')) {
    const [name, hex] = line.split(' ')
    messages.set(name!, [...(messages.get(name!) ?? []), Buffer.from(hex!, 'hex')])
  }
  return messages
}

interface Pair {
  readonly client: DigestMd5Client
  readonly server: DigestMd5Server
}

const EMPTY = Buffer.alloc(0)

function newServer(protections: readonly Protection[] = PROTECTIONS, password = 'secret'): DigestMd5Server {
  return new DigestMd5Server({
    protections,
    passwordOf: async (username) => (username === 'alice' ? password : undefined),
  })
}

async function loggedIn(protection: Protection): Promise<Pair> {
  const client = new DigestMd5Client({ username: 'alice', password: 'secret', protections: [protection] })
  const server = newServer()
  await client.step(EMPTY)
  const { token: challenge } = await server.step(EMPTY)
  const { token: response } = await client.step(challenge!)
  const { token: proof, isDone } = await server.step(response!)
  expect(isDone).toBe(true)
  expect(await client.step(proof!)).toEqual({ token: undefined, isDone: true })
  return { client, server }
}

describe.each(RECORDED)('the login of Java $file', ({ file, protection, username, password }) => {
  const messages = recorded(file)
  const [challenge, response, proof] = ['challenge', 'response', 'proof'].map(
    (name) => messages.get(name)![0]!,
  )
  const nonceOf = (key: string): Buffer => Buffer.from(oneText(readDirectives(response!, 4096), key)!)

  test('is what the server says and takes', async () => {
    const server = new DigestMd5Server({
      protections: [protection],
      passwordOf: async (name) => (name === username ? password : undefined),
      nonce: nonceOf('nonce'),
    })
    const own = (await server.step(EMPTY)).token!
    // Java's server has ciphers that OpenSSL has not.
    expect(own.toString()).toBe(challenge!.toString().replace('3des,rc4,des,rc4-56,rc4-40', '3des'))
    expect(await server.step(response!)).toEqual({ token: proof, isDone: true })
    expect(server.authenticated).toBe(username)
    expect(server.authorized).toBe('')
    const fromClient = messages.get('client') ?? []
    expect(fromClient.map((message) => server.layer!.unwrap(message).toString())).toEqual(
      protection === 'authentication' ? [] : ['a', 'a message of several blocks'],
    )
    const texts = (messages.get('server') ?? []).length === 0 ? [] : ['a', 'a message of several blocks']
    expect(texts.map((text) => server.layer!.wrap(Buffer.from(text)))).toEqual(messages.get('server') ?? [])
  })

  test('is what the client says and takes', async () => {
    const client = new DigestMd5Client({
      username,
      password,
      protections: [protection],
      cnonce: nonceOf('cnonce'),
    })
    expect((await client.step(challenge!)).token!.toString()).toBe(response!.toString())
    expect(await client.step(proof!)).toEqual({ token: undefined, isDone: true })
    const texts = (messages.get('client') ?? []).length === 0 ? [] : ['a', 'a message of several blocks']
    expect(texts.map((text) => client.layer!.wrap(Buffer.from(text)))).toEqual(messages.get('client') ?? [])
    const fromServer = messages.get('server') ?? []
    expect(fromServer.map((message) => client.layer!.unwrap(message).toString())).toEqual(texts)
  })
})

test.each(PROTECTIONS)(
  'messages of any length come through with %s, in both directions',
  async (protection) => {
    const { client, server } = await loggedIn(protection)
    if (protection === 'authentication') {
      expect([client.layer, server.layer]).toEqual([undefined, undefined])
      return
    }
    expect(server.layer!.protection).toBe(protection)
    const random = new SimRandom(7)
    for (let length = 0; length < 70; length++) {
      const message = Buffer.from(Array.from({ length }, () => random.below(256)))
      const [to, back] = [client.layer!.wrap(message), server.layer!.wrap(message)]
      expect(server.layer!.unwrap(to)).toEqual(message)
      expect(client.layer!.unwrap(back)).toEqual(message)
      if (protection === 'privacy' && length > 4) expect(to.includes(message)).toBe(false)
    }
  },
)

describe.each(['integrity', 'privacy'] as const)('a message behind %s', (protection) => {
  const layers = (): { readonly from: SaslLayer; readonly to: SaslLayer } => {
    const secret = Buffer.alloc(16, 9)
    return {
      from: digestLayer(protection, secret, 'client')!,
      to: digestLayer(protection, secret, 'server')!,
    }
  }

  test('has the same bytes where it is done in turns, and is refused where it was changed', async () => {
    const [atOnce, inTurns] = [layers(), layers()]
    const any = Buffer.from(Uint8Array.from({ length: 100_003 }, (_, at) => (at * 31) >> 3))
    for (const length of [70_000, 32 * 1024, 3, 100_003]) {
      const message = any.subarray(0, length)
      const token = atOnce.from.wrap(message)
      expect((await inTurns.from.large!.wrap(message)).equals(token)).toBe(true)
      expect((await inTurns.to.large!.unwrap(token)).equals(message)).toBe(true)
    }
    const token = layers().from.wrap(any)
    for (const at of [0, 50_000, token.length - 17, token.length - 7, token.length - 1]) {
      const changed = Buffer.from(token)
      changed[at]! ^= 1
      await expect(layers().to.large!.unwrap(changed)).rejects.toThrow(SaslFailure)
    }
  })

  test('is refused where any bit of it was changed', () => {
    const message = layers().from.wrap(Buffer.from('a message'))
    for (let bit = 0; bit < message.length * 8; bit++) {
      const changed = Buffer.from(message)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => layers().to.unwrap(changed), `bit ${bit}`).toThrow(SaslFailure)
    }
  })

  test('is refused where it was cut or made longer', () => {
    const message = layers().from.wrap(Buffer.from('a message'))
    for (let length = 0; length < message.length; length++)
      expect(() => layers().to.unwrap(message.subarray(0, length))).toThrow(SaslFailure)
    expect(() => layers().to.unwrap(Buffer.concat([message, Buffer.alloc(8)]))).toThrow(SaslFailure)
  })

  test('is refused where it comes twice, too early, or from the same side', () => {
    const { from, to } = layers()
    const [first, second] = [from.wrap(Buffer.from('1')), from.wrap(Buffer.from('2'))]
    expect(to.unwrap(first).toString()).toBe('1')
    expect(() => to.unwrap(first)).toThrow(SaslFailure)
    expect(() => layers().to.unwrap(second)).toThrow(SaslFailure)
    expect(() => layers().from.unwrap(first)).toThrow(SaslFailure)
  })
})

/** A response that the server would take, with a change of its text, and what becomes of it. */
async function changed(change: (response: string) => string, server = newServer()): Promise<unknown> {
  const client = new DigestMd5Client({
    username: 'alice',
    password: 'secret',
    protections: ['authentication'],
  })
  const { token: challenge } = await server.step(EMPTY)
  const { token: response } = await client.step(challenge!)
  return server.step(Buffer.from(change(response!.toString())))
}

describe('the server refuses', () => {
  test('nothing of the unchanged response', async () => {
    expect(await changed((response) => response)).toMatchObject({ isDone: true })
    expect(await changed((response) => response.replaceAll(',', ' ,\r\n\t,'))).toMatchObject({ isDone: true })
    expect(await changed((response) => response.replace('qop=auth', 'QOP="au\\th"'))).toMatchObject({
      isDone: true,
    })
  })

  test.each([
    ['another proof', (text: string) => text.replace(/response=./, 'response=x')],
    ['a short proof', (text: string) => text.replace(/response=./, 'response=')],
    ['another user', (text: string) => text.replace('alice', 'bob')],
    ['another nonce', (text: string) => text.replace(/,nonce="./, ',nonce="!')],
    ['another realm', (text: string) => text.replace('realm="default"', 'realm="other"')],
    ['another service', (text: string) => text.replace('null/default', 'hbase/default')],
    ['a nonce that was used before', (text: string) => text.replace('nc=00000001', 'nc=00000002')],
    ['a charset that it does not know', (text: string) => text.replace('utf-8', 'utf-16')],
    ['a maxbuf that is no number', (text: string) => text.replace('65536', '-1')],
    ['a protection that it has not offered', (text: string) => text.replace('qop=auth', 'qop=auth-x')],
    ['privacy without a cipher', (text: string) => text.replace('qop=auth', 'qop=auth-conf')],
    ['privacy with RC4', (text: string) => text.replace('qop=auth', 'qop=auth-conf,cipher=rc4')],
    ['a client that acts for another user', (text: string) => `${text},authzid="bob"`],
    ['a user twice', (text: string) => `${text},username="alice"`],
    ['no user', (text: string) => text.replace('username="alice",', '')],
    ['a quote without an end', (text: string) => `${text},x="`],
    ['a key without a value', (text: string) => `${text},x=`],
    ['a key alone', (text: string) => `${text},x`],
    ['a value behind a quote', (text: string) => text.replace('"alice"', '"alice"x')],
    ['more than 4096 bytes', (text: string) => `${text},x=${'y'.repeat(4096)}`],
    ['hundreds of directives', (text: string) => text + ',x=y'.repeat(100)],
    ['nothing', () => ''],
  ])('%s', async (_, change) => {
    await expect(changed(change)).rejects.toBeInstanceOf(SaslFailure)
  })

  test('privacy where it offers none', async () => {
    const client = new DigestMd5Client({ username: 'alice', password: 'secret', protections: ['privacy'] })
    const { token } = await newServer(['authentication']).step(EMPTY)
    await expect(client.step(token!)).rejects.toThrow('offers no protection')
  })

  test('a response to the challenge of another login, and a second one', async () => {
    const client = new DigestMd5Client({
      username: 'alice',
      password: 'secret',
      protections: ['authentication'],
    })
    const [first, second] = [newServer(), newServer()]
    const { token: challenge } = await first.step(EMPTY)
    await second.step(EMPTY)
    const { token: response } = await client.step(challenge!)
    await expect(second.step(response!)).rejects.toThrow('another challenge')
    expect(await first.step(response!)).toMatchObject({ isDone: true })
    await expect(first.step(response!)).rejects.toThrow('the login is over')
  })

  test('a message before the challenge', async () => {
    await expect(newServer().step(Buffer.from('x'))).rejects.toBeInstanceOf(SaslFailure)
  })

  test('with the failure of the password, which a caller can throw', async () => {
    const failure = new SaslFailure('Token has expired', undefined, 'some.Class')
    const server = new DigestMd5Server({
      protections: PROTECTIONS,
      passwordOf: () => Promise.reject(failure),
    })
    await expect(changed((response) => response, server)).rejects.toBe(failure)
  })
})

test('the client refuses a server that does not know the password', async () => {
  const client = new DigestMd5Client({ username: 'alice', password: 'secret', protections: ['integrity'] })
  const { token: challenge } = await newServer().step(EMPTY)
  await client.step(challenge!)
  await expect(client.step(Buffer.from(`rspauth=${'0'.repeat(32)}`))).rejects.toThrow(
    'does not know the password',
  )
  expect(client.layer).toBeUndefined()
})

test('the example of RFC 2831', () => {
  const session = new DigestSession({
    username: 'chris',
    realm: 'elwood.innosoft.com',
    password: 'secret',
    nonce: Buffer.from('OA6MG9tEQGm2hh'),
    cnonce: Buffer.from('OA6MHXh6VqTrRk'),
    authzid: undefined,
    qop: 'auth',
    digestUri: 'imap/elwood.innosoft.com',
  })
  expect(session.ofClient.toString()).toBe('d388dad90d4bbd760a152321f2143af7')
  expect(session.ofServer.toString()).toBe('ea40f60335c427b5527b84dbabcdfffd')
})

test('each byte of a key of DES has an odd number of ones', () => {
  const random = new SimRandom(3)
  for (let turn = 0; turn < 50; turn++) {
    const bits = Buffer.from(Array.from({ length: 7 }, () => random.below(256)))
    const key = withParity(bits)
    for (const byte of key) expect(byte.toString(2).replaceAll('0', '').length % 2).toBe(1)
    const back = [...key].map((byte) => (byte >> 1).toString(2).padStart(7, '0')).join('')
    expect(back).toBe([...bits].map((byte) => byte.toString(2).padStart(8, '0')).join(''))
  }
})
