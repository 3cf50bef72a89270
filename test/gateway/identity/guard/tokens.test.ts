import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { exportJWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TokenSettings } from '../../../../src/gateway/identity/guard/tokens/token-settings.ts'
import { TOKEN_SECONDS_MAX } from '../../../../src/gateway/identity/guard/tokens/token-times.ts'
import { Tokens } from '../../../../src/gateway/identity/guard/tokens/tokens.ts'
import { PemFolder } from '../../../harness/certificates.ts'

const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'
const NOW = 1_800_000_000_000

let folder: PemFolder
let now: number
const logger = pino({ level: 'silent' })

beforeEach(() => {
  folder = new PemFolder()
  now = NOW
})

afterEach(() => folder.remove())

function tokens(settings: Partial<TokenSettings>): Tokens {
  const all = { secrets: [], keys: [], userClaim: 'sub', skewSeconds: 60, ...settings }
  return new Tokens(all, { logger, now: () => now, lookMs: 3_600_000 })
}

function withSecret(settings: Partial<TokenSettings> = {}): Tokens {
  return tokens({ secrets: [folder.file('secret', SECRET)], ...settings })
}

async function signed(
  claims: JWTPayload = {},
  {
    key = Buffer.from(SECRET),
    alg = 'HS256',
    kid,
  }: { key?: Uint8Array | KeyObject; alg?: string; kid?: string } = {},
): Promise<string> {
  const payload = { sub: 'alice', exp: NOW / 1000 + 600, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg, ...(kid && { kid }) }).sign(key)
}

async function outcome(of: Tokens, token: string): Promise<string> {
  return of.verify(token).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`)
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

test('a token of the secret names its user, and is known from then on, until it expires', async () => {
  const all = withSecret()
  const token = await signed()
  expect(all.known(token)).toBeUndefined()
  expect(await outcome(all, token)).toBe('alice')
  expect(all.known(token)).toBe('alice')
  now += 600_000 + 59_000
  expect(all.known(token)).toBe('alice')
  now += 2000
  expect(all.known(token)).toBeUndefined()
  expect(await outcome(all, token)).toMatch(/^ACCESS_DENIED: the token is refused: .*exp/)
})

describe('no other token does', () => {
  test('of another key, changed, without a signature, or without an end', async () => {
    const all = withSecret()
    const token = await signed()
    const [header, , signature] = token.split('.')
    const root = Buffer.from(JSON.stringify({ sub: 'root', exp: NOW / 1000 + 600 })).toString('base64url')
    const none = new UnsecuredJWT({ sub: 'root', exp: NOW / 1000 + 600 }).encode()
    const unending = new SignJWT({ sub: 'alice' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET))
    for (const wrong of [
      await signed({}, { key: Buffer.from(`${SECRET}!`) }),
      `${header}.${root}.${signature}`,
      `${header}.${root}.`,
      none,
      await unending,
      await signed({ sub: '' }),
      await signed({ sub: 7 as unknown as string }),
      await signed({}, { alg: 'HS512', key: Buffer.from(SECRET.repeat(2)) }),
      'nonsense',
      '',
      'x'.repeat(20_000),
    ])
      expect(await outcome(all, wrong)).toMatch(/^ACCESS_DENIED: /)
  })

  test('of another issuer or audience, of the past or the future', async () => {
    const all = withSecret({ issuer: 'https://id.test', audience: 'tidegate' })
    const right = { iss: 'https://id.test', aud: ['other', 'tidegate'] }
    expect(await outcome(all, await signed(right))).toBe('alice')
    for (const wrong of [
      { ...right, iss: 'https://id.other' },
      { ...right, aud: 'other' },
      { ...right, aud: undefined as unknown as string },
      { ...right, exp: NOW / 1000 - 61 },
      { ...right, nbf: NOW / 1000 + 61 },
    ])
      expect(await outcome(all, await signed(wrong))).toMatch(/^ACCESS_DENIED: /)
    expect(await outcome(all, await signed({ ...right, exp: NOW / 1000 - 59 }))).toBe('alice')
  })

  test('signed with a public key as if it were a secret', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const all = tokens({ keys: [folder.file('key.pem', pem(publicKey))] })
    expect(await outcome(all, await signed({}, { key: privateKey, alg: 'RS256' }))).toBe('alice')
    const forged = await signed({ sub: 'root' }, { key: Buffer.from(pem(publicKey)) })
    expect(await outcome(all, forged)).toMatch(/^ACCESS_DENIED: /)
  })
})

/** `claims`: text, since 1e999 is a number of JSON that JavaScript reads as Infinity. */
function forged(claims: string): string {
  const [head, body] = ['{"alg":"HS256"}', `{"sub":"alice",${claims}}`].map((part) =>
    Buffer.from(part).toString('base64url'),
  )
  const signature = createHmac('sha256', SECRET).update(`${head}.${body}`).digest('base64url')
  return `${head}.${body}.${signature}`
}

test('a time that is no whole number of seconds within reason is refused, also with a right signature', async () => {
  const all = withSecret()
  const soon = NOW / 1000 + 600
  const numbers = [
    '1e999',
    '-1e999',
    '1e308',
    '253402300800',
    '-1',
    '0.5',
    `${soon}.5`,
    '1e-7',
    '"soon"',
    'null',
    '[]',
    '{}',
  ]
  for (const number of numbers) {
    for (const claims of [
      `"exp":${number}`,
      `"exp":${soon},"nbf":${number}`,
      `"exp":${soon},"iat":${number}`,
    ])
      expect(await outcome(all, forged(claims)), claims).toMatch(/^ACCESS_DENIED: /)
  }
  expect(await outcome(all, forged(`"exp":${TOKEN_SECONDS_MAX},"nbf":0,"iat":${NOW / 1000}`))).toBe('alice')
  const time = fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger(), fc.constantFrom(soon, NOW / 1000, 0))
  const times = fc.record({ exp: time, nbf: fc.option(time), iat: fc.option(time) })
  await fc.assert(
    fc.asyncProperty(times, async (claims) => {
      const text = Object.entries(claims).filter(([, value]) => value !== null)
      const token = forged(text.map(([name, value]) => `"${name}":${writtenNumber(value!)}`).join())
      const accepted = (await outcome(all, token)) === 'alice'
      const areTimes = text.every(
        ([, value]) => Number.isInteger(value) && value! >= 0 && value! <= TOKEN_SECONDS_MAX,
      )
      const isNow = claims.exp > NOW / 1000 - 60 && (claims.nbf ?? 0) <= NOW / 1000 + 60
      expect(accepted).toBe(areTimes && isNow)
    }),
  )
})

/** As JSON; numbers without an end as one that is too large for JavaScript. */
function writtenNumber(value: number): string {
  if (Number.isNaN(value)) return 'null'
  return Number.isFinite(value) ? JSON.stringify(value) : value > 0 ? '1e999' : '-1e999'
}

test('a key set has keys of both kinds, named or not', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keys = [
    { ...(await exportJWK(rsa.publicKey)), kid: 'one', alg: 'RS256' },
    { ...(await exportJWK(curve.publicKey)), kid: 'two', alg: 'ES256' },
  ]
  const all = tokens({ keySet: folder.file('keys.json', JSON.stringify({ keys })), userClaim: 'email' })
  const claims = { email: 'alice@x.test' }
  expect(await outcome(all, await signed(claims, { key: rsa.privateKey, alg: 'RS256', kid: 'one' }))).toBe(
    'alice@x.test',
  )
  expect(await outcome(all, await signed(claims, { key: curve.privateKey, alg: 'ES256', kid: 'two' }))).toBe(
    'alice@x.test',
  )
  expect(
    await outcome(all, await signed(claims, { key: curve.privateKey, alg: 'ES256', kid: 'one' })),
  ).toMatch(/^ACCESS/)
  expect(await outcome(all, await signed({}, { key: curve.privateKey, alg: 'ES256', kid: 'two' }))).toMatch(
    /^ACCESS/,
  )
})

test('keys that cannot be used are named', () => {
  const short = folder.file('short', 'too short\n')
  expect(() => tokens({ secrets: [short] })).toThrow(
    /short has 9 bytes, and a secret of HS256 has 32 or more/,
  )
  expect(() => tokens({ keys: [short] })).toThrow(/short holds no public key in PEM/)
  expect(() => tokens({ keySet: short })).toThrow(/short holds no JSON Web Key Set/)
  expect(() => tokens({ secrets: [`${short}2`] })).toThrow(/short2 cannot be read/)
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
  expect(() => tokens({ keys: [folder.file('p384', pem(publicKey))] })).toThrow(
    /no key of RSA or of the curve P-256/,
  )
})
