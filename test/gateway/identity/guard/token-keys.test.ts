import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { exportJWK, type JWK, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TokenSettings } from '../../../../src/gateway/identity/guard/tokens/token-settings.ts'
import { Tokens } from '../../../../src/gateway/identity/guard/tokens/tokens.ts'
import { PemFolder } from '../../../harness/certificates.ts'

const [OLD, NEW] = ['an old secret of thirty-two bytes or more', 'a new secret of thirty-two bytes or more']
const SETTINGS = { secrets: [], keys: [], userClaim: 'sub', skewSeconds: 60 }

let folder: PemFolder
let opened: Tokens[]

beforeEach(() => {
  folder = new PemFolder()
  opened = []
})
afterEach(() => {
  for (const each of opened) each.close()
  folder.remove()
})

function tokens(settings: Partial<TokenSettings>): Tokens {
  const all = new Tokens(
    { ...SETTINGS, ...settings },
    { logger: pino({ level: 'silent' }), lookMs: 3_600_000 },
  )
  opened.push(all)
  return all
}

function signed(key: Uint8Array | KeyObject, alg: string, kid?: string): Promise<string> {
  return new SignJWT({ sub: 'alice' })
    .setProtectedHeader({ alg, ...(kid && { kid }) })
    .setExpirationTime('10m')
    .sign(key)
}

function curve(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

function pem(key: KeyObject): string {
  return key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
}

async function outcome(of: Tokens, token: string | Promise<string>): Promise<string> {
  return of.verify(await token).catch((error: Error & { code: string }) => `${error.code}: ${error.message}`)
}

async function jwk(key: KeyObject, more: Partial<JWK> = {}): Promise<JWK> {
  return { ...(await exportJWK(key)), ...more }
}

function keySet(...keys: JWK[]): string {
  return folder.file(`keys${opened.length}.json`, JSON.stringify({ keys }))
}

const ofSecret = (secret: string): Promise<string> => signed(Buffer.from(secret), 'HS256')

test('secrets are changed with an overlap, while the server runs', async () => {
  const [first, second] = [folder.file('first', OLD), folder.file('second', NEW)]
  const all = tokens({ secrets: [first, second] })
  const [old, young] = [await ofSecret(OLD), await ofSecret(NEW)]
  expect([await outcome(all, old), await outcome(all, young)]).toEqual(['alice', 'alice'])
  writeFileSync(first, NEW)
  all.look()
  expect(all.known(old)).toBeUndefined()
  expect(await outcome(all, old)).toBe('ACCESS_DENIED: the token is refused: signature verification failed')
  expect(await outcome(all, young)).toBe('alice')
})

test('where a file becomes a wrong one, the keys stay as they were, and the failure is reported', async () => {
  const file = folder.file('secret', OLD)
  const all = tokens({ secrets: [file] })
  writeFileSync(file, 'short')
  all.reload()
  expect(await outcome(all, ofSecret(OLD))).toBe('alice')
  expect(all.trouble).toMatch(/the keys of tokens stay as they were, .*secret has 5 bytes/)
  writeFileSync(file, NEW)
  all.reload()
  expect(all.trouble).toBeUndefined()
  expect(await outcome(all, ofSecret(NEW))).toBe('alice')
})

test('a line end of an editor of Windows is no part of a secret', async () => {
  const all = tokens({ secrets: [folder.file('secret', `${OLD}\r\n`)] })
  expect(await outcome(all, ofSecret(OLD))).toBe('alice')
})

test('a token of a wrong key hears of its signature, one of an algorithm without a key of that', async () => {
  const [ours, other] = [curve(), curve()]
  const all = tokens({
    secrets: [folder.file('secret', OLD)],
    keys: [folder.file('one.pem', pem(ours.publicKey)), folder.file('two.pem', pem(curve().publicKey))],
  })
  const wrong = 'ACCESS_DENIED: the token is refused: signature verification failed'
  expect(await outcome(all, ofSecret(NEW))).toBe(wrong)
  expect(await outcome(all, signed(other.privateKey, 'ES256'))).toBe(wrong)
  expect(await outcome(all, signed(ours.privateKey, 'ES256'))).toBe('alice')
  expect(await outcome(all, signed(Buffer.from(OLD.repeat(2)), 'HS512'))).toBe(
    'ACCESS_DENIED: the token is refused: its algorithm (alg) is not taken here: HS256, ES256',
  )
})

describe('key sets', () => {
  test('each fitting key is tried for a token that names none', async () => {
    const [one, two, three] = [curve(), curve(), curve()]
    const all = tokens({ keySet: keySet(await jwk(one.publicKey), await jwk(two.publicKey, { kid: 'two' })) })
    expect(await outcome(all, signed(one.privateKey, 'ES256'))).toBe('alice')
    expect(await outcome(all, signed(two.privateKey, 'ES256'))).toBe('alice')
    expect(await outcome(all, signed(three.privateKey, 'ES256'))).toMatch(/^ACCESS_DENIED: .*signature/)
  })

  test('those with which no token could be checked are refused at the start', async () => {
    const { publicKey, privateKey } = curve()
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    const secret = { kty: 'oct', k: Buffer.from(OLD).toString('base64url') }
    expect(() => tokens({ keySet: keySet() })).toThrow(/its list "keys" is empty/)
    expect(() => tokens({ keySet: keySet(secret) })).toThrow(/it has no key for RS256 or ES256/)
    const private_ = await jwk(privateKey, { kid: 'mine' })
    expect(() => tokens({ keySet: keySet(private_) })).toThrow(/its key mine is a private one/)
    const both = [await jwk(publicKey), await jwk(weak)] as const
    expect(() => tokens({ keySet: keySet(...both) })).toThrow(/its key 2 has 1024 bits, .* 2048 or more/)
    // Keys for other things than signatures belong to the sets of many issuers.
    tokens({ keySet: keySet(both[0], secret, { ...both[1], use: 'enc' }) })
  })

  test('a private key and a weak one are refused as --jwt-key', () => {
    const { privateKey } = curve()
    expect(() => tokens({ keys: [folder.file('private.pem', pem(privateKey))] })).toThrow(
      /holds a private key/,
    )
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    expect(() => tokens({ keys: [folder.file('weak.pem', pem(weak))] })).toThrow(/weak.pem has 1024 bits/)
  })
})
