/** Tickets and cookies at the doors of HTTP, with tickets that need no KDC. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CookieSigner } from '../../../../../src/gateway/identity/guard/negotiate/auth-cookie.ts'
import { writeUser } from '../../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { PemFolder } from '../../../../harness/certificates.ts'
import { BusyTickets, ticket, UNFINISHED } from '../../../../harness/fake-tickets.ts'
import {
  COOKIE_SECRET,
  type HttpDoor,
  type NegotiatingDoors,
  openNegotiatingDoors,
} from './negotiating-doors.ts'

const ALICE = 'alice@EXAMPLE.ORG'
const DOORS: readonly HttpDoor[] = ['rest', 'thrift', 'web', 'timeline']
const WITH_COOKIES: readonly HttpDoor[] = ['rest', 'web', 'timeline']
const FORGET = 'hadoop.auth=; Path=/; HttpOnly; SameSite=Lax'

let doors: NegotiatingDoors
beforeAll(async () => {
  doors = await openNegotiatingDoors()
})
afterAll(() => doors.close())

/** The header Cookie for a header Set-Cookie. */
function kept(setCookie: string): string {
  return setCookie.split('; ')[0]!
}

async function cookieOf(door: HttpDoor): Promise<string> {
  const { status, values } = await doors.ask(door, { authorization: ticket(ALICE) })
  expect(status).toBe(200)
  return kept(values('set-cookie')[0]!)
}

const signed = (text: string, secret = COOKIE_SECRET): string =>
  `hadoop.auth="${new CookieSigner(secret).signed(text)}"`
const soon = (): number => Date.now() + 10_000

test('a challenge of REST has a body for clients that take text alone: others may leave it, and their connection, unread', async () => {
  for (const [accept, body] of [
    [undefined, /^$/],
    ['application/octet-stream', /^$/],
    ['application/json, text/plain', /ticket of Kerberos/],
  ] as const) {
    const asked = await doors.ask('rest', accept === undefined ? {} : { accept })
    expect([asked.status, asked.body]).toEqual([401, expect.stringMatching(body)])
  }
})

describe.each(DOORS)('%s', (door) => {
  test('asks for a ticket, and takes it', async () => {
    const stranger = await doors.ask(door, { accept: '*/*' })
    expect(stranger.status).toBe(401)
    expect(stranger.values('www-authenticate')).toEqual(['Negotiate'])
    expect(stranger.values('set-cookie')).toEqual(WITH_COOKIES.includes(door) ? [FORGET] : [])
    expect(stranger.body).toMatch(/ticket of Kerberos/)
    const { status, values } = await doors.ask(door, { authorization: ticket(ALICE) })
    expect(status).toBe(200)
    expect(values('www-authenticate')).toEqual([expect.stringMatching(/^Negotiate [A-Za-z0-9+/=]+$/)])
    const token = Buffer.from(values('www-authenticate')[0]!.slice(10), 'base64').toString()
    expect(token).toMatch(/^answer \d+$/)
  })

  test('refuses a replayed ticket, a damaged one, and a principal without a user', async () => {
    const shown = ticket(ALICE)
    expect((await doors.ask(door, { authorization: shown })).status).toBe(200)
    const refused = door === 'thrift' ? 401 : 403
    for (const [authorization, reason] of [
      [shown, /a replay/],
      [`Negotiate ${Buffer.from('no ticket').toString('base64')}`, /damaged/],
      [ticket('alice@OTHER.ORG'), /auth_to_local/],
    ] as const) {
      const { status, values, body } = await doors.ask(door, { authorization })
      expect([status, body]).toEqual([refused, expect.stringMatching(reason)])
      expect(values('set-cookie')).toEqual(WITH_COOKIES.includes(door) ? [FORGET] : [])
      expect(values('www-authenticate')).toEqual(refused === 401 ? ['Negotiate'] : [])
    }
  })

  test('refuses what is no ticket with a challenge', async () => {
    const seen = doors.tickets.seen
    const ntlm = Buffer.from('NTLMSSP\0\x01\0\0\0').toString('base64')
    for (const authorization of [
      'Negotiate',
      'Negotiate !',
      `Negotiate ${ntlm}`,
      `NTLM ${ntlm}`,
      'Basic YTpi',
    ]) {
      const { status, values, body } = await doors.ask(door, { authorization })
      expect([authorization, status]).toEqual([authorization, 401])
      expect(values('www-authenticate')).toEqual(['Negotiate'])
      expect(body).toMatch(/ticket|token|not taken/)
    }
    expect(doors.tickets.seen).toBe(seen)
    const unfinished = `Negotiate ${Buffer.from(UNFINISHED).toString('base64')}`
    const { status, values, body } = await doors.ask(door, { authorization: unfinished })
    expect([status, values('www-authenticate')]).toEqual([401, ['Negotiate']])
    expect(body).toMatch(/one step/)
  })
})

test('Thrift over HTTP sets no cookie and takes none, as HBase', async () => {
  const { values } = await doors.ask('thrift', { authorization: ticket(ALICE) })
  expect(values('set-cookie')).toEqual([])
  const cookie = await cookieOf('rest')
  expect((await doors.ask('thrift', { cookie })).status).toBe(401)
})

describe.each(WITH_COOKIES)('the cookie of %s', (door) => {
  test('stands for the login, with quotes or without', async () => {
    const cookie = await cookieOf(door)
    expect(cookie).toMatch(
      /^hadoop\.auth="u=alice&p=alice@EXAMPLE\.ORG&t=kerberos[a-z-]*&e=\d+&s=[\w+/]{43}="$/,
    )
    const seen = doors.tickets.seen
    for (const shown of [cookie, cookie.replaceAll('"', ''), `x=1; ${cookie}`]) {
      const { status, values } = await doors.ask(door, { cookie: shown })
      expect(status).toBe(200)
      // A cookie is good until it expires: it is not made anew.
      expect(values('set-cookie')).toEqual([])
      expect(values('www-authenticate')).toEqual([])
    }
    expect((await doors.ask(door, { cookie, authorization: ticket(ALICE) })).status).toBe(200)
    expect(doors.tickets.seen).toBe(seen)
  })

  test('is ignored where it is changed, has expired, or is of another secret or door', async () => {
    const cookie = await cookieOf(door)
    const type = /&t=([^&]*)/.exec(cookie)![1]!
    const other = await cookieOf(door === 'rest' ? 'web' : 'rest')
    const text = (change: string): string => `u=alice&p=${ALICE}&t=${type}&e=${soon()}${change}`
    expect((await doors.ask(door, { cookie: signed(text('')) })).status).toBe(200)
    const bad = [
      other,
      cookie.replace('u=alice', 'u=admin'),
      cookie.replace(/e=\d/, 'e=9'),
      cookie.replace(/s=.*/, '"'),
      cookie.replace(/&s=.*/, '&s="'),
      `hadoop.auth=u=alice&p=${ALICE}&t=${type}&e=${soon()}&s=none`,
      signed(text('').replace(/e=\d+/, `e=${Date.now() - 1}`)),
      signed(text('').replace(`t=${type}`, 't=simple')),
      signed(text('').replace(`t=${type}&`, '')),
      signed(text('&u=bob')),
      signed(text(''), Buffer.from('another secret')),
      'hadoop.auth=',
      'hadoop.auth',
    ]
    for (const shown of bad) {
      const { status, values } = await doors.ask(door, { cookie: shown })
      expect([shown, status]).toEqual([shown, 401])
      expect(values('set-cookie')).toEqual([FORGET])
      const anew = await doors.ask(door, { cookie: shown, authorization: ticket(ALICE) })
      expect([shown, anew.status]).toEqual([shown, 200])
      expect(kept(anew.values('set-cookie')[0]!)).toMatch(/u=alice/)
    }
  })
})

test('of several cookies the first that counts is taken, among four', async () => {
  for (const door of WITH_COOKIES) {
    const cookie = await cookieOf(door)
    const bad = 'hadoop.auth="u=alice&p=alice&t=kerberos&e=1&s=none"'
    for (const shown of [`${bad}; ${cookie}`, `${cookie}; ${bad}`, `${bad}; ${bad}; ${bad}; ${cookie}`])
      expect([door, (await doors.ask(door, { cookie: shown })).status]).toEqual([door, 200])
    const many = `${`${bad}; `.repeat(4)}${cookie}`
    expect([door, (await doors.ask(door, { cookie: many })).status]).toEqual([door, 401])
  }
})

test.each(['OVERLOADED', 'UNAVAILABLE'] as const)(
  'a ticket that was not looked at (%s) gets 503, is no failed login, and the client keeps its cookie',
  async (code) => {
    const heard: unknown[] = []
    const audit = { write: (line: unknown) => heard.push(line) } as never
    const busy = await openNegotiatingDoors({ tickets: new BusyTickets(code), parts: { audit } })
    try {
      for (const door of DOORS) {
        const { status, values, body } = await busy.ask(door, { authorization: ticket(ALICE) })
        expect([door, status, values('set-cookie'), values('www-authenticate')]).toEqual([door, 503, [], []])
        expect(body).toMatch(/1024 logins/)
      }
      expect(busy.failedLogins()).toEqual([])
      expect(heard).toHaveLength(DOORS.length)
    } finally {
      await busy.close()
    }
  },
)

test('beside a password: each challenge is a header of its own, and a password goes before a cookie', async () => {
  const folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'bob', 'the password of bob')
  const both = await openNegotiatingDoors({ settings: { users } })
  try {
    for (const door of DOORS) {
      const { values } = await both.ask(door)
      expect(values('www-authenticate')).toEqual(['Basic realm="Tidegate", charset="UTF-8"', 'Negotiate'])
    }
    const basic = `Basic ${Buffer.from('bob:the password of bob').toString('base64')}`
    const wrong = `Basic ${Buffer.from('bob:wrong').toString('base64')}`
    const cookie = kept((await both.ask('rest', { authorization: ticket(ALICE) })).values('set-cookie')[0]!)
    expect((await both.ask('rest', { authorization: basic })).status).toBe(200)
    expect((await both.ask('rest', { authorization: wrong, cookie })).status).toBe(401)
  } finally {
    await both.close()
    folder.remove()
  }
})

test('a client with a ticket acts for others by the rules', async () => {
  const rules = new Map([['hue', { users: ['*'], groups: [], hosts: ['127.0.0.1'] }]])
  const hue = await openNegotiatingDoors({ settings: { proxyRules: rules } })
  const principal = 'hue/host.example.org@EXAMPLE.ORG'
  try {
    for (const door of DOORS) {
      const headers = { doAs: 'carol' }
      expect((await hue.ask(door, { ...headers, authorization: ticket(principal) })).status).toBe(200)
      const refused = await hue.ask(door, { ...headers, authorization: ticket(ALICE) })
      expect([door, refused.status]).toEqual([door, 403])
      expect(refused.body).toMatch(/alice is not allowed to impersonate carol/)
    }
    const cookie = kept(
      (await hue.ask('rest', { authorization: ticket(principal) })).values('set-cookie')[0]!,
    )
    // The cookie names the user that has logged in, and the request the one for whom it acts.
    expect((await hue.ask('rest', { cookie }, '/t/schema?doAs=carol')).status).toBe(200)
    expect(cookie).toMatch(/u=hue&/)
  } finally {
    await hue.close()
  }
})

test('a domain, a path and TLS are in the cookie', async () => {
  const cookies = { secret: COOKIE_SECRET, validityMs: 60_000, path: '/hbase', domain: 'example.org' }
  const other = await openNegotiatingDoors({ parts: { cookies } })
  try {
    const { values } = await other.ask('rest', { authorization: ticket(ALICE) })
    expect(values('set-cookie')[0]).toMatch(/"; Path=\/hbase; Domain=example\.org; HttpOnly; SameSite=Lax$/)
  } finally {
    await other.close()
  }
})

test('without cookies each request negotiates', async () => {
  const bare = await openNegotiatingDoors({ parts: { cookies: undefined } })
  try {
    const { status, values } = await bare.ask('rest', { authorization: ticket(ALICE) })
    expect([status, values('set-cookie')]).toEqual([200, []])
    const text = `u=alice&p=${ALICE}&t=kerberos&e=${soon()}`
    const { status: ofCookie, values: refused } = await bare.ask('rest', { cookie: signed(text) })
    expect([ofCookie, refused('set-cookie')]).toEqual([401, []])
  } finally {
    await bare.close()
  }
})
