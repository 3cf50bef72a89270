/** Passwords, tokens and values that clients send are in no log, no metric and no answer. */

import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { PemFolder } from '../harness/certificates.ts'
import { ChildServer } from '../harness/child-server.ts'
import { mutateRow } from '../harness/thrift-frames.ts'
import { FREE_PORTS, MAIN } from '../harness/tidegate-process.ts'

const RIGHT = 'right-secret-4f1c'
const WRONG = 'wrong-secret-9a7e'
const VALUE = 'value-secret-77d0'
const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9.token-secret-1b2c'
const JWT_SECRET = 'jwt-secret-0123456789abcdef0123456789abcdef'

let folder: PemFolder
let server: ChildServer
let answers = ''

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'alice', RIGHT)
  const log = openSync(`${folder.path}/server.log`, 'w')
  const logs = ['--access-log', `${folder.path}/access.log`, '--audit-log', `${folder.path}/audit.log`]
  const logins = ['--users', users, '--jwt-secret', folder.file('jwt', JWT_SECRET)]
  const args = ['serve', '--store', 'memory', ...FREE_PORTS, '--log-level', 'trace', ...logs, ...logins]
  server = await ChildServer.start(MAIN, args, log)
  closeSync(log)
})

afterAll(async () => {
  await server.stop()
  folder.remove()
})

function basic(password: string): string {
  return `Basic ${Buffer.from(`alice:${password}`).toString('base64')}`
}

async function ask(door: string, path: string, init: RequestInit): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${server.port(door)}${path}`, init)
  answers += `${JSON.stringify([...answer.headers])} ${await answer.text()}\n`
}

function wrapped(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Resolves once the server has answered, or ended the connection. */
function exchange(door: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port(door), '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk: Buffer) => {
      answers += chunk.toString('latin1')
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve())
  })
}

async function logInEverywhere(password: string): Promise<void> {
  const plain = Buffer.from(`\0alice\0${password}`)
  const secrets: Record<string, string>[] = [
    { authorization: basic(password) },
    { authorization: `Bearer ${TOKEN}` },
    { authorization: `Digest ${password}` },
    { accesskeyid: 'alice', accesssignature: password },
  ]
  for (const headers of secrets) {
    await ask('rest', '/version', { headers })
    await ask('web', '/metrics', { headers })
    await ask('thrift', '/', {
      method: 'POST',
      headers,
      body: mutateRow('none', 'r', 'f:q', VALUE).subarray(4),
    })
  }
  const start = Buffer.concat([Buffer.of(1), wrapped(Buffer.from('PLAIN'))])
  await exchange('thrift', Buffer.concat([start, Buffer.of(5), wrapped(plain)]))
  await exchange('thrift', Buffer.concat([start, Buffer.of(5), wrapped(Buffer.from(password))]))
  // A login of native RPC that succeeds has no answer: a header that cannot be read has one.
  const preamble = Buffer.from('HBas\0\x52', 'latin1')
  await exchange('rpc', Buffer.concat([preamble, wrapped(plain), wrapped(Buffer.from('no header'))]))
  await exchange('rpc', Buffer.concat([preamble, wrapped(Buffer.from(password))]))
}

test('none is told', async () => {
  await logInEverywhere(RIGHT)
  await logInEverywhere(WRONG)
  const headers = { authorization: basic(RIGHT), 'content-type': 'application/octet-stream' }
  await ask('rest', '/none/row/f:q', { method: 'PUT', headers, body: VALUE })
  await ask('rest', '/none/row', {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'application/json' },
    body: VALUE,
  })
  await server.stop()
  const logs = ['server.log', 'access.log', 'audit.log'].map((name) =>
    readFileSync(`${folder.path}/${name}`, 'utf8'),
  )
  for (const text of [...logs, answers]) {
    expect(text).not.toBe('')
    for (const secret of [RIGHT, WRONG, VALUE, TOKEN, JWT_SECRET, 'token-secret']) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(secret).toString('base64').replace(/=+$/, ''))
    }
    for (const password of [RIGHT, WRONG]) expect(text).not.toContain(basic(password).slice(6, -4))
  }
  const [, , audit] = logs
  for (const door of ['rest', 'thrift', 'rpc', 'web'])
    expect(audit).toMatch(new RegExp(`"door":"${door}"[^\n]*"action":"login","allowed":false`))
  expect(audit).toMatch(/"door":"rest","user":"alice"[^\n]*"action":"login","allowed":true/)
})
