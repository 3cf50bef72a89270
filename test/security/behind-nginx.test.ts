/** The example of nginx in docs/security.md, word for word but for its addresses, files and password, and clients behind it. */

import { readFileSync, writeFileSync } from 'node:fs'
import { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { Agent, request as requestByTls } from 'node:https'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/guard/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { Authority, PemFolder } from '../harness/certificates.ts'
import { freePort, hasNginx, Nginx } from '../harness/nginx.ts'

const IS_THERE = hasNginx()
const KNOX = 'the password of knox'
const USERS = ['ann', 'bob'] as const
const MIB = 1024 * 1024
const VALUE_BYTES = 6.25 * MIB

let folder: PemFolder
let ca: string
let agent: Agent
let server: Tidegate
let nginx: Nginx | undefined
let port: number

beforeAll(async () => {
  if (!IS_THERE) return
  folder = new PemFolder()
  const authority = await Authority.make()
  ca = authority.certificate
  const { certificate, key } = await authority.issue({ name: 'localhost', hosts: ['localhost'] })
  const users = `${folder.path}/users`
  await writeUser(users, 'knox', KNOX)
  const auditLog = `${folder.path}/audit.log`
  const [page, trusted] = [readFileSync('docs/security.md', 'utf8'), '127.0.0.1']
  const proxyUser = /--proxy-user "([^"]+)" --trusted-proxies 127\.0\.0\.1\n/.exec(page)![1]!
  server = await startTidegate({ users, proxyUser, trustedProxies: trusted, auditLog, web: 0 })
  port = await freePort()
  writeFileSync(
    `${folder.path}/hbase-users`,
    USERS.map((name) => `${name}:{PLAIN}secret of ${name}\n`).join(''),
  )
  const text = filledIn(/```nginx\n([\s\S]*?)```/.exec(page)![1]!, [
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${server.ports.rest};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/nginx/server.crt', folder.file('server.crt', certificate)],
    ['/etc/nginx/server.key', folder.file('server.key', key)],
    ['/etc/nginx/hbase-users', `${folder.path}/hbase-users`],
    [Buffer.from('knox:PASSWORD').toString('base64'), Buffer.from(`knox:${KNOX}`).toString('base64')],
  ])
  nginx = await Nginx.start(folder.path, text)
  agent = new Agent({ keepAlive: true, maxSockets: 1, ca })
  const schema = '{"ColumnSchema":[{"name":"f"}]}'
  expect((await ask('PUT', '/t/schema', { body: schema })).status).toBe(201)
})

afterAll(async () => {
  agent?.destroy()
  await nginx?.stop()
  await server?.stop()
  folder?.remove()
})

beforeEach(({ skip }) => {
  if (!IS_THERE) skip('nginx is not installed')
})

function filledIn(text: string, values: readonly (readonly [there: string, here: string])[]): string {
  let filled = text
  for (const [there, here] of values) {
    expect(filled.split(there), there).toHaveLength(2)
    filled = filled.replace(there, () => here)
  }
  return filled
}

interface Question {
  readonly user?: string
  readonly password?: string
  readonly headers?: OutgoingHttpHeaders
  /** Chunks go as chunks, a text with its length. */
  readonly body?: string | readonly Buffer[]
}

interface Reply {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The client's side of the connection. */
  readonly localPort: number
}

function ask(method: string, path: string, question: Question = {}): Promise<Reply> {
  const { user = 'ann', password = `secret of ${user}`, headers: more, body } = question
  const json = { accept: 'application/json', 'content-type': 'application/json' }
  const headers = { ...json, ...more }
  const options = { host: 'localhost', port, agent, method, path, headers, auth: `${user}:${password}` }
  return replyTo(requestByTls(options), body)
}

function replyTo(asked: ClientRequest, body: Question['body']): Promise<Reply> {
  return new Promise((resolve, reject) => {
    asked.once('error', reject)
    asked.once('response', (answer: IncomingMessage) => void received(answer).then(resolve, reject))
    for (const chunk of typeof body === 'object' ? body : []) asked.write(chunk)
    asked.end(typeof body === 'string' ? body : undefined)
  })
}

async function received(answer: IncomingMessage): Promise<Reply> {
  const { localPort = 0 } = answer.socket
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const { statusCode: status = 0, headers } = answer
  return { status, headers, body: Buffer.concat(chunks), localPort }
}

interface Rows {
  readonly Row: readonly { readonly Cell: readonly { readonly $: string }[] }[]
}

interface Audited {
  readonly user?: string
  readonly realUser?: string
  readonly address?: string
  readonly action: string
  readonly scope?: string
}

function audited(action: string): Audited[] {
  const lines = readFileSync(`${folder.path}/audit.log`, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Audited).filter((line) => line.action === action)
}

test('users log in at nginx, and Tidegate knows them', async () => {
  expect((await ask('GET', '/t/no-row', { user: 'bob' })).status).toBe(404)
  await expect
    .poll(() => audited('get').at(-1))
    .toMatchObject({
      user: 'bob',
      realUser: 'knox',
      address: '127.0.0.1',
    })
  for (const question of [{ password: 'wrong' }, { user: 'knox', password: KNOX }])
    expect((await ask('GET', '/version', question)).status).toBe(401)
})

test('a doAs of the client is taken off, or refused', async () => {
  expect((await ask('GET', '/t/no-row', { headers: { doAs: 'root', DOAS: 'root' } })).status).toBe(404)
  await expect.poll(() => audited('get').at(-1)?.user).toBe('ann')
  for (const name of ['doAs', 'DOAS', 'x=1&d%6FAs', 'doAs=ann&doas', '%64%4f%61%73']) {
    const { status, body } = await ask('GET', `/version?${name}=root`)
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('name different users')])
  }
  expect(audited('login').every(({ user }) => user !== 'root')).toBe(true)
})

test('an address of the client’s own is taken off', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'gopher' }
  expect((await ask('GET', '/t/no-row', { headers })).status).toBe(404)
  expect([...new Set(audited('get').map(({ address }) => address))]).toEqual(['127.0.0.1'])
})

test('row keys with slashes, percent signs and spaces arrive as they are', async () => {
  for (const key of ['a%2Fb', 'a%252Fb', '%25', 'a%20b', '%C3%A9', 'a%2F%2Fb', '..%2Fb', 'x;y']) {
    const path = `/t/${key}/f:q`
    const headers = { 'content-type': 'application/octet-stream' }
    expect([key, (await ask('PUT', path, { headers, body: `value of ${key}` })).status]).toEqual([key, 200])
    const octets = { accept: 'application/octet-stream' }
    const direct = request({
      agent: false,
      host: '127.0.0.1',
      port: server.ports.rest,
      path,
      headers: octets,
      auth: `knox:${KNOX}`,
    })
    for (const answer of [await ask('GET', path, { headers: octets }), await replyTo(direct, undefined)])
      expect(answer.body.toString()).toBe(`value of ${key}`)
  }
})

test('the Location of a scanner is one that the client can ask', async () => {
  const opened = await ask('PUT', '/t/scanner', { body: '{"batch":1}' })
  expect(opened.status).toBe(201)
  const { origin, pathname } = new URL(opened.headers.location!)
  expect(origin).toBe(`https://localhost:${port}`)
  expect((await ask('GET', pathname)).status).toBe(200)
  expect((await ask('GET', pathname, { user: 'bob' })).status).toBe(404)
  expect((await ask('DELETE', pathname)).status).toBe(200)
})

test('connections stay on both sides', async () => {
  const ports = new Set<number>()
  for (let turn = 0; turn < 3; turn++) ports.add((await ask('GET', '/version')).localPort)
  expect(ports.size).toBe(1)
  const metrics = request({
    host: '127.0.0.1',
    port: server.ports.web,
    path: '/metrics',
    auth: `knox:${KNOX}`,
  })
  expect((await replyTo(metrics, undefined)).body.toString()).toMatch(
    /^tidegate_connections\{door="rest"\} [1-9]/m,
  )
})

test('large bodies pass, whole or in chunks', { timeout: 60_000 }, async () => {
  const value = Buffer.alloc(VALUE_BYTES, 'abcdefghijklmnop')
  const cells = ['f:1', 'f:2'].map((column) => ({ column: base64(column), $: value.toString('base64') }))
  const text = JSON.stringify({ Row: [{ key: base64('row'), Cell: cells }] })
  expect(text.length).toBeGreaterThan(16 * MIB)
  const chunks = Array.from({ length: 17 }, (_, index) =>
    Buffer.from(text.slice(index * MIB, (index + 1) * MIB)),
  )
  for (const body of [text, chunks]) {
    expect((await ask('PUT', '/t/row', { body })).status).toBe(200)
    const { Row: rows } = JSON.parse((await ask('GET', '/t/row')).body.toString()) as Rows
    expect(rows[0]!.Cell.map(({ $ }) => Buffer.from($, 'base64').equals(value))).toEqual([true, true])
    expect((await ask('DELETE', '/t/row')).status).toBe(200)
  }
})

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
