/** Commands that log in to a server of Thrift by a ticket, with a fake Kerberos. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_SERVER_LIMITS } from '../../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../../adapters/servers/requests/server-time.ts'
import { openThriftStore } from '../../../adapters/servers/thrift/open-thrift-store.ts'
import type { ThriftTransport } from '../../../adapters/servers/thrift/thrift-server.ts'
import { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { PROTECTIONS, type Protection } from '../../../src/wire/sasl/sasl.ts'
import { FakeClient, FakeService, fakeLogin, fakeLogins } from '../../harness/fake-kerberos.ts'
import { type GuardedDoors, openGuardedDoors, TABLE } from '../../security/guarded-doors.ts'

const TARGET = 'hbase/localhost@TEST'
const LARGE = Buffer.alloc(3_000_000, 'large')

let service: FakeService
let doors: GuardedDoors | undefined
let store: Store | undefined
let server: Server | undefined

beforeEach(() => {
  service = new FakeService()
})
afterEach(async () => {
  await store?.close()
  server?.close()
  await doors?.close()
  store = undefined
  doors = undefined
  server = undefined
})

async function start(protections: readonly Protection[]): Promise<number> {
  const kerberos = fakeLogins(service, protections)
  const guard = new Guard({ certificates: false }, pino({ level: 'silent' }), { kerberos })
  doors = await openGuardedDoors({ context: () => ({ guard }) })
  return doors.first.thrift.port
}

function storeAt(
  port: number,
  login: Pick<KerberosLogin, 'saslClient' | 'negotiate'>,
  protections = PROTECTIONS as readonly Protection[],
  transport: ThriftTransport = 'buffered',
): Store {
  const limits = { ...DEFAULT_SERVER_LIMITS, retriesMax: 0, requestTimeoutMs: 5000 }
  const ticket = { login, target: TARGET, protections }
  store = openThriftStore({
    endpoint: { host: '127.0.0.1', port },
    ticket,
    limits,
    time: SERVER_TIME,
    transport,
  })
  return store
}

const ROW = Buffer.from('row')
const FAMILY = Buffer.from('f')

async function writeRow(asked: Store, values: Readonly<Record<string, Buffer>>): Promise<void> {
  const batch = new MutationBatch()
  for (const [qualifier, value] of Object.entries(values))
    batch.put(ROW, FAMILY, Buffer.from(qualifier), value, undefined)
  batch.endMutation()
  expect(await asked.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

/** The row's values by their qualifiers. */
async function readRow(asked: Store): Promise<Map<string, Buffer>> {
  const results = await asked.rows.get(TABLE, [get(ROW)], { bytes: 1e8 }, OWN_CALL)
  return new Map(
    cellsOf(gathered(results).cells).map(({ qualifier, value }) => [qualifier.toString(), value]),
  )
}

describe.each(PROTECTIONS)('with %s', (protection) => {
  test.each(['buffered', 'framed'] as const)('rows go out and come back, %s', async (transport) => {
    const targets: string[] = []
    const asked = storeAt(await start([protection]), fakeLogin('alice@TEST', targets), PROTECTIONS, transport)
    await writeRow(asked, { small: Buffer.from('v'), large: LARGE })
    const row = await readRow(asked)
    expect([...row.keys()]).toEqual(['large', 'small'])
    expect(row.get('large')!.equals(LARGE)).toBe(true)
    expect(targets).toEqual([TARGET])
    expect(service.open).toBe(protection === 'authentication' ? 0 : 1)
    await asked.close()
    await expect.poll(() => service.open).toBe(0)
  })
})

test('a protection that the server does not take is an error that says so', async () => {
  const asked = storeAt(await start(['privacy']), fakeLogin('alice@TEST'), ['integrity'])
  await expect(readRow(asked)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: expect.stringContaining('the server takes privacy alone') as string,
  })
})

test('a principal that is no user there is an error that says so', async () => {
  const asked = storeAt(await start(['privacy']), fakeLogin('alice@ELSEWHERE'))
  await expect(readRow(asked)).rejects.toMatchObject({
    code: 'ACCESS_DENIED',
    message: expect.stringContaining('no rule names a user for the principal alice@ELSEWHERE') as string,
  })
})

test('a server without Kerberos refuses the mechanism', async () => {
  doors = await openGuardedDoors()
  const asked = storeAt(doors.first.thrift.port, fakeLogin('alice@TEST'))
  await expect(readRow(asked)).rejects.toThrow('Unsupported mechanism type GSSAPI: it is PLAIN')
})

async function answering(
  bytes: Buffer,
  also: (client: FakeClient) => Buffer = () => Buffer.alloc(0),
): Promise<FakeClient> {
  const client = new FakeClient({ principal: 'alice@TEST' })
  server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write(Buffer.concat([bytes, also(client)])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  storeAt((server.address() as AddressInfo).port, { ...fakeLogin('alice@TEST'), saslClient: () => client })
  return client
}

describe('a hostile server', () => {
  test.each([
    [
      'lets the client in before it has proved itself',
      Buffer.of(5, 0, 0, 0, 0),
      'the server ends the login too early',
    ],
    [
      'lets it in with an offer, and never with the last message',
      Buffer.concat([Buffer.of(2, 0, 0, 0, 0), Buffer.of(5, 0, 0, 0, 4), Buffer.from('none')]),
      'alone',
    ],
    [
      'goes on without an end',
      Buffer.concat([
        Buffer.of(2, 0, 0, 0, 0),
        Buffer.of(2, 0, 0, 0, 7),
        Buffer.from('privacy'),
        Buffer.of(2, 0, 0, 0, 0),
      ]),
      'goes on with a login that is done',
    ],
    ['has another status', Buffer.of(9, 0, 0, 0, 0), 'the status 9'],
    [
      'refuses',
      Buffer.concat([Buffer.of(3, 0, 0, 0, 2), Buffer.from('no')]),
      'the server refuses the login: no',
    ],
  ])('%s', async (_, bytes, reason) => {
    const client = await answering(bytes)
    await expect(readRow(store!)).rejects.toThrow(reason)
    expect(client.isClosed).toBe(true)
  })

  test('sends a frame that was changed', async () => {
    const client = await answering(
      Buffer.concat([
        Buffer.of(2, 0, 0, 0, 0),
        Buffer.of(2, 0, 0, 0, 7),
        Buffer.from('privacy'),
        Buffer.of(5, 0, 0, 0, 0),
      ]),
      () => Buffer.concat([Buffer.of(0, 0, 0, 20), Buffer.alloc(20)]),
    )
    await expect(readRow(store!)).rejects.toThrow('the checksum is wrong')
    expect(client.isClosed).toBe(true)
  })
})
