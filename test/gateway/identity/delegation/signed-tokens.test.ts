/** Delegation tokens: they count for as long as they should, at servers that share their keys, and no others do. */

import { createHmac } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DelegationToken } from '../../../../src/gateway/identity/delegation/delegation-tokens.ts'
import { InvalidToken } from '../../../../src/gateway/identity/delegation/invalid-token.ts'
import { KeyFolder } from '../../../../src/gateway/identity/delegation/key-folder.ts'
import { SignedTokens } from '../../../../src/gateway/identity/delegation/signed-tokens.ts'
import { Guard } from '../../../../src/gateway/identity/guard/guard.ts'
import { decodeTokenIdentity, encodeTokenIdentity } from '../../../../src/wire/rpc/token-identifier.ts'
import { PROTECTIONS } from '../../../../src/wire/sasl/sasl.ts'
import { DigestMd5Client } from '../../../harness/digest-md5-client.ts'
import { placeFrom } from '../../../harness/login-place.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CLUSTER = 'a-cluster'
const logger = pino({ enabled: false })

let folder: string
let clock: number
const open: SignedTokens[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  clock = 1_800_000_000_000
})

afterEach(() => {
  for (const each of open.splice(0)) each.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A server with the keys of the folder. */
function tokensOf(cluster = CLUSTER, path = join(folder, 'keys'), log = logger): SignedTokens {
  const settings = { folder: path, keyMs: DAY_MS, tokenMs: 7 * DAY_MS }
  const tokens = new SignedTokens(settings, { logger: log, now: () => clock })
  tokens.belongTo(async () => cluster)
  open.push(tokens)
  return tokens
}

/** Logs in as HBase's clients do. Resolves to the user. */
async function logIn(
  tokens: SignedTokens,
  { identifier, password }: Pick<DelegationToken, 'identifier' | 'password'>,
): Promise<string> {
  const client = new DigestMd5Client({
    username: identifier.toString('base64'),
    password: password.toString('base64'),
    protections: ['privacy'],
  })
  const server = tokens.digestServer(PROTECTIONS)
  const { token: challenge } = await server.step(Buffer.alloc(0))
  const { token: response } = await client.step(challenge!)
  const { token: proof } = await server.step(response!)
  expect(await client.step(proof!)).toMatchObject({ isDone: true })
  return tokens.userOf(server.authenticated)
}

function keyFiles(): readonly string[] {
  return readdirSync(join(folder, 'keys')).sort()
}

test('a token is that of HBase: what it states, its password and its service', async () => {
  const { identifier, password, service } = await tokensOf().issue('alice')
  expect(decodeTokenIdentity(identifier)).toEqual({
    user: 'alice',
    keyId: 1,
    issuedMs: clock,
    expiresMs: clock + 7 * DAY_MS,
    sequence: 0,
  })
  const file = JSON.parse(readFileSync(join(folder, 'keys', 'key-1'), 'utf8')) as { secret: string }
  const key = Buffer.from(file.secret, 'base64')
  expect(password).toEqual(createHmac('sha1', key).update(identifier).digest())
  expect(service).toBe(CLUSTER)
})

test('the bytes of an identifier are those that HBase writes', () => {
  // The bytes of AuthenticationTokenIdentifier("alice", 3, 1000, 2000) of 2.6.1.
  const bytes = Buffer.from('0000001308001205616c696365180320e80728d00f3000', 'hex')
  const identity = { user: 'alice', keyId: 3, issuedMs: 1000, expiresMs: 2000, sequence: 0 }
  expect(encodeTokenIdentity(identity)).toEqual(bytes)
  expect(decodeTokenIdentity(bytes)).toEqual(identity)
})

test('its user logs in, also at servers that share the keys, and after a restart', async () => {
  const first = tokensOf()
  const token = await first.issue('alice')
  expect(await logIn(first, token)).toBe('alice')
  expect(await logIn(tokensOf(), token)).toBe('alice')
})

test('a server that has read the keys takes a token of a newer key at once', async () => {
  const [first, second] = [tokensOf(), tokensOf()]
  await logIn(second, await second.issue('alice'))
  clock += DAY_MS
  const token = await first.issue('bob')
  expect(decodeTokenIdentity(token.identifier)!.keyId).toBe(2)
  expect(await logIn(second, token)).toBe('bob')
})

test('a key signs for a day, and counts until its last token has expired', async () => {
  const tokens = tokensOf()
  const first = await tokens.issue('alice')
  clock += DAY_MS - 1
  const last = await tokens.issue('alice')
  clock += 1
  const next = await tokens.issue('alice')
  expect([first, last, next].map(({ identifier }) => decodeTokenIdentity(identifier)!.keyId)).toEqual([
    1, 1, 2,
  ])
  clock += 7 * DAY_MS - 1
  await tokens.tidy()
  expect(await logIn(tokens, last)).toBe('alice')
  clock += 2
  await tokens.tidy()
  await expect(logIn(tokens, last)).rejects.toThrow('Token has expired')
  expect(keyFiles()).not.toContain('key-1')
})

test('old keys go though no client asks for a token', async () => {
  const tokens = tokensOf()
  await tokens.issue('alice')
  for (let day = 0; day < 30; day++) {
    clock += DAY_MS
    await tokens.tidy()
  }
  // The keys of the last seven days, the current one, and the one that ended seven days ago.
  expect(keyFiles().length).toBe(9)
})

test('a server without tokens makes no key', async () => {
  await tokensOf().tidy()
  expect(readdirSync(folder)).toEqual([])
})

test('servers that make a key at the same time make one, and take the tokens of each other', async () => {
  const servers = Array.from({ length: 8 }, () => tokensOf())
  const tokens = await Promise.all(servers.map((server, at) => server.issue(`user${at}`)))
  for (const [at, token] of tokens.entries())
    for (const server of servers) expect(await logIn(server, token)).toBe(`user${at}`)
})

test('no other account can read the keys', async () => {
  await tokensOf().issue('alice')
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)
  expect(statSync(join(folder, 'keys', 'key-1')).mode & 0o777).toBe(0o600)
})

test('a file that was damaged, or is half written, is no key, and the next one has another name', async () => {
  const token = await tokensOf().issue('alice')
  writeFileSync(join(folder, 'keys', 'key-1'), '{"format":1,"clus')
  writeFileSync(join(folder, 'keys', 'key-x'), 'no key')
  const tokens = tokensOf()
  await expect(logIn(tokens, token)).rejects.toThrow('Unknown master key for token (id=1)')
  expect(decodeTokenIdentity((await tokens.issue('alice')).identifier)!.keyId).toBe(2)
})

test('a file that cannot be read takes no other key with it, and is logged once', async () => {
  const token = await tokensOf().issue('alice')
  mkdirSync(join(folder, 'keys', 'key-7'))
  const logged: string[] = []
  const tokens = tokensOf(CLUSTER, undefined, pino({}, { write: (line) => logged.push(line) }))
  for (let time = 0; time < 3; time++) {
    clock += 5000
    expect(await logIn(tokens, token)).toBe('alice')
  }
  clock += DAY_MS
  const later = await tokens.issue('bob')
  expect(decodeTokenIdentity(later.identifier)!.keyId).toBe(8)
  expect(await logIn(tokens, later)).toBe('bob')
  expect(
    logged.filter((line) => line.includes('the key 7 of delegation tokens cannot be read')),
  ).toHaveLength(1)
})

test.each([
  ['a year ahead', 365 * DAY_MS],
  ['a day ahead', DAY_MS],
])('after a clock that was %s the key is replaced as usual, and no token is lost', async (_, aheadMs) => {
  const tokens = tokensOf()
  const before = await tokens.issue('alice')
  clock += aheadMs
  const ahead = await tokens.issue('bob')
  clock -= aheadMs
  const after = await tokens.issue('carol')
  expect([before, ahead, after].map(({ identifier }) => decodeTokenIdentity(identifier)!.keyId)).toEqual([
    1, 2, 3,
  ])
  expect(await logIn(tokens, before)).toBe('alice')
  expect(await logIn(tokens, after)).toBe('carol')
  await expect(logIn(tokens, ahead)).rejects.toThrow('issued in the future')
  clock += DAY_MS
  expect(decodeTokenIdentity((await tokens.issue('dave')).identifier)!.keyId).toBe(4)
  expect(await logIn(tokens, after)).toBe('carol')
})

test('a key whose file an operator removes counts no more', async () => {
  const tokens = tokensOf()
  const token = await tokens.issue('alice')
  expect(await logIn(tokens, token)).toBe('alice')
  rmSync(join(folder, 'keys', 'key-1'))
  clock += 5000
  await expect(logIn(tokens, token)).rejects.toThrow('Unknown master key')
})

describe('a token is refused', () => {
  test.each([
    ['that has expired', 7 * DAY_MS + 1, 'Token has expired'],
    ['that was issued an hour after now', -HOUR_MS, 'Token was issued in the future'],
  ])('%s', async (_, laterMs, reason) => {
    const tokens = tokensOf()
    const token = await tokens.issue('alice')
    clock += laterMs
    await expect(logIn(tokens, token)).rejects.toThrow(reason)
    await expect(logIn(tokens, token)).rejects.toBeInstanceOf(InvalidToken)
    await expect(logIn(tokens, token)).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.security.token.SecretManager$InvalidToken',
    })
  })

  test('of another cluster, even one that keeps its keys in the same folder', async () => {
    const token = await tokensOf('another').issue('alice')
    await expect(logIn(tokensOf(), token)).rejects.toThrow('Unknown master key for token (id=1)')
  })

  test('of a store with other keys of the same ids', async () => {
    const token = await tokensOf(CLUSTER, join(folder, 'others')).issue('alice')
    const tokens = tokensOf()
    await tokens.issue('alice')
    await expect(logIn(tokens, token)).rejects.toThrow('Mismatched response')
  })

  test('that was cut or made longer anywhere', async () => {
    const tokens = tokensOf()
    const { identifier, password } = await tokens.issue('alice')
    for (let length = 0; length < identifier.length; length++)
      await expect(logIn(tokens, { identifier: identifier.subarray(0, length), password })).rejects.toThrow()
    const longer = Buffer.concat([identifier, Buffer.of(0)])
    await expect(logIn(tokens, { identifier: longer, password })).rejects.toThrow("Can't de-serialize")
  })

  test('whose identifier or password was changed in any byte', async () => {
    const tokens = tokensOf()
    const token = await tokens.issue('alice')
    for (const part of ['identifier', 'password'] as const)
      for (let at = 0; at < token[part].length; at++) {
        const changed = Buffer.from(token[part])
        changed[at]! ^= 1
        await expect(logIn(tokens, { ...token, [part]: changed }), `${part} ${at}`).rejects.toThrow()
      }
  })

  test('whose user is no name', async () => {
    const tokens = tokensOf()
    await expect(tokens.issue('').then((token) => logIn(tokens, token))).rejects.toThrow(
      "Can't retrieve username",
    )
  })
})

test('the guard lets its user act for no other one, whatever rules there are', async () => {
  const delegation = tokensOf()
  const rule = { users: ['*'], groups: [], hosts: ['*'] }
  const guard = new Guard({ certificates: true, proxyRules: new Map([['knox', rule]]) }, logger, {
    delegation,
  })
  const place = placeFrom('127.0.0.1', 'rpc')
  const { identifier } = await delegation.issue('knox')
  const principal = guard.ofDelegationToken(identifier.toString('base64'), place)
  expect(principal).toEqual({ user: 'knox', method: 'TOKEN' })
  await expect(guard.actingFor(principal, 'alice', place)).rejects.toThrow('acts for no other user')
  expect(await guard.actingFor({ user: 'knox', method: 'KERBEROS' }, 'alice', place)).toMatchObject({
    user: 'alice',
    realUser: 'knox',
  })
})

test('a folder that cannot be written is a clear refusal', async () => {
  writeFileSync(join(folder, 'keys'), 'a file')
  await expect(tokensOf().issue('alice')).rejects.toMatchObject({
    code: 'IO',
    message: expect.stringMatching(/^the keys of delegation tokens cannot be read: ENOTDIR/) as string,
  })
})

test('on a full disk tokens of the last key go on, until there is room for the next one', async () => {
  const lines: string[] = []
  const tokens = tokensOf(
    CLUSTER,
    join(folder, 'keys'),
    pino({}, { write: (line: string) => void lines.push(line) }),
  )
  const first = await tokens.issue('alice')
  clock += 2 * DAY_MS
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const writing = vi.spyOn(KeyFolder.prototype, 'add').mockRejectedValue(full)
  try {
    expect(await logIn(tokens, await tokens.issue('bob'))).toBe('bob')
    expect(await logIn(tokens, first)).toBe('alice')
    await tokens.tidy()
    expect(lines.join('')).toMatch(/no key for delegation tokens can be made: ENOSPC/)
    await expect(tokensOf('new-cluster').issue('bob')).rejects.toMatchObject({ code: 'IO' })
  } finally {
    writing.mockRestore()
  }
  expect(await logIn(tokens, await tokens.issue('bob'))).toBe('bob')
  expect(keyFiles()).toEqual(['key-1', 'key-2'])
  expect(await logIn(tokens, first)).toBe('alice')
})
