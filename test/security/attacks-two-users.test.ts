/** Requests that name two users where one is meant: which of them counts must not be the server's guess. */

import { type OutgoingHttpHeaders, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ProxyRule } from '../../src/gateway/identity/guard/proxy-users.ts'
import { basic, type GuardedDoors, openGuardedDoors } from './guarded-doors.ts'

const RULES = new Map<string, ProxyRule>([
  ['alice', { users: ['bob', 'carol'], groups: [], hosts: ['127.0.0.0/8'] }],
])

let doors: GuardedDoors

beforeAll(async () => {
  doors = await openGuardedDoors({ settings: { proxyRules: RULES } })
})

afterAll(() => doors.close())

/** fetch joins headers of one name into one. */
function ask(door: 'rest' | 'thrift', path: string, headers: OutgoingHttpHeaders): Promise<[number, string]> {
  const { port } = doors.first[door]
  const method = door === 'rest' ? 'GET' : 'POST'
  const all = { authorization: basic('alice'), ...headers }
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, method, headers: all }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve([response.statusCode!, text]))
    })
    sent.on('error', reject)
    sent.end()
  })
}

test.each([
  ['/version?doAs=bob&doAs=carol', {}],
  ['/version?doAs=bob&DOAS=alice', {}],
  ['/version?doAs=bob', { doAs: 'carol' }],
  ['/version', { doAs: ['bob', 'carol'] }],
])('REST: %s with the headers %j is refused', async (path, headers) => {
  expect(await ask('rest', path, headers)).toEqual([400, expect.stringContaining('different users')])
})

test('REST: one user who is named twice is one user', async () => {
  expect((await ask('rest', '/version?doAs=bob&doAs=bob', { doAs: ['bob', 'bob'] }))[0]).toBe(200)
})

test('Thrift over HTTP: repeated headers are refused', async () => {
  expect(await ask('thrift', '/', { doAs: ['bob', 'carol'] })).toEqual([
    400,
    expect.stringContaining('different users'),
  ])
})

test.each(['rest', 'thrift'] as const)('%s: two logins in one request are refused', async (door) => {
  const other = { accesskeyid: 'bob', accesssignature: 'the password of bob' }
  for (let times = 0; times < 2; times++) {
    const answer = await ask(door, door === 'rest' ? '/version' : '/', other)
    expect(answer).toEqual([400, expect.stringContaining('Authorization and ACCESSKEYID')])
    // From now on the connection's header Authorization is known.
    await ask(door, door === 'rest' ? '/version' : '/', {})
  }
})
