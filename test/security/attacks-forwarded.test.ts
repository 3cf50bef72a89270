/** Addresses that clients claim to come from, at each door of HTTP: those of trusted proxies count, all others change nothing. */

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { PemFolder } from '../harness/certificates.ts'
import { getRow } from '../harness/thrift-frames.ts'

const PASSWORD = 'the password of knox'
const DOORS = ['rest', 'thrift', 'web', 'timeline'] as const
type HttpDoor = (typeof DOORS)[number]
/** The failures of a name from one address that cost nothing. */
const FREE = 5

let folder: PemFolder
/** Trusts 127.0.0.1. */
let behind: Tidegate
/** Trusts another address. */
let alone: Tidegate

beforeAll(async () => {
  folder = new PemFolder()
  const users = `${folder.path}/users`
  await writeUser(users, 'knox', PASSWORD)
  const proxyUser = 'knox for ann from 192.0.2.9'
  const options = { users, proxyUser, web: 0, timeline: 0 } as const
  behind = await startTidegate({
    ...options,
    trustedProxies: '10.0.0.1, 127.0.0.0/8',
    auditLog: `${folder.path}/behind.log`,
    accessLog: `${folder.path}/access.log`,
  })
  alone = await startTidegate({
    ...options,
    trustedProxies: '127.0.0.2',
    auditLog: `${folder.path}/alone.log`,
  })
})

afterAll(async () => {
  await behind.stop()
  await alone.stop()
  folder.remove()
})

type Headers = Readonly<Record<string, string>>

function ask(server: Tidegate, door: HttpDoor, password: string, headers: Headers = {}): Promise<Response> {
  return askAs(server, door, 'knox', password, headers)
}

function askAs(
  server: Tidegate,
  door: HttpDoor,
  user: string,
  password: string,
  headers: Headers,
): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const path = { rest: '/version', thrift: '/', web: '/metrics', timeline: '/ws/v1/timeline/' }[door]
  const body = getRow('none', 'row').subarray(4)
  return fetch(`http://127.0.0.1:${server.ports[door]}${path}`, {
    headers: { authorization, ...headers },
    ...(door === 'thrift' && { method: 'POST', body }),
  })
}

interface Line {
  readonly door: string
  readonly address?: string
  readonly client?: string
  readonly user?: string
  readonly allowed?: boolean
}

function lines(file: string): Line[] {
  const text = readFileSync(`${folder.path}/${file}.log`, 'utf8').trim()
  return text.split('\n').map((line) => JSON.parse(line) as Line)
}

describe.each(DOORS)('the door %s', (door) => {
  test('a login is told with the address that the trusted proxy tells', async () => {
    const client = `192.0.2.${10 + DOORS.indexOf(door)}`
    expect((await ask(behind, door, 'wrong', { 'x-forwarded-for': `198.51.100.1, ${client}` })).status).toBe(
      401,
    )
    await expect
      .poll(() => lines('behind').filter(({ address }) => address === client))
      .toMatchObject([{ door, allowed: false }])
    expect((await ask(behind, door, PASSWORD, { 'x-forwarded-for': client })).status).toBe(200)
    await expect
      .poll(() =>
        lines('access')
          .filter((line) => line.client === client)
          .at(-1),
      )
      .toMatchObject({
        door,
      })
  })

  test('a malformed one is refused, and its body not read', async () => {
    const answer = await ask(behind, door, PASSWORD, { 'x-forwarded-for': 'unknown' })
    expect([answer.status, answer.headers.get('connection')]).toEqual([400, 'close'])
    expect(await answer.text()).toBe(
      'X-Forwarded-For of the proxy 127.0.0.1 has a client that is no address: unknown\n',
    )
    expect((await ask(behind, door, PASSWORD, { 'x-forwarded-proto': 'gopher' })).status).toBe(400)
  })

  test('nobody else is asked about it', async () => {
    const headers = { 'x-forwarded-for': '198.51.100.77', 'x-forwarded-proto': 'gopher' }
    expect((await ask(alone, door, PASSWORD, headers)).status).toBe(200)
    expect((await ask(alone, door, 'wrong', headers)).status).toBe(401)
    await expect
      .poll(() => lines('alone').some((line) => line.door === door && line.allowed === false))
      .toBe(true)
    const addresses = new Set(lines('alone').map(({ address }) => address))
    expect([...addresses]).toEqual(['127.0.0.1'])
  })
})

/** The answer to a new scanner. */
async function opened(server: Tidegate, headers: Headers): Promise<Response> {
  const authorization = `Basic ${Buffer.from(`knox:${PASSWORD}`).toString('base64')}`
  const base = `http://127.0.0.1:${server.ports.rest}/t`
  const all = { authorization, 'content-type': 'application/json', ...headers }
  await fetch(`${base}/schema`, { method: 'PUT', headers: all, body: '{"ColumnSchema":[{"name":"f"}]}' })
  return fetch(`${base}/scanner`, { method: 'PUT', headers: all, body: '{"batch":1}' })
}

async function told(server: Tidegate, headers: Headers): Promise<unknown> {
  const answer = await opened(server, headers)
  return [new URL(answer.headers.get('location')!).protocol, answer.headers.has('strict-transport-security')]
}

test('Location and its headers are of the scheme that the trusted proxy tells', async () => {
  expect(await told(behind, { 'x-forwarded-proto': 'https' })).toEqual(['https:', true])
  expect(await told(behind, {})).toEqual(['http:', false])
  expect(await told(alone, { 'x-forwarded-proto': 'https' })).toEqual(['http:', false])
})

test.each(['rest', 'thrift'] as const)('a rule of %s names the client that acts for others', async (door) => {
  const act = async (server: Tidegate, client: string): Promise<number> =>
    (await ask(server, door, PASSWORD, { 'x-forwarded-for': client, doAs: 'ann' })).status
  expect([await act(behind, '192.0.2.9'), await act(behind, '192.0.2.8')]).toEqual([200, 403])
  expect(await act(alone, '192.0.2.9')).toBe(403)
})

/** The answer to the last of some guesses by a client that claims another address each time. */
async function guess(server: Tidegate, forwarded: (turn: number) => string): Promise<number> {
  let status = 0
  for (let turn = 0; turn <= FREE; turn++) {
    const headers = { 'x-forwarded-for': forwarded(turn) }
    status = (await askAs(server, 'rest', 'ann', 'a wrong password', headers)).status
  }
  return status
}

describe('guesses of passwords', () => {
  test('count for the connection, whatever its client claims', async () => {
    expect(await guess(alone, (turn) => `203.0.113.${turn}`)).toBe(429)
  })

  test('behind a proxy count for their client alone, whatever it has put before', async () => {
    expect(await guess(behind, (turn) => `203.0.113.${turn}, 192.0.2.200`)).toBe(429)
    const other = await askAs(behind, 'rest', 'ann', 'wrong', { 'x-forwarded-for': '192.0.2.201' })
    expect(other.status).toBe(401)
  })
})
