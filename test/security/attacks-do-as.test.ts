/** Acting for another user, with a rule and without one, at every door that has a way to ask for it. */

import { create } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProxyRule } from '../../src/gateway/identity/guard/proxy-users.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { ClientService, ScanRequestSchema } from '../../src/wire/rpc/gen/client_pb.ts'
import { ClientMetaService } from '../../src/wire/rpc/gen/registry_pb.ts'
import { oneCall } from '../doors/rpc/one-call.ts'
import { type GuardedDoors, openGuardedDoors, restOf, rpcLogin, TABLE, thriftOf } from './guarded-doors.ts'

/** Alice may act for carol, from here. Bob may act for all, from elsewhere. */
const RULES = new Map<string, ProxyRule>([
  ['alice', { users: ['carol'], groups: [], hosts: ['127.0.0.0/8'] }],
  ['bob', { users: ['*'], groups: [], hosts: ['10.0.0.1'] }],
])

const REFUSED: readonly (readonly [user: string, other: string, words: string])[] = [
  ['alice', 'bob', 'User: alice is not allowed to impersonate bob'],
  ['alice', 'Carol', 'User: alice is not allowed to impersonate Carol'],
  ['bob', 'carol', 'Unauthorized connection for super-user: bob from IP 127.0.0.1'],
]
const DENIED_CLASS = 'org.apache.hadoop.hbase.security.AccessDeniedException'

let doors: GuardedDoors

beforeAll(async () => {
  doors = await openGuardedDoors({ settings: { proxyRules: RULES } })
})

afterAll(() => doors.close())

describe('REST', () => {
  test.each(['doAs', 'doas', 'DOAS'])("a parameter %s: the scanner is the other user's", async (name) => {
    const opened = await restOf(doors.first, `/t/scanner?${name}=carol`, {
      user: 'alice',
      method: 'PUT',
      body: '{"batch":1}',
    })
    const { pathname } = new URL(opened.headers.get('location')!)
    expect((await restOf(doors.first, pathname, { user: 'alice' })).status).toBe(404)
    expect((await restOf(doors.second, pathname, { user: 'alice', headers: { doAs: 'carol' } })).status).toBe(
      204,
    )
  })

  test.each(REFUSED)('%s for %s', async (user, other, words) => {
    for (const [path, headers] of [
      [`/version?doAs=${other}`, {}],
      [`/version?x=1&do%41s=${other}`, {}],
      ['/version', { doAs: other }],
    ] as const) {
      const answer = await restOf(doors.first, path, { user, headers })
      expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining(words)])
    }
  })

  test('nobody is no user', async () => {
    expect((await restOf(doors.first, '/version?doAs=', { user: 'alice' })).status).toBe(400)
    expect((await restOf(doors.first, '/version?doAs=alice', { user: 'alice' })).status).toBe(200)
  })
})

describe('Thrift over HTTP', () => {
  test('by request, not by connection', async () => {
    const carol = thriftOf(doors.first, 'thrift1', 'alice', { doAs: 'carol' })
    const id = await carol['scannerOpen']!('t', '', [], {})
    const unknown = { message: 'scanner ID is invalid' }
    await expect(thriftOf(doors.first, 'thrift1', 'alice')['scannerGet']!(id)).rejects.toMatchObject(unknown)
    expect(await carol['scannerGet']!(id)).toEqual([])
  })

  test.each(REFUSED)('%s for %s', async (user, other, words) => {
    const { port } = doors.first.thrift
    const authorization = `Basic ${Buffer.from(`${user}:the password of ${user}`).toString('base64')}`
    const headers = { authorization, doAs: other }
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: 'x' })
    expect([answer.status, await answer.text()]).toEqual([403, `${words}\n`])
  })
})

describe('native RPC', () => {
  const { getClusterId } = ClientMetaService.method

  test('the scanner is that of the user of the connection header, at each process', async () => {
    const [region] = await doors.store.catalog.regions(TABLE, OWN_CALL)
    const of = { preamble: rpcLogin('alice') }
    const { scan } = ClientService.method
    const whole = create(ScanRequestSchema, {
      region: { type: 1, value: region!.name },
      scan: {},
      numberOfRows: 0,
    })
    const { port } = doors.first.rpc
    const { message } = await oneCall(port, scan, whole, { ...of, user: 'carol' })
    const read = { scannerId: message.scannerId, numberOfRows: 1 }
    const own = oneCall(port, scan, read, { ...of, user: 'alice' })
    await expect(own).rejects.toMatchObject({ javaClass: 'org.apache.hadoop.hbase.UnknownScannerException' })
    const there = await oneCall(doors.second.rpc.port, scan, read, { ...of, user: 'carol' })
    expect(there.message.moreResultsInRegion).toBe(false)
  })

  test.each(REFUSED)('%s for %s', async (user, other, words) => {
    const asked = oneCall(doors.first.rpc.port, getClusterId, {}, { preamble: rpcLogin(user), user: other })
    await expect(asked).rejects.toMatchObject({
      javaClass: DENIED_CLASS,
      message: expect.stringContaining(words),
    })
  })
})
