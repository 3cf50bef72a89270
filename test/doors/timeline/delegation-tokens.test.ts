/** Delegation tokens of the timeline, as YARN's TimelineClient asks for them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import type { Store } from '../../../src/store/store.ts'
import { decodeIdentifier, decodeToken, encodeToken } from '../../../src/wire/hadoop/delegation-token.ts'
import { FakeTickets, ticket } from '../../harness/fake-tickets.ts'
import { type TimelineServer, type Told, timelineServer } from './timeline-server.ts'

const ALICE = 'alice@EXAMPLE.ORG'
const YARN = 'yarn/rm.example.org@EXAMPLE.ORG'
const ROOT = '/ws/v1/timeline/'
const RULES = new Map([['oozie', { users: ['*'], groups: [], hosts: ['*'] }]])

let folder: string
let store: Store
let server: TimelineServer
let guard: Guard

async function start(properties: Readonly<Record<string, string>> = {}): Promise<void> {
  const delegation = { folder, keyMs: 1000, tokenMs: 1000 }
  const settings = { certificates: false, delegation, proxyRules: RULES }
  guard = new Guard(settings, pino({ level: 'silent' }), { kerberos: new FakeTickets() })
  server = await timelineServer(properties, store, { guard })
}

async function stop(): Promise<void> {
  await server.close()
  guard.close()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'timeline-tokens-'))
  store = openMemoryStore({ clock: { now: Date.now } })
  await start()
})
afterEach(async () => {
  await stop()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Asked {
  readonly principal?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

function ask(query: string, { principal, method = 'GET', headers = {} }: Asked = {}): Promise<Told> {
  const authorization = principal === undefined ? {} : { authorization: ticket(principal) }
  return server.ask(`${ROOT}?${query}`, { method, headers: { ...authorization, ...headers } })
}

async function token(principal = ALICE, more = '&renewer=yarn'): Promise<string> {
  const { status, text } = await ask(`op=GETDELEGATIONTOKEN${more}`, { principal })
  expect([status, text]).toEqual([200, expect.stringMatching(/^\{"Token":\{"urlString":"[\w-]+"\}\}\n$/)])
  return (JSON.parse(text) as { Token: { urlString: string } }).Token.urlString
}

/** Puts an entity with a token. */
async function put(text: string, where: 'query' | 'header' = 'header', more = ''): Promise<Told> {
  const query = where === 'query' ? `?delegation=${text}` : '?'
  return server.ask(`${ROOT.slice(0, -1)}${query}${more}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(where === 'header' && { 'x-hadoop-delegation-token': text }),
    },
    body: '{"entities":[{"entity":"e","entitytype":"t","starttime":1425447797805}]}',
  })
}

describe('a token', () => {
  test('has the form of Hadoop, and lets its holder in without a ticket', async () => {
    const text = await token()
    const { identifier, kind, service } = decodeToken(text)
    expect([kind, service]).toEqual(['TIMELINE_DELEGATION_TOKEN', ''])
    const { owner, renewer, realUser, issuedMs, maxMs } = decodeIdentifier(identifier)
    expect([owner, renewer, realUser, maxMs - issuedMs]).toEqual(['alice', 'yarn', '', 604_800_000])
    for (const where of ['header', 'query'] as const) {
      const { status, text: answer, headers } = await put(text, where)
      expect([status, answer]).toEqual([200, '{"errors":[]}'])
      expect(headers.get('set-cookie')).toBe(null)
    }
  })

  test('counts after a restart of the server', async () => {
    const text = await token()
    await stop()
    await start()
    expect((await put(text)).status).toBe(200)
  })

  test('is for its user alone, also where a rule lets that user act for others', async () => {
    const text = await token('oozie@EXAMPLE.ORG')
    expect((await put(text)).status).toBe(200)
    const { status, text: answer } = await put(text, 'header', 'doAs=alice')
    expect([status, answer]).toEqual([401, expect.stringMatching(/acts for no other user/)])
  })

  test('can be had for another user by a rule', async () => {
    const text = await token('oozie@EXAMPLE.ORG', '&doAs=alice&renewer=yarn')
    const { owner, realUser } = decodeIdentifier(decodeToken(text).identifier)
    expect([owner, realUser]).toEqual(['alice', 'oozie'])
    const refused = await ask('op=GETDELEGATIONTOKEN&doAs=bob', { principal: ALICE })
    expect(refused.status).toBe(403)
  })

  test('is not to be had without a ticket, nor by a token', async () => {
    const without = await ask('op=GETDELEGATIONTOKEN')
    expect([without.status, without.headers.get('www-authenticate')]).toEqual([401, 'Negotiate'])
    const headers = { 'x-hadoop-delegation-token': await token() }
    expect((await ask('op=GETDELEGATIONTOKEN', { headers })).status).toBe(401)
  })

  test('that is changed, cut, of another kind or of another key is refused', async () => {
    const text = await token()
    const { identifier, password, kind, service } = decodeToken(text)
    const changed = Buffer.from(identifier)
    changed.write('admin', changed.indexOf('alice'))
    const good = { identifier, password, kind, service }
    const bad = [
      encodeToken({ ...good, identifier: changed }),
      encodeToken({ ...good, password: Buffer.alloc(20) }),
      encodeToken({ ...good, password: password.subarray(1) }),
      encodeToken({ ...good, kind: 'HBASE_AUTH_TOKEN' }),
      encodeToken({ ...good, identifier: Buffer.alloc(0) }),
      text.slice(0, -9),
      'AA',
      '!',
      '',
    ]
    for (const shown of bad) {
      const { status, text: answer } = await put(shown, 'query')
      expect([shown, status]).toEqual([shown, 403])
      expect(answer).toMatch(/"AuthenticationException"/)
    }
    rmSync(join(folder, 'timeline'), { recursive: true })
    await stop()
    await start()
    expect((await put(text)).text).toMatch(/Unable to find master key/)
  })
})

describe('renewal', () => {
  test('is for the renewer, which a principal may name', async () => {
    const text = await token(ALICE, `&renewer=${encodeURIComponent(YARN)}`)
    const now = Date.now()
    const renewed = await ask(`op=renewdelegationtoken&token=${text}`, { method: 'PUT', principal: YARN })
    expect(renewed.status).toBe(200)
    const { long } = JSON.parse(renewed.text) as { long: number }
    expect(long - now).toBeGreaterThanOrEqual(86_400_000)
    const other = await ask(`op=RENEWDELEGATIONTOKEN&token=${text}`, { method: 'PUT', principal: ALICE })
    expect([other.status, other.text]).toEqual([403, expect.stringMatching(/non-matching renewer yarn/)])
  })

  test('keeps a token alive that would have expired', async () => {
    await stop()
    await start({ 'yarn.timeline-service.delegation.token.renew-interval': '1' })
    const text = await token()
    await expect.poll(async () => (await put(text)).status).toBe(403)
    expect((await put(text)).text).toMatch(/has expired/)
    await stop()
    await start()
    const renewed = await ask(`op=RENEWDELEGATIONTOKEN&token=${text}`, { method: 'PUT', principal: YARN })
    expect(renewed.status).toBe(200)
    expect((await put(text)).status).toBe(200)
  })
})

describe('cancellation', () => {
  test.each([
    ['by its owner', ALICE],
    ['by its renewer', YARN],
    ['by the token alone', undefined],
  ])('%s', async (_, principal) => {
    const text = await token()
    const cancel = { method: 'PUT', ...(principal !== undefined && { principal }) }
    const { status, text: answer } = await ask(`op=CANCELDELEGATIONTOKEN&token=${text}`, cancel)
    expect([status, answer]).toEqual([200, ''])
    expect((await put(text)).text).toMatch(/cancelled/)
    expect((await ask(`op=CANCELDELEGATIONTOKEN&token=${text}`, cancel)).status).toBe(404)
  })

  test('is not for other users', async () => {
    const text = await token()
    const { status } = await ask(`op=CANCELDELEGATIONTOKEN&token=${text}`, {
      method: 'PUT',
      principal: 'bob@EXAMPLE.ORG',
    })
    expect(status).toBe(404)
    expect((await put(text)).status).toBe(200)
  })
})

test.each([
  [
    'op=GETDELEGATIONTOKEN',
    'PUT',
    /Wrong HTTP method \[PUT\] for operation \[GETDELEGATIONTOKEN\], it should be \[GET\]/,
  ],
  ['op=RENEWDELEGATIONTOKEN', 'PUT', /requires the parameter \[token\]/],
  ['op=CANCELDELEGATIONTOKEN', 'PUT', /requires the parameter \[token\]/],
  ['op=GETDELEGATIONTOKEN&renewer=x@OTHER.ORG', 'GET', /the renewer is no user/],
])('%s by %s is refused', async (query, method, reason) => {
  const { status, text } = await ask(query, { method, principal: ALICE })
  expect([status, text]).toEqual([400, expect.stringMatching(reason)])
})
