/** The table of logins that must fail, at each door, by each way that the door has. */

import { connect } from 'node:net'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'
import { getRow } from '../harness/thrift-frames.ts'

const PASSWORD = 'the password of alice'
const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'
const AUDIENCE = 'tidegate'

let folder: PemFolder
let server: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
  const jwtSecret = folder.file('secret', SECRET)
  server = await startTidegate({
    rpc: 0,
    web: 0,
    users,
    jwtSecret,
    jwtAudience: AUDIENCE,
    jwtIssuer: 'us',
    jwtSkewS: 0,
  })
})

afterAll(async () => {
  vi.useRealTimers()
  await server.stop()
  folder.remove()
})

type Claims = Readonly<Record<string, string | number>>

const HOUR_S = 3600

function claims(changed: Claims = {}): Record<string, string | number> {
  return { sub: 'alice', iss: 'us', aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + HOUR_S, ...changed }
}

async function bearer(changed: Claims = {}, secret = SECRET, alg = 'HS256'): Promise<string> {
  const token = await new SignJWT(claims(changed)).setProtectedHeader({ alg }).sign(Buffer.from(secret))
  return `Bearer ${token}`
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

/** A change of its header that the signature does not cover any more. */
async function swapped(header: object): Promise<string> {
  const [, payload, signature] = (await bearer()).slice('Bearer '.length).split('.')
  return `Bearer ${Buffer.from(JSON.stringify(header)).toString('base64url')}.${payload}.${signature}`
}

const HTTP_DOORS = ['rest', 'web', 'thrift'] as const
type HttpDoor = (typeof HTTP_DOORS)[number]

async function status(door: HttpDoor, authorization?: string): Promise<number> {
  const headers = authorization === undefined ? {} : { authorization }
  const path = { rest: '/version', web: '/metrics', thrift: '/' }[door]
  const body = getRow('none', 'row').subarray(4)
  const sent = door === 'thrift' ? { method: 'POST', headers, body } : { headers }
  return (await fetch(`http://127.0.0.1:${server.ports[door]}${path}`, sent)).status
}

const TOKENS: readonly (readonly [name: string, token: () => Promise<string>])[] = [
  ['of another key', () => bearer({}, SECRET.replace('secret', 'SECRET'))],
  ['that has expired', () => bearer({ exp: 1 })],
  ['that is not for today', () => bearer({ nbf: Math.floor(Date.now() / 1000) + HOUR_S })],
  ['for another audience', () => bearer({ aud: 'elsewhere' })],
  ['of another issuer', () => bearer({ iss: 'them' })],
  ['of nobody', () => bearer({ sub: '' })],
  ['of another algorithm', () => bearer({}, SECRET, 'HS512')],
  ['without a signature', async () => `Bearer ${new UnsecuredJWT(claims()).encode()}`],
  ['whose algorithm is changed to none', () => swapped({ alg: 'none' })],
  ['whose algorithm is changed', () => swapped({ alg: 'RS256' })],
  [
    'that names its own key',
    () => swapped({ alg: 'HS256', jku: 'http://127.0.0.1/keys', kid: '../../secret' }),
  ],
  ['cut short', async () => (await bearer()).slice(0, -1)],
  ['that is none', async () => 'Bearer x.y.z'],
]

describe.each(HTTP_DOORS)('over HTTP at the door %s', (door) => {
  test('no credentials', async () => {
    expect(await status(door)).toBe(401)
  })

  test.each(TOKENS)('a token %s', async (_, token) => {
    expect(await status(door, await token())).toBe(401)
  })

  test('the right ones come in', async () => {
    expect([await status(door, await bearer()), await status(door, basic('alice', PASSWORD))]).toEqual([
      200, 200,
    ])
  })

  test('a token that came in and has expired since is of no use any more', async () => {
    const token = await bearer()
    expect(await status(door, token)).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + (HOUR_S + 1) * 1000 })
    try {
      expect(await status(door, token)).toBe(401)
    } finally {
      vi.useRealTimers()
    }
  })
})

function wrapped(text: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(Buffer.byteLength(text))
  return Buffer.concat([length, Buffer.from(text)])
}

/** All that the server says before it ends the connection. */
function exchange(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => (said += chunk.toString('latin1')))
    socket.once('error', reject)
    socket.once('close', () => resolve(said))
  })
}

const SASL = Buffer.concat([Buffer.of(1), wrapped('PLAIN'), Buffer.of(5)])

const MESSAGES = [
  ['a wrong password', '\0alice\0wrong'],
  ['nobody', '\0\0'],
  ['an unknown user', `\0mallory\0${PASSWORD}`],
  ['another user behind the right one', `root\0alice\0${PASSWORD}`],
  ['a NUL within the name', `\0al\0ice\0${PASSWORD}`],
  ['a token for a password', '\0alice\0eyJhbGciOiJub25lIn0.e30.'],
] as const

test.each(MESSAGES)('SASL PLAIN at Thrift and native RPC: %s', async (_, message) => {
  const answers = [
    await exchange(server.ports.thrift!, Buffer.concat([SASL, wrapped(message), getRow('none', 'row')])),
    await exchange(server.ports.rpc!, Buffer.concat([Buffer.from('HBas\0\x52', 'latin1'), wrapped(message)])),
  ]
  for (const answer of answers) {
    expect(answer).toMatch(/wrong|PLAIN|not allowed to impersonate|too many failed logins/)
    expect(answer).not.toContain('TableNotFound')
  }
})

test('calls without a login', async () => {
  expect(await exchange(server.ports.thrift!, getRow('none', 'row'))).toContain('log in')
  expect(await exchange(server.ports.thrift!, getRow('none', 'row').subarray(4))).toContain('log in')
  const simple = Buffer.from('HBas\0\x50', 'latin1')
  expect(await exchange(server.ports.rpc!, simple)).toContain('Authentication is required')
})

test('after the failures even the right password has to wait, and then comes in', async () => {
  const statuses = new Set<number>()
  for (let i = 0; i < 8; i++) statuses.add(await status('rest', basic('bob', `guess ${i}`)))
  expect([...statuses]).toEqual(expect.arrayContaining([429]))
  expect(await status('rest', basic('alice', PASSWORD))).toBe(200)
})
