/** Commands that log in to servers of REST and of Thrift over HTTP by a ticket. */

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { HttpClient } from '../../../adapters/servers/requests/http-client.ts'
import {
  DEFAULT_SERVER_LIMITS,
  type ServerOptions,
} from '../../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../../adapters/servers/requests/server-time.ts'
import { openRestStore } from '../../../adapters/servers/rest/open-rest-store.ts'
import { openThriftStore } from '../../../adapters/servers/thrift/open-thrift-store.ts'
import { KerberosError } from '../../../src/kerberos/kerberos.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  type NegotiatingDoors,
  openNegotiatingDoors,
} from '../../gateway/identity/guard/negotiate/negotiating-doors.ts'
import { fakeLogin } from '../../harness/fake-kerberos.ts'
import { ticketToken } from '../../harness/fake-tickets.ts'

const TARGET = 'HTTP/localhost@EXAMPLE.ORG'
const TABLE = parseTableName('t')

let doors: NegotiatingDoors
let targets: string[]
beforeAll(async () => {
  doors = await openNegotiatingDoors()
})
afterAll(() => doors.close())
beforeEach(() => {
  targets = []
})

function optionsFor(port: number, principal = 'alice@EXAMPLE.ORG'): ServerOptions {
  const negotiate = async (target: string): Promise<Buffer> => {
    targets.push(target)
    return ticketToken(principal)
  }
  return {
    endpoint: { host: '127.0.0.1', port },
    ticket: { login: { ...fakeLogin(principal), negotiate }, target: TARGET, protections: [] },
    limits: { ...DEFAULT_SERVER_LIMITS, retriesMax: 0, requestTimeoutMs: 5000 },
    time: SERVER_TIME,
  }
}

const openers: Readonly<Record<'rest' | 'thrift', (options: ServerOptions) => Store>> = {
  rest: openRestStore,
  thrift: (options) => openThriftStore({ ...options, transport: 'http' }),
}

describe.each(['rest', 'thrift'] as const)('a server of %s', (door) => {
  test('gets a ticket, and its cookie where it gives one', async () => {
    const store = openers[door](optionsFor(doors.doors[door].port))
    try {
      for (let turn = 0; turn < 3; turn++)
        expect(await store.catalog.table(TABLE, OWN_CALL)).toMatchObject({ name: TABLE })
      expect(targets.every((target) => target === TARGET)).toBe(true)
      expect(targets.length >= 3).toBe(door === 'thrift')
      if (door === 'rest') expect(targets).toHaveLength(1)
    } finally {
      await store.close()
    }
  })

  test('refuses a principal without a user, once', async () => {
    const store = openers[door](optionsFor(doors.doors[door].port, 'mallory@OTHER.ORG'))
    try {
      await expect(store.catalog.table(TABLE, OWN_CALL)).rejects.toMatchObject({
        code: 'ACCESS_DENIED',
        message: expect.stringMatching(/auth_to_local/),
      })
      expect(targets).toEqual([TARGET])
    } finally {
      await store.close()
    }
  })
})

async function ask(client: HttpClient): Promise<number> {
  const request = { method: 'GET', path: '/', headers: {} } as const
  return (await client.ask(request, OWN_CALL, 5000)).status
}

async function withoutTicket(): Promise<Buffer> {
  throw new KerberosError('no KDC answers')
}

describe('the client of HTTP', () => {
  let server: Server
  let seen: IncomingHttpHeaders[]
  let answers: (headers: IncomingHttpHeaders) => [number, Readonly<Record<string, string | string[]>>]
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(request.headers)
      const [status, headers] = answers(request.headers)
      response.writeHead(status, headers).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => {
    server.close()
  })
  beforeEach(() => {
    seen = []
  })

  const clientOf = (options: Partial<ServerOptions> = {}): HttpClient =>
    new HttpClient({ ...optionsFor((server.address() as AddressInfo).port), ...options })

  test('sends no ticket to a server that asks for none', async () => {
    answers = () => [200, {}]
    const client = clientOf()
    expect(await ask(client)).toBe(200)
    answers = () => [401, { 'www-authenticate': 'Basic realm="Negotiate"' }]
    expect(await ask(client)).toBe(401)
    answers = () => [401, { 'www-authenticate': 'Negotiate oQcw' }]
    expect(await ask(client)).toBe(401)
    expect(targets).toEqual([])
    expect(seen).toHaveLength(3)
    client.close()
  })

  test('sends a ticket where one of several challenges asks for it, and a new one once its cookie has expired', async () => {
    let good = ''
    answers = ({ authorization, cookie }) => {
      if (cookie !== undefined && cookie === good) return [200, {}]
      if (authorization === undefined)
        return [
          401,
          { 'www-authenticate': ['Basic realm="a"', 'Negotiate'], 'set-cookie': 'hadoop.auth=; Path=/' },
        ]
      good = `hadoop.auth="${seen.length}&s=x"`
      return [200, { 'set-cookie': ['a=b', `${good}; Path=/; HttpOnly`] }]
    }
    const client = clientOf()
    for (let turn = 0; turn < 3; turn++) expect(await ask(client)).toBe(200)
    expect([targets.length, seen.length]).toEqual([1, 4])
    good = 'expired'
    for (let turn = 0; turn < 2; turn++) expect(await ask(client)).toBe(200)
    expect([targets.length, seen.length]).toEqual([2, 7])
    client.close()
  })

  test('a ticket that is refused is not sent again for the same request', async () => {
    answers = () => [401, { 'www-authenticate': 'Negotiate' }]
    const client = clientOf()
    expect(await ask(client)).toBe(401)
    expect(seen).toHaveLength(2)
    client.close()
  })

  test('says why there is no ticket', async () => {
    answers = () => [401, { 'www-authenticate': 'Negotiate' }]
    const ticket = {
      login: { ...fakeLogin('alice'), negotiate: withoutTicket },
      target: TARGET,
      protections: [],
    }
    const client = clientOf({ ticket })
    await expect(ask(client)).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
      message: `no ticket for ${TARGET}: no KDC answers`,
    })
    client.close()
  })
})
