/** Every door where clients must show who they are. */

import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../../../src/library/start-tidegate.ts'
import { ClientMetaService } from '../../../../src/wire/rpc/gen/registry_pb.ts'
import { oneCall } from '../../../doors/rpc/one-call.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { checkAnswer, createTable, getRow } from '../../../harness/thrift-frames.ts'

const PASSWORD = 'alice has a password'
const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'

let folder: PemFolder
let server: Tidegate
let ports: Required<Tidegate['ports']>

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
  server = await startTidegate({
    rpc: 0,
    zookeeper: 0,
    web: 0,
    users,
    jwtSecret: folder.file('secret', SECRET),
    accessLog: `${folder.path}/access.log`,
  })
  ports = server.ports as Required<Tidegate['ports']>
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

function bearer(user: string): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000) + 600
  const token = new SignJWT({ sub: user, exp: seconds }).setProtectedHeader({ alg: 'HS256' })
  return token.sign(Buffer.from(SECRET)).then((text) => `Bearer ${text}`)
}

type Headers = Readonly<Record<string, string>>

function get(port: number, path: string, headers: Headers = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers })
}

function wrapped(bytes: Buffer): Buffer {
  return Buffer.concat([int32(bytes.length), bytes])
}

/** The beginning of a connection of native RPC. */
function login(message: string): Buffer {
  return Buffer.concat([Buffer.from('HBas\0\x52', 'latin1'), wrapped(Buffer.from(message))])
}

async function thriftStatus(headers: Headers): Promise<number> {
  const body = getRow('none', 'row').subarray(4)
  return (await fetch(`http://127.0.0.1:${ports.thrift}/`, { method: 'POST', body, headers })).status
}

const RIGHT = basic('alice', PASSWORD)

describe('over HTTP', () => {
  test('a password, a token, or the headers of ApsaraDB', async () => {
    const { rest } = ports
    for (const headers of [
      { authorization: RIGHT },
      { authorization: RIGHT.replace('Basic', 'bAsIc') },
      { authorization: await bearer('bob') },
      { ACCESSKEYID: 'alice', ACCESSSIGNATURE: PASSWORD },
    ] as Headers[])
      expect((await get(rest, '/version', headers)).status).toBe(200)
  })

  test('and no other users', async () => {
    const strangers: Headers[] = [
      {},
      { authorization: '' },
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: `Basic ${Buffer.from('alice').toString('base64')}` },
      { authorization: basic('alice', `${PASSWORD} `) },
      { authorization: basic('Alice', PASSWORD) },
      { authorization: basic('stranger', PASSWORD) },
      { authorization: basic('alice', 'x'.repeat(5000)) },
      { authorization: `${await bearer('bob')}x` },
      { authorization: 'Bearer' },
      { authorization: 'Negotiate YII=' },
      { ACCESSKEYID: 'alice' },
      { ACCESSKEYID: 'alice', ACCESSSIGNATURE: 'wrong' },
    ]
    for (const headers of strangers) {
      for (const path of ['/version', '/t/row', '/t/scanner', '/']) {
        const answer = await get(ports.rest, path, headers)
        // The address has to wait after that many failures.
        expect([401, 429]).toContain(answer.status)
        if (answer.status === 401)
          expect(answer.headers.get('www-authenticate')).toMatch(/^Basic .*, Bearer$/)
      }
    }
    expect((await get(ports.rest, '/version', { authorization: RIGHT })).status).toBe(200)
  })

  test('health tells strangers its status alone, the other pages nothing', async () => {
    const { web } = ports
    expect(await (await get(web, '/health')).json()).toEqual({ status: 'ok' })
    expect(
      Object.keys((await (await get(web, '/health', { authorization: RIGHT })).json()) as object),
    ).toContain('version')
    for (const path of ['/metrics', '/', '/healthy']) expect((await get(web, path)).status).toBe(401)
    expect((await get(web, '/metrics', { authorization: RIGHT })).status).toBe(200)
  })

  test('Thrift over HTTP', async () => {
    expect(await thriftStatus({})).toBe(401)
    expect(await thriftStatus({ authorization: RIGHT })).toBe(200)
    expect(await thriftStatus({ authorization: await bearer('bob') })).toBe(200)
  })

  test('the access log names who came in', async () => {
    await get(ports.rest, '/version/rest', { authorization: await bearer('carol') })
    await expect
      .poll(() => readFileSync(`${folder.path}/access.log`, 'utf8'), { timeout: 5000 })
      .toMatch(/"principal":"carol"/)
    const lines = readFileSync(`${folder.path}/access.log`, 'utf8')
    expect(lines).not.toContain(PASSWORD)
    expect(lines).not.toContain(RIGHT.slice(6))
  })
})

describe('Thrift over a socket', () => {
  const plain = (text: string): Buffer => saslMessage(5, text)
  const start = saslMessage(1, 'PLAIN')

  test('SASL PLAIN, with framed and with buffered messages behind it', async () => {
    const [framed, buffered] = [createTable('framed', 'f'), createTable('buffered', 'f').subarray(4)]
    for (const message of [framed, buffered]) {
      const bytes = Buffer.concat([start, plain(`\0alice\0${PASSWORD}`), wrapped(message)])
      const answer = await exchanged(ports.thrift, bytes, 5 + 4 + 10)
      expect(answer.subarray(0, 5)).toEqual(Buffer.from('0500000000', 'hex'))
      const inner = answer.subarray(9)
      expect(answer.readInt32BE(5)).toBe(inner.length)
      checkAnswer(message === framed ? inner : Buffer.concat([int32(inner.length), inner]))
    }
  })

  test('in pieces of any size, and a message over several frames', async () => {
    const message = createTable('pieces', 'f')
    const frames = [message.subarray(0, 7), message.subarray(7)].map((part) =>
      Buffer.concat([int32(part.length), part]),
    )
    const bytes = Buffer.concat([start, plain(`alice\0alice\0${PASSWORD}`), ...frames])
    const answer = await exchanged(ports.thrift, bytes, 5 + 4 + 10, 1)
    checkAnswer(answer.subarray(9))
  })

  test.each([
    ['a wrong password', saslMessage(5, '\0alice\0wrong'), 3, /wrong|too many/],
    ['another user', saslMessage(5, `root\0alice\0${PASSWORD}`), 3, /not allowed to impersonate/],
    ['a message without its parts', saslMessage(5, 'alice'), 3, /PLAIN/],
    ['the status of the begin', saslMessage(1, ''), 4, /received START/],
    ['a message of 2 GB', Buffer.concat([Buffer.of(5), int32(0x7fffffff)]), 4, /length/],
  ])('%s is refused', async (_, bytes, status, words) => {
    const answer = await exchanged(ports.thrift, Buffer.concat([start, bytes]))
    expect([answer[0], answer.toString()]).toEqual([status, expect.stringMatching(words)])
  })

  test('other mechanisms, and calls without a login', async () => {
    const gssapi = await exchanged(ports.thrift, saslMessage(1, 'GSSAPI'))
    expect(gssapi.toString()).toContain('PLAIN')
    const answer = await exchanged(ports.thrift, createTable('stranger', 'f'))
    expect(answer.toString()).toContain('log in')
    // A longer one takes no memory: its length alone ends the connection.
    const long = await exchanged(
      ports.thrift,
      Buffer.concat([int32(1_000_000), createTable('stranger', 'f').subarray(4)]),
    )
    expect(long.toString()).not.toContain('log in')
    const tables = await get(ports.rest, '/', { authorization: RIGHT })
    expect(await tables.text()).not.toContain('stranger')
  })
})

describe('native RPC', () => {
  test('SASL PLAIN', async () => {
    const preamble = login(`\0alice\0${PASSWORD}`)
    const answer = await oneCall(
      ports.rpc,
      ClientMetaService.method.getClusterId,
      {},
      { preamble, user: 'alice' },
    )
    expect(answer.message.clusterId).not.toBe('')
  })

  test('no other login', async () => {
    for (const message of ['\0alice\0wrong', '\0nobody\0wrong', 'alice', '', `root\0alice\0${PASSWORD}`]) {
      const answer = await exchanged(ports.rpc, login(message))
      expect(answer.readInt32BE(0)).toBe(1)
      expect(answer.toString()).toContain('AccessDeniedException')
    }
    await expect(oneCall(ports.rpc, ClientMetaService.method.getClusterId, {})).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException',
    })
  })

  test('no other user than that of the password', async () => {
    const preamble = login(`\0alice\0${PASSWORD}`)
    const asRoot = oneCall(ports.rpc, ClientMetaService.method.getClusterId, {}, { preamble, user: 'root' })
    await expect(asRoot).rejects.toThrow('User: alice is not allowed to impersonate root')
  })

  test('a stranger is held to short messages', async () => {
    const huge = Buffer.concat([Buffer.from('HBas\0\x52', 'latin1'), int32(1_000_000), Buffer.alloc(1000)])
    expect((await exchanged(ports.rpc, huge)).toString()).toContain('the limit is 65536')
  })
})

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function saslMessage(status: number, text: string): Buffer {
  return Buffer.concat([Buffer.of(status), int32(Buffer.byteLength(text)), Buffer.from(text)])
}

/** The server's answer to the bytes, until it ends the connection or has sent that many. */
function exchanged(
  port: number,
  bytes: Buffer,
  least = Number.POSITIVE_INFINITY,
  piece = bytes.length,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (Buffer.concat(chunks).length > least) socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(Buffer.concat(chunks)))
    for (let at = 0; at < bytes.length; at += piece) socket.write(bytes.subarray(at, at + piece))
  })
}
