/** A client that does not read a large answer keeps its memory. Where others wait for that, its connection ends, at each door. */

import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { MemoryBudget } from '../../src/gateway/limits/memory-budget.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { ClientService } from '../../src/wire/rpc/gen/client_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { type DoorsOverStore, openDoorsOver } from '../harness/doors-over-store.ts'
import { thriftPackage } from '../harness/thrift-package.ts'
import type { StubClient } from '../harness/thrift-stubs.ts'
import { PREAMBLE, startOf } from './rpc/one-call.ts'
import { THRIFT1 } from './thrift/service/thrift-server.ts'

const TABLE = parseTableName('t')
const BUDGET_BYTES = 100_000_000
/** More than the system keeps for a client that does not read. */
const LONG_BYTES = 20_000_000
const WAITED_MS = 5000

const memory = new MemoryBudget(BUDGET_BYTES)
const own = openMemoryStore({ clock: Date })
let doors: DoorsOverStore
let region: Buffer
let reader: Socket

beforeAll(async () => {
  const { catalog, rows } = own
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  const put = (row: string, qualifier: string, bytes: number): void => {
    batch.put(Buffer.from(row), Buffer.from('f'), Buffer.from(qualifier), Buffer.alloc(bytes, 'v'), 1n)
    batch.endMutation()
  }
  put('long', 'a', LONG_BYTES / 2)
  put('long', 'b', LONG_BYTES / 2)
  put('short', 'a', 1_000_000)
  expect(await rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
  region = (await catalog.regions(TABLE, OWN_CALL))[0]!.name
  doors = await openDoorsOver(own, { scarceAnswerMs: 200 }, memory)
})
afterAll(async () => {
  await doors.close()
  await own.close()
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  reader.destroy()
})

function paused(port: number, request: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(request)
  return socket
}

function byRpc(): Socket {
  const writer = new MessageWriter()
  const asked = { region: { type: 1 as const, value: region }, get: { row: Buffer.from('long') } }
  writeRequest(writer, { callId: 1 }, rpcMethod(ClientService.method.get), asked, [])
  const begin = startOf({ service: 'ClientService' })
  return paused(doors.ports.rpc, Buffer.concat([PREAMBLE, begin, writer.take()]))
}

function byThrift(): Socket {
  const connection = thriftPackage.createConnection('127.0.0.1', doors.ports.thrift, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
  })
  connection.on('error', () => undefined)
  const client = thriftPackage.createClient(THRIFT1, connection) as StubClient
  void client['getRow']!('t', 'long', {}).catch(() => undefined)
  const { connection: socket } = connection as unknown as { readonly connection: Socket }
  socket.pause()
  return socket
}

const READERS: readonly (readonly [string, () => Socket])[] = [
  ['REST', () => paused(doors.ports.rest, 'GET /t/long HTTP/1.1\r\nHost: x\r\nAccept: text/xml\r\n\r\n')],
  ['Thrift', byThrift],
  ['native RPC', byRpc],
]

async function shortRow(): Promise<number> {
  const headers = { accept: 'application/json' }
  const answer = await fetch(`http://127.0.0.1:${doors.ports.rest}/t/short`, { headers })
  await answer.arrayBuffer()
  return answer.status
}

/** Takes all memory but a little while a client does not read its answer; returns what it took. */
async function whileUnread(ask: () => Socket): Promise<number> {
  reader = ask()
  await expect.poll(() => memory.standing).toBeGreaterThan(LONG_BYTES / 2)
  await expect.poll(() => memory.granted - memory.standing).toBe(0)
  const others = BUDGET_BYTES - memory.granted - 100_000
  memory.note(others)
  return others
}

test.each(READERS)('%s: the connection ends, and the request that waits is answered', async (_, ask) => {
  const others = await whileUnread(ask)
  const answer = shortRow()
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  expect(memory.isScarce).toBe(false)
  await vi.advanceTimersByTimeAsync(WAITED_MS)
  expect(await answer).toBe(200)
  expect(memory.granted).toBe(others)
  memory.give(others)
})
