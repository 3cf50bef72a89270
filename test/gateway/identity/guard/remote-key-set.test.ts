import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, jwtVerify, SignJWT } from 'jose'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RemoteKeySet } from '../../../../src/gateway/identity/guard/tokens/remote-key-set.ts'

interface Pair {
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

const [SECOND, MINUTE] = [1000, 60_000]

let now: number
let lines: string[]
let fetches: number
/** The URL's answer; undefined: it is away. */
let text: string | undefined
let changes: number
let keys: RemoteKeySet

beforeEach(() => {
  now = 0
  lines = []
  fetches = 0
  changes = 0
})
afterEach(() => keys.close())

const write = (line: string): void => void lines.push((JSON.parse(line) as { readonly msg: string }).msg)

function open(): void {
  keys = new RemoteKeySet('https://id.test/keys?secret=x', {
    logger: pino({}, { write }),
    changed: () => changes++,
    now: () => now,
    fetchText: async () => {
      fetches++
      if (text === undefined) throw new Error('connect ECONNREFUSED')
      return text
    },
  })
}

const pair = (): Pair => generateKeyPairSync('ec', { namedCurve: 'P-256' })

async function setOf(named: Readonly<Record<string, Pair>>): Promise<string> {
  const each = Object.entries(named).map(async ([kid, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    kid,
  }))
  return JSON.stringify({ keys: await Promise.all(each) })
}

async function outcome({ privateKey }: Pair, kid: string): Promise<string> {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
  return jwtVerify(token, keys.getKey).then(
    () => 'right',
    ({ code }: { readonly code: string }) => code,
  )
}

test('a token of a new key has the set fetched at once, unless it was just fetched', async () => {
  const [one, two] = [pair(), pair()]
  text = await setOf({ one })
  open()
  expect(await outcome(one, 'one')).toBe('right')
  text = await setOf({ one, two })
  now += 4 * SECOND
  expect(await outcome(two, 'two')).toBe('ERR_JWKS_NO_MATCHING_KEY')
  now += 2 * SECOND
  expect(await outcome(two, 'two')).toBe('right')
  expect([fetches, changes]).toEqual([2, 2])
})

test('an outage has one line with the cause, and one at its end; the keys count for an hour', async () => {
  const [one, two] = [pair(), pair()]
  text = await setOf({ one })
  open()
  await outcome(one, 'one')
  text = undefined
  now += 11 * MINUTE
  expect(await outcome(one, 'one')).toBe('right')
  now += 10 * SECOND
  expect([await outcome(two, 'two'), await outcome(one, 'one')]).toEqual(['UNAVAILABLE', 'right'])
  now += 50 * MINUTE
  expect(await outcome(one, 'one')).toBe('UNAVAILABLE')
  const trouble = 'the keys of tokens cannot be fetched from https://id.test/keys: connect ECONNREFUSED'
  expect([lines, keys.trouble]).toEqual([[trouble], trouble])
  text = await setOf({ one })
  now += 10 * SECOND
  expect(await outcome(one, 'one')).toBe('right')
  expect(lines.slice(1)).toEqual(['the key set https://id.test/keys is there again'])
  expect(keys.trouble).toBeUndefined()
})

test('a set without any usable key is an outage, and an unusable key beside others is reported', async () => {
  const one = pair()
  const weak = await exportJWK(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)
  text = JSON.stringify({ keys: [weak] })
  open()
  expect(await outcome(one, 'one')).toBe('UNAVAILABLE')
  expect(lines[0]).toMatch(/its key 1 has 1024 bits/)
  text = JSON.stringify({ keys: [weak, ...(JSON.parse(await setOf({ one })) as { keys: object[] }).keys] })
  await keys.fetch()
  expect(await outcome(one, 'one')).toBe('right')
  expect(lines.at(-2)).toMatch(/its key 1 has 1024 bits, .*; it is not used$/)
})

test('a set of any size is no set, however it comes', async () => {
  const server = createServer((_, response) => {
    response.on('error', () => undefined)
    const send = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536)));
      if (!response.destroyed) response.once('drain', send)
    }
    send()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  try {
    keys = new RemoteKeySet(`http://127.0.0.1:${port}/`, {
      logger: pino({}, { write }),
      changed: () => changes++,
    })
    await keys.fetch()
    expect(keys.trouble).toMatch(/it has more than 1048576 bytes/)
    expect(changes).toBe(0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
