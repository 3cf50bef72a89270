/** Passwords that are looked at while others wait, while the file is read again, and connections of those who are removed. */

import { appendFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Guard } from '../../src/gateway/identity/guard/guard.ts'
import { removeUser, writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate } from '../../src/library/start-tidegate.ts'
import { encodeConnectionStart } from '../../src/wire/rpc/connection-preamble.ts'
import { ClientMetaService } from '../../src/wire/rpc/gen/registry_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { Authority, PemFolder } from '../harness/certificates.ts'
import { placeFrom } from '../harness/login-place.ts'
import { saslPreface } from '../harness/sasl-login.ts'

const PASSWORD = 'the password of alice'
const ALICE = { authorization: `Basic ${Buffer.from(`alice:${PASSWORD}`).toString('base64')}` }

let folder: PemFolder
let users: string

beforeEach(async () => {
  folder = new PemFolder()
  users = `${folder.path}/users`
  await writeUser(users, 'alice', PASSWORD)
})

afterEach(() => folder.remove())

/** Bytes of a client that logs in, and that the server answers. */
const LOGINS = {
  thrift: (user: string) => saslPreface(user, PASSWORD).bytes,
  rpc: (user: string) => {
    const writer = new MessageWriter()
    writeRequest(writer, { callId: 1 }, rpcMethod(ClientMetaService.method.getClusterId), {}, [])
    const start = encodeConnectionStart({ service: 'ClientMetaService', user, password: PASSWORD })
    return Buffer.concat([start, writer.take()])
  },
} as const

async function loggedIn(port: number, bytes: Buffer): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => {
    socket.once('data', resolve).once('error', reject)
    socket.write(bytes)
  })
  return socket.resume()
}

interface Heard {
  readonly user: string | undefined
  readonly allowed: boolean
}

function openGuard(heard: Heard[] = []): Guard {
  const audit = { write: (line: Heard) => heard.push(line) } as never
  return new Guard({ users, certificates: false }, pino({ level: 'silent' }), { audit })
}

test('hundreds of requests of one user at once wait for one hash', async () => {
  const heard: Heard[] = []
  const guard = openGuard(heard)
  try {
    const logins = Array.from({ length: 300 }, () =>
      guard.ofHttp({ headers: ALICE }, placeFrom('10.0.0.1', 'rest'), { loginHeaders: undefined }),
    )
    for (const login of logins) expect(await login).toMatchObject({ user: 'alice' })
    expect(heard).toHaveLength(1)
  } finally {
    guard.close()
  }
}, 60_000)

test('a right password is right, however often the file is read again meanwhile', async () => {
  const heard: Heard[] = []
  const guard = openGuard(heard)
  try {
    for (let again = 0; again < 3; again++) {
      const login = guard.ofHttp({ headers: ALICE }, placeFrom('10.0.0.1', 'rest'), {
        loginHeaders: undefined,
      })
      appendFileSync(users, '# a comment\n')
      expect(await login).toMatchObject({ user: 'alice' })
    }
    expect(heard.every(({ allowed }) => allowed)).toBe(true)
  } finally {
    guard.close()
  }
}, 60_000)

test('a name that nobody has may be a password: no log has it', async () => {
  const heard: Heard[] = []
  const guard = openGuard(heard)
  try {
    const place = placeFrom('', 'thrift')
    await expect(guard.ofPassword(PASSWORD, 'alice', place)).rejects.toThrow('wrong')
    expect(heard).toMatchObject([{ user: 'an unknown user', allowed: false }])
  } finally {
    guard.close()
  }
}, 60_000)

test('the open connections of a user who is removed end, those of others stay', async () => {
  await writeUser(users, 'bob', PASSWORD)
  const server = await startTidegate({ rpc: 0, zookeeper: 0, web: 0, users })
  try {
    const sockets = new Map<string, Socket>()
    for (const user of ['alice', 'bob'])
      for (const door of ['thrift', 'rpc'] as const)
        sockets.set(`${user} ${door}`, await loggedIn(server.ports[door]!, LOGINS[door](user)))
    removeUser(users, 'alice')
    await vi.waitFor(
      () => {
        for (const [name, socket] of sockets)
          expect([name, socket.destroyed]).toEqual([name, name.startsWith('alice')])
      },
      { timeout: 20_000 },
    )
    for (const socket of sockets.values()) socket.destroy()
  } finally {
    await server.stop()
  }
}, 60_000)

test('a client cannot shake hands again, with whatever certificate', async () => {
  const authority = await Authority.make()
  const { certificate, key } = await authority.issue({ name: 'localhost', hosts: ['localhost'] })
  const [tlsCertificate, tlsKey] = [folder.file('crt', certificate), folder.file('key', key)]
  const tlsClientCa = folder.file('ca', authority.certificate)
  const client = await authority.issue({ name: 'alice', hosts: [] })
  const server = await startTidegate({ rpc: 0, zookeeper: 0, web: 0, tlsCertificate, tlsKey, tlsClientCa })
  try {
    for (const port of Object.values(server.ports)) {
      const { certificate: cert, key: secret } = client
      const options = { cert, key: secret, maxVersion: 'TLSv1.2', rejectUnauthorized: false } as const
      const socket = connectTls({ ...options, port, host: '127.0.0.1' })
      await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
      const again = await new Promise((resolve) => {
        socket.on('error', resolve).once('close', () => resolve(new Error('closed')))
        socket.renegotiate({ rejectUnauthorized: false }, (error) => resolve(error ?? 'a second handshake'))
      })
      expect(again).toBeInstanceOf(Error)
      socket.destroy()
    }
  } finally {
    await server.stop()
  }
}, 60_000)
