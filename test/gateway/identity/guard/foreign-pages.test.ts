/** Requests that a page of another site sends through a user's browser, which adds the user's login by itself. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ForeignPages } from '../../../../src/gateway/identity/guard/foreign-pages.ts'
import { writeUser } from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { PemFolder } from '../../../harness/certificates.ts'
import { ticket } from '../../../harness/fake-tickets.ts'
import { type HttpDoor, type NegotiatingDoors, openNegotiatingDoors } from './negotiate/negotiating-doors.ts'

const EVIL = 'https://evil.example'
const PAGE = 'https://page.example'
const ALICE = 'alice@EXAMPLE.ORG'
const BASIC = `Basic ${Buffer.from('bob:the password of bob').toString('base64')}`
/** Requests that change data, or could. */
const CHANGES: readonly (readonly [HttpDoor, string])[] = [
  ['rest', '/t/r/f:q'],
  ['thrift', '/'],
  ['web', '/console/api/changes'],
  ['timeline', '/ws/v1/timeline'],
]
/** Headers of browsers: old ones, or over HTTP without TLS, send Origin alone. */
const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { origin: EVIL },
  { origin: 'null' },
  { origin: EVIL, 'sec-fetch-site': 'cross-site' },
  { origin: 'null', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'cross-site' },
]

let doors: NegotiatingDoors
const heard: { readonly allowed: boolean; readonly reason?: string }[] = []
const folder = new PemFolder()
beforeAll(async () => {
  const users = `${folder.path}/users`
  await writeUser(users, 'bob', 'the password of bob')
  const audit = { write: (line: (typeof heard)[number]) => heard.push(line) } as never
  doors = await openNegotiatingDoors({ settings: { users }, parts: { audit, corsOrigins: [PAGE] } })
})
afterAll(async () => {
  await doors?.close()
  folder.remove()
})

const own = (door: HttpDoor): string => `http://localhost:${doors.doors[door].port}`

async function cookieOf(door: HttpDoor): Promise<string> {
  const { values } = await doors.ask(door, { authorization: ticket(ALICE) })
  return values('set-cookie')[0]!.split('; ')[0]!
}

describe.each(CHANGES)('%s', (door, path) => {
  const change = (headers: Readonly<Record<string, string>>): ReturnType<NegotiatingDoors['ask']> =>
    doors.ask(door, headers, path, 'POST')

  test('refuses tickets, cookies and passwords that a browser adds to requests of other sites', async () => {
    const seen = doors.tickets.seen
    const logins: Readonly<Record<string, string>>[] = [
      { authorization: ticket(ALICE) },
      { authorization: BASIC },
    ]
    for (const page of FOREIGN) {
      for (const login of logins) {
        heard.length = 0
        const { status, values, body } = await change({ ...page, ...login })
        expect([page, status, values('www-authenticate'), values('set-cookie')]).toEqual([page, 403, [], []])
        expect(body).toMatch(/page of another site/)
        expect(heard).toEqual([
          expect.objectContaining({ allowed: false, reason: expect.stringMatching(/another site/) }),
        ])
      }
    }
    expect(doors.tickets.seen).toBe(seen)
    if (door === 'thrift') return
    const cookie = await cookieOf(door)
    for (const page of FOREIGN)
      expect([page, (await change({ ...page, cookie })).status]).toEqual([page, 403])
  })

  test('takes them from pages of its own, and from programs', async () => {
    const pages = [
      {},
      { origin: own(door) },
      { origin: own(door), 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
    ]
    for (const page of pages)
      for (const authorization of [ticket(ALICE), BASIC]) {
        const { body } = await change({ ...page, authorization })
        expect([page, body]).toEqual([page, expect.not.stringMatching(/page of another site/)])
      }
  })
})

test('reads answer all the same: a link of another site opens them', async () => {
  for (const door of ['rest', 'web', 'timeline'] as const)
    for (const page of FOREIGN)
      expect((await doors.ask(door, { ...page, authorization: ticket(ALICE) })).status).toBe(200)
})

test('an origin of --cors-origin is a page that users trust, at REST alone', async () => {
  for (const [door, path] of CHANGES) {
    const page = { origin: PAGE, 'sec-fetch-site': 'cross-site', authorization: ticket(ALICE) }
    const { body } = await doors.ask(door, page, path, 'POST')
    if (door === 'rest') expect(body).not.toMatch(/another site/)
    else expect(body).toMatch(/another site/)
  }
})

function isRefused(
  headers: Readonly<Record<string, string>>,
  { method = 'PUT', origins = [] as readonly string[] } = {},
): boolean {
  try {
    new ForeignPages(origins).check({ method, headers: { host: 'gate.example:8080', ...headers } }, 'rest')
    return false
  } catch {
    return true
  }
}

describe('the rule', () => {
  test('compares the origin with Host, unless the browser itself knows', () => {
    expect(isRefused({ origin: 'http://gate.example:8080' })).toBe(false)
    expect(isRefused({ origin: 'http://GATE.example:8080', host: 'Gate.Example:8080' })).toBe(false)
    expect(isRefused({ origin: 'http://gate.example' })).toBe(true)
    expect(isRefused({ origin: 'http://gate.example:8080.evil.example' })).toBe(true)
    expect(isRefused({ origin: 'no origin' })).toBe(true)
    expect(isRefused({ origin: '' })).toBe(true)
    // A proxy has changed Host.
    expect(isRefused({ origin: 'https://public.example', 'sec-fetch-site': 'same-origin' })).toBe(false)
    expect(isRefused({ origin: 'http://gate.example:8080', 'sec-fetch-site': 'nonsense' })).toBe(true)
  })

  test('a login that the page states itself counts: a token, or the headers of ApsaraDB', () => {
    expect(isRefused({ origin: EVIL, authorization: 'Bearer a.b.c' })).toBe(false)
    expect(isRefused({ origin: EVIL, authorization: 'bearer a.b.c' })).toBe(false)
    expect(isRefused({ origin: EVIL, accesskeyid: 'alice', accesssignature: 'x' })).toBe(false)
    expect(isRefused({ origin: EVIL, authorization: 'Negotiate Bearer' })).toBe(true)
  })

  test('an origin * opens no tickets, cookies or certificates', () => {
    const origins = ['*']
    expect(isRefused({ origin: EVIL, authorization: BASIC }, { origins })).toBe(false)
    expect(isRefused({ origin: EVIL, authorization: 'Negotiate YII=' }, { origins })).toBe(true)
    expect(isRefused({ origin: EVIL }, { origins })).toBe(true)
    expect(isRefused({ origin: '*' }, { origins })).toBe(true)
    expect(isRefused({ 'sec-fetch-site': 'cross-site' }, { origins: [EVIL] })).toBe(true)
  })

  test.each(['GET', 'HEAD', 'OPTIONS', 'TRACE'])('%s changes nothing', (method) => {
    expect(isRefused({ origin: EVIL }, { method })).toBe(false)
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'get', 'M-SEARCH', ''])('%s may', (method) => {
    expect(isRefused({ origin: EVIL }, { method })).toBe(true)
  })
})
