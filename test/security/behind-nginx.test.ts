/** Clients of REST behind the example of nginx in docs/security-reference.md. */

import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'
import { hasNginx } from '../harness/nginx.ts'
import {
  audited,
  base64,
  KNOX,
  NginxExample,
  optionsBehindNginx,
  type Question,
  type Reply,
  replyTo,
} from './nginx-example.ts'

const IS_THERE = hasNginx()
const MIB = 1024 * 1024
const VALUE_BYTES = 6.25 * MIB

let folder: PemFolder
let server: Tidegate
let nginx: NginxExample | undefined

beforeAll(async () => {
  if (!IS_THERE) return
  folder = new PemFolder()
  server = await startTidegate({ ...(await optionsBehindNginx(folder)), web: 0 })
  nginx = await NginxExample.start(folder, { rest: server.ports.rest! })
  const schema = '{"ColumnSchema":[{"name":"f"}]}'
  expect((await ask('PUT', '/t/schema', { body: schema })).status).toBe(201)
})

afterAll(async () => {
  await nginx?.stop()
  await server?.stop()
  folder?.remove()
})

beforeEach(({ skip }) => {
  if (!IS_THERE) skip('nginx is not installed')
})

function ask(method: string, path: string, question?: Question): Promise<Reply> {
  return nginx!.ask('rest', method, path, question)
}

interface Rows {
  readonly Row: readonly { readonly Cell: readonly { readonly $: string }[] }[]
}

test('users log in at nginx, and Tidegate knows them', async () => {
  expect((await ask('GET', '/t/no-row', { user: 'bob' })).status).toBe(404)
  await expect
    .poll(() => audited(folder, 'get').at(-1))
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
  await expect.poll(() => audited(folder, 'get').at(-1)?.user).toBe('ann')
  for (const name of ['doAs', 'DOAS', 'x=1&d%6FAs', 'doAs=ann&doas', '%64%4f%61%73']) {
    const { status, body } = await ask('GET', `/version?${name}=root`)
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('name different users')])
  }
  expect(audited(folder, 'login').every(({ user }) => user !== 'root')).toBe(true)
})

test('an address of the client’s own is taken off', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'gopher' }
  expect((await ask('GET', '/t/no-row', { headers })).status).toBe(404)
  expect([...new Set(audited(folder, 'get').map(({ address }) => address))]).toEqual(['127.0.0.1'])
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
  expect(origin).toBe(`https://localhost:${nginx!.ports.get('rest')}`)
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
