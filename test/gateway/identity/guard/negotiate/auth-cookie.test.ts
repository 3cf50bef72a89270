import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  type AuthCookie,
  CookieSigner,
  cookiesOf,
  cookieText,
  readCookieText,
} from '../../../../../src/gateway/identity/guard/negotiate/auth-cookie.ts'
import { SimRandom } from '../../../../harness/simulation/sim-random.ts'

const SECRET = Buffer.from('secret')
const LOGIN: AuthCookie = {
  user: 'alice',
  principal: 'alice/admin@EXAMPLE.ORG',
  type: 'kerberos',
  expiresMs: 1_700_000_000_000,
}
const TEXT = 'u=alice&p=alice/admin@EXAMPLE.ORG&t=kerberos&e=1700000000000'

test('a cookie has the text and the signature of Hadoop', () => {
  expect(cookieText(LOGIN)).toBe(TEXT)
  const signature = createHmac('sha256', 'secret').update(TEXT).digest('base64')
  expect(new CookieSigner(SECRET).signed(TEXT)).toBe(`${TEXT}&s=${signature}`)
  expect(readCookieText(TEXT)).toEqual(LOGIN)
})

test('a part of which Hadoop knows the name ends the login of a client that is idle, and -1 means no end', () => {
  expect(readCookieText(TEXT.replace('&e=', '&i=1600000000000&e='))?.expiresMs).toBe(1_600_000_000_000)
  expect(readCookieText(TEXT.replace(/e=\d+/, 'i=5&e=-1'))?.expiresMs).toBe(5)
  expect(readCookieText(TEXT.replace(/e=\d+/, 'e=-1'))?.expiresMs).toBe(Number.POSITIVE_INFINITY)
})

test.each([
  '',
  'alice',
  'u=alice',
  TEXT.replace('u=alice', 'u='),
  TEXT.replace('&p=', '&q='),
  TEXT.replace('&t=kerberos', ''),
  TEXT.replace('&e=1', '&e=x'),
  TEXT.replace(/&e=.*/, '&e='),
  `${TEXT}&u=bob`,
  `${TEXT}&`,
  TEXT.replace('u=alice', 'u=@all'),
])('no cookie: %j', (text) => expect(readCookieText(text)).toBeUndefined())

test('names that a cookie cannot have make none', () => {
  for (const name of ['', 'a&b', 'a;b', 'a"b', 'a,b', 'a b', 'a\nb', 'a\\b', 'größe'])
    expect(cookieText({ ...LOGIN, user: name }), name).toBeUndefined()
})

test('made cookies are read as they were made, and no changed one is', () => {
  const random = new SimRandom(43)
  const signer = new CookieSigner(SECRET)
  const letters = 'abcXYZ019._/@=-+:$'
  const name = (): string =>
    `n${Array.from({ length: random.below(20) }, () => letters[random.below(letters.length)]).join('')}`
  for (let turn = 0; turn < 2000; turn++) {
    const login = { user: name(), principal: name(), type: name(), expiresMs: random.below(2 ** 31) * 1000 }
    const signed = signer.signed(cookieText(login)!)
    expect(readCookieText(signer.verified(signed)!)).toEqual(login)
    const at = random.below(signed.length)
    const changed =
      signed.slice(0, at) +
      String.fromCharCode(signed.charCodeAt(at) ^ (1 + random.below(31))) +
      signed.slice(at + 1)
    expect(signer.verified(changed), changed).toBeUndefined()
    expect(signer.verified(signed.slice(0, at))).toBeUndefined()
    expect(new CookieSigner(Buffer.from('another')).verified(signed)).toBeUndefined()
  }
})

test('a long value is not looked at', () => {
  const signer = new CookieSigner(SECRET)
  const signed = signer.signed(`u=${'a'.repeat(4096)}`)
  expect(signer.verified(signed)).toBeUndefined()
})

test('the first four cookies of the name count, with quotes or without', () => {
  expect(cookiesOf('hadoop.auth=a')).toEqual(['a'])
  expect(cookiesOf('x=1; hadoop.auth="u=a&s=b=="; hadoop.auth=c')).toEqual(['u=a&s=b==', 'c'])
  expect(cookiesOf('x=1;hadoop.auth=')).toEqual([''])
  expect(cookiesOf('hadoop.auth="')).toEqual(['"'])
  expect(cookiesOf('hadoop.auth=a;'.repeat(1000))).toEqual(['a', 'a', 'a', 'a'])
  for (const other of ['', 'hadoop.auth', 'xhadoop.auth=a', 'hadoop.authx=a', 'x="hadoop.auth=a"'])
    expect(cookiesOf(other), other).toEqual([])
})
