/** Records of requests: lines of the access log, lines of failures, counts. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { AccessLog } from '../../../src/gateway/observing/logs/access-log.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets, withMethods } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import { encodeConnectionStart } from '../../../src/wire/rpc/connection-preamble.ts'
import { AdminService } from '../../../src/wire/rpc/gen/admin_pb.ts'
import { ClientService } from '../../../src/wire/rpc/gen/client_pb.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'
import { oneCall } from './one-call.ts'
import { exchange, type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

const ROW = Buffer.from('a secret')
const { get, mutate, multi, scan } = ClientService.method

/** The store's own error for a row. */
function failing(store: Store, error: Error): Store {
  const rows = withMethods(store.rows, { get: () => Promise.reject(error) })
  return withFacets(store, { rows })
}

async function askAll(server: RpcServer): Promise<void> {
  const [found] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const region = { type: 1, value: found!.name } as const
  const meta = { type: 1, value: Buffer.from('hbase:meta,,1') } as const
  const { port } = server.door
  const value = { family: Buffer.from('f'), qualifierValue: [{ qualifier: ROW, value: ROW }] }
  const mutation = { row: ROW, mutateType: 2 as const, columnValue: [value] }
  await oneCall(port, get, { region, get: { row: ROW } })
  await oneCall(port, mutate, { region, mutation })
  await oneCall(port, multi, { regionAction: [{ region, action: [{ get: { row: ROW } }] }] })
  await oneCall(port, scan, { region: meta, scan: { startRow: ROW }, closeScanner: true })
  await oneCall(port, AdminService.method.getOnlineRegion, {})
  const none = { type: 1, value: Buffer.from(`none,,1.${'0'.repeat(32)}.`) } as const
  await expect(oneCall(port, get, { region: none, get: { row: ROW } })).rejects.toBeDefined()
}

async function lines(
  showsRows: boolean,
  ask: (server: RpcServer) => Promise<void> = askAll,
): Promise<Readonly<Record<string, string | number>>[]> {
  let text = ''
  await inTemporaryFolder(async (folder) => {
    const destination = join(folder, 'access.log')
    const access = await AccessLog.open({ destination, showsRows }, pino({ level: 'silent' }))
    const server = await startRpcServer({ logs: { access } })
    await ask(server)
    await server.close()
    await access.close()
    text = readFileSync(destination, 'utf8')
  })
  const all = text.trim().split('\n')
  return all.map((line) => JSON.parse(line) as Readonly<Record<string, string | number>>)
}

test('each call has a line in the access log, without its row', async () => {
  const all = await lines(false)
  const logged = all.map(({ door, principal, method, call, table, exception }) =>
    [door, principal, method, call, table, exception].filter((part) => part !== undefined).join(' '),
  )
  expect(logged).toEqual([
    'rpc tester ClientService Get t',
    'rpc tester ClientService Mutate t',
    'rpc tester ClientService Multi t',
    'rpc tester ClientService Scan hbase:meta',
    'rpc tester AdminService GetOnlineRegion',
    'rpc tester ClientService Get none NOT_SERVING_REGION',
  ])
  for (const { bytesIn, bytesOut } of all) {
    expect(bytesIn).toBeGreaterThan(9)
    expect(bytesOut).toBeGreaterThan(9)
  }
  expect(JSON.stringify(all)).not.toContain('secret')
})

test('a line shows the row where the log is to show rows', async () => {
  const asked = (await lines(true)).map((line) => line['asked'])
  expect(asked).toEqual(['a secret', 'a secret', undefined, 'a secret', undefined, 'a secret'])
})

function shown(length: number): string {
  return `${'b'.repeat(88)}...${'b'.repeat(40)} (${length} bytes)`
}

test('a line shows the begin and the end of a long row', async () => {
  const asked = await lines(true, async ({ door, store }) => {
    const [found] = await store.catalog.regions(TABLE, OWN_CALL)
    const region = { type: 1, value: found!.name } as const
    for (const length of [128, 129, 32_000])
      await oneCall(door.port, get, { region, get: { row: Buffer.alloc(length, 'b') } })
  })
  expect(asked.map((line) => line['asked'])).toEqual(['b'.repeat(128), shown(129), shown(32_000)])
})

test('a failure of the store is logged once, then its count; a bug is logged with its stack', async () => {
  for (const [error, expected] of [
    [
      new HBaseError('CORRUPTION', 'block 7 is damaged'),
      /native RPC: requests fail with CORRUPTION: block 7/,
    ],
    [new Error('not thought of'), /native RPC: a bug in Tidegate: not thought of/],
  ] as const) {
    const lines: string[] = []
    const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
    const server = await startRpcServer({
      own: failing(openMemoryStore({ clock: Date }), error),
      logs: { logger },
    })
    const [found] = await server.store.catalog.regions(TABLE, OWN_CALL)
    const request = { region: { type: 1, value: found!.name }, get: { row: ROW } } as const
    for (let i = 0; i < 3; i++) {
      await expect(oneCall(server.door.port, get, request)).rejects.toBeDefined()
    }
    await server.close()
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(expected)
    expect(lines[1]).toContain('2 more times')
  }
})

test('a region that is not here any more is an answer, by which clients learn of splits, and no line', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const server = await startRpcServer({ logs: { logger } })
  const region = { type: 1, value: Buffer.from(`t,,1.${'0'.repeat(32)}.`) } as const
  await expect(oneCall(server.door.port, get, { region, get: { row: ROW } })).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
  })
  await server.close()
  expect(lines).toEqual([])
})

/** A request's frame. */
function request(method: string, parameter: Buffer): Buffer {
  const header = Buffer.from([8, 7, 26, method.length, ...Buffer.from(method), 32, 1])
  const length = Buffer.from([0, 0, 0, header.length + 2 + parameter.length])
  const body = Buffer.concat([Buffer.from([parameter.length]), parameter])
  return Buffer.concat([length, Buffer.from([header.length]), header, body])
}

function isWhole(answer: Buffer): boolean {
  return answer.length > 4 && answer.length >= 4 + answer.readInt32BE(0)
}

/** The exception that answers the call. */
async function rawCall(port: number, service: string, method: string, message: Buffer): Promise<unknown> {
  const start = encodeConnectionStart({ service, user: 'tester' })
  const answer = await exchange(port, Buffer.concat([start, request(method, message)]), isWhole)
  const frame = new ResponseFrame()
  frame.read(answer, 4, answer.length)
  return frame.exception
}

test('names that clients make up, and messages that cannot be read, are counted together', async () => {
  const server = await startRpcServer()
  const start = Buffer.concat([Buffer.from('HBas\0\x50', 'latin1'), Buffer.from([0, 0, 0, 15, 0x12, 13])])
  const head = Buffer.concat([start, Buffer.from('ClientService')])
  const all = [
    request('Made', Buffer.alloc(0)),
    request('Up', Buffer.alloc(0)),
    request('Get', Buffer.from([10, 99])),
  ]
  await exchange(
    server.door.port,
    Buffer.concat([head, ...all]),
    (answer) => answer.includes('Multi') || answer.length > 300,
  )
  const samples = [...server.door.counters.requestSamples('rpc')].filter(({ value }) => value > 0)
  expect(samples.map(({ labels, value }) => [labels!['method'], labels!['outcome'], value])).toEqual([
    ['unknown', 'refused', 2],
    ['Get', 'refused', 1],
  ])
  await server.close()
})

test('a message without a required field, or cut short, is the fault of the client and no bug', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const server = await startRpcServer({ logs: { logger } })
  const { port } = server.door
  const refused = { javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException' }
  for (const message of [Buffer.alloc(0), Buffer.from([10, 99]), Buffer.from([12])]) {
    await expect(rawCall(port, 'AdminService', 'FlushRegion', message)).resolves.toMatchObject(refused)
  }
  await server.close()
  expect(lines).toEqual([])
})
