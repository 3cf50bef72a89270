/** Clients that take memory, connections or time. */

import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { collector } from '../../../src/model/collector.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { encodeConnectionStart } from '../../../src/wire/rpc/connection-preamble.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { writeRequest } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import { snappyCompressor } from '../../../src/wire/rpc/snappy-compressor.ts'
import { exchange, type RpcServer, startRpcServer, TABLE } from './rpc-server.ts'

let server: RpcServer

afterEach(() => server.close())

const START = encodeConnectionStart({ service: 'ClientService', user: 'me' })
const REGION = Buffer.from('t,,1.0123456789abcdef0123456789abcdef.')
const NOT_SERVING = 'org.apache.hadoop.hbase.NotServingRegionException'
const DO_NOT_RETRY = 'org.apache.hadoop.hbase.DoNotRetryIOException'
const TOO_BIG = 'org.apache.hadoop.hbase.CallQueueTooBigException'

interface Asked {
  readonly callId: number
  /** Qualifiers of the get. */
  readonly columns?: number
  readonly cells?: Buffer
  /** Length of its row, in bytes. */
  readonly row?: number
}

/** A Get of an unknown region. The tests expect refusals that come before this is found. */
function getFrame({ callId, columns = 0, cells, row = 1 }: Asked): Buffer {
  const encode = (_: undefined, writer: MessageWriter): void => {
    const region = writer.begin(Field.GetRequest.region)
    writer.bytes(Field.RegionSpecifier.value, REGION)
    writer.end(region)
    const message = writer.begin(Field.GetRequest.get)
    writer.bytes(Field.Get.row, Buffer.alloc(row, 'r'))
    const column = writer.begin(Field.Get.column)
    for (let i = 0; i < columns; i++) writer.bytes(Field.Column.qualifier, Buffer.alloc(0))
    writer.end(column)
    writer.end(message)
  }
  const writer = new MessageWriter()
  const method = { service: 'ClientService', name: 'Get', encode, decode: () => undefined }
  const blocks = cells === undefined ? [] : [new CellBlock(cells)]
  writeRequest(writer, { callId }, method, undefined, blocks)
  return writer.take()
}

type Answer = readonly [callId: number, javaClass: string | undefined]

/** The answers to frames behind the connection's start. */
async function answers(bytes: Buffer, count: number): Promise<Answer[]> {
  const found: Answer[] = []
  await exchange(server.door.port, bytes, (all) => {
    found.length = 0
    for (let at = 0; at + 4 <= all.length; ) {
      const end = at + 4 + all.readInt32BE(at)
      if (end > all.length) break
      const frame = new ResponseFrame()
      frame.read(all, at + 4, end)
      found.push([frame.callId, frame.exception?.javaClass])
      at = end
    }
    return found.length >= count
  })
  return found
}

test('a client that ends its side is ended, and keeps no descriptor', async () => {
  server = await startRpcServer()
  const before = server.door.counters.connections()
  await new Promise<void>((resolve) => {
    const socket = connect({ port: server.door.port, host: '127.0.0.1', allowHalfOpen: true })
    socket.once('data', () => socket.end())
    socket.once('end', resolve)
    socket.write(Buffer.concat([START, getFrame({ callId: 1 })]))
  })
  await exchange(server.door.port, Buffer.from('Regist'))
  expect(server.door.counters.connections()).toBeLessThanOrEqual(before + 1)
})

test('a client asks once how to log in', async () => {
  server = await startRpcServer()
  const answer = await exchange(server.door.port, Buffer.from('Securi'.repeat(10_000)))
  expect(answer.toString('latin1').split('security is not enabled')).toHaveLength(2)
  expect(server.logged).toEqual(['native RPC: closing a connection: the client asks again how to log in'])
})

test('the incident of many strange connections is one line', async () => {
  server = await startRpcServer()
  for (let i = 0; i < 20; i++) await exchange(server.door.port, Buffer.from('GET / HTTP/1.1\r\n\r\n'))
  expect(server.logged).toEqual([
    'native RPC: closing a connection: Expected HEADER=HBas but received HEADER="GET "',
  ])
})

test('strange clients of different kinds are counted apart', async () => {
  server = await startRpcServer()
  for (let i = 0; i < 3; i++) {
    await exchange(server.door.port, Buffer.of(0x16, 3, 1, 2, 0, 1))
    await exchange(server.door.port, Buffer.from('GET / HTTP/1.1\r\n\r\n'))
  }
  const logged = server.logged
  expect(logged).toHaveLength(2)
  expect(logged[0]).toContain('received TLS')
  expect(logged[1]).toContain('received HEADER="GET "')
})

test('a client of TLS is named as one', async () => {
  server = await startRpcServer()
  await exchange(server.door.port, Buffer.of(0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3))
  expect(server.logged).toEqual([
    'native RPC: closing a connection: Expected HEADER=HBas but received TLS, which this port does not speak',
  ])
})

test.each([
  ['that stops within its header', Buffer.concat([START.subarray(0, 6)])],
  ['that stops before its header is whole', START.subarray(0, 20)],
  ['that stops within a request', Buffer.concat([START, getFrame({ callId: 1 }).subarray(0, 10)])],
])('a client %s is late', async (_, bytes) => {
  server = await startRpcServer({ limits: { headersMs: 50, requestMs: 50 } })
  expect(await exchange(server.door.port, bytes)).toHaveLength(0)
})

test('a request that never has memory is refused for good by its id, dropped, and the connection goes on', async () => {
  server = await startRpcServer({ memoryBytesMax: 1_000_000 })
  const large = getFrame({ callId: 1, row: 2_000_000 })
  const found = await answers(Buffer.concat([START, large, getFrame({ callId: 2 })]), 2)
  expect(found).toEqual([
    [1, DO_NOT_RETRY],
    [2, NOT_SERVING],
  ])
  expect(server.memory.granted).toBe(0)
})

test('a request is refused before it has come whole, and what comes of it takes memory', async () => {
  server = await startRpcServer({ memoryBytesMax: 1_000_000 })
  const large = getFrame({ callId: 1, row: 2_000_000 })
  expect(await answers(Buffer.concat([START, large.subarray(0, 1_500_000)]), 1)).toEqual([[1, DO_NOT_RETRY]])
  const socket = connect(server.door.port, '127.0.0.1')
  const fits = getFrame({ callId: 1, row: 400_000 })
  socket.write(Buffer.concat([START, fits.subarray(0, 300_000)]))
  await vi.waitFor(() => expect(server.memory.granted).toBeGreaterThan(300_000))
  socket.destroy()
  await vi.waitFor(() => expect(server.memory.granted).toBe(0))
})

test('a request that waits for memory is answered once others give theirs back', async () => {
  server = await startRpcServer({ memoryBytesMax: 60_000_000 })
  server.memory.note(59_900_000)
  const large = getFrame({ callId: 1, row: 30_000, columns: 100_000 })
  const answered = answers(Buffer.concat([START, large, getFrame({ callId: 2 })]), 2)
  await vi.waitFor(() => expect(server.memory.isWaitedFor).toBe(true))
  server.memory.give(59_900_000)
  // The large one is read in several turns.
  expect((await answered).toSorted(([a], [b]) => a - b)).toEqual([
    [1, NOT_SERVING],
    [2, NOT_SERVING],
  ])
  expect(server.memory.refused).toBe(0)
})

test('a request that is made into more than there is memory for is refused', async () => {
  server = await startRpcServer({ memoryBytesMax: 6_000_000 })
  const large = getFrame({ callId: 1, row: 30_000, columns: 100_000 })
  const calls = Buffer.concat([START, large, getFrame({ callId: 2 })])
  let answered = await answers(calls, 2)
  // Memory that was given back may still be in use until V8 has collected it. Then the server refuses the call, and clients ask again.
  const collect = collector()
  while (answered.some(([, javaClass]) => javaClass === TOO_BIG)) {
    collect()
    answered = await answers(calls, 2)
  }
  expect(answered.toSorted(([a], [b]) => a - b)).toEqual([
    [1, DO_NOT_RETRY],
    [2, NOT_SERVING],
  ])
  expect(server.memory.granted).toBe(0)
})

test('a request beyond the bytes of a frame is answered by its call id, and the connection goes on', async () => {
  server = await startRpcServer({ limits: { requestBytesMax: 100_000 } })
  const large = getFrame({ callId: 1, row: 300_000 })
  const small = getFrame({ callId: 2 })
  expect(await answers(Buffer.concat([START, large, small]), 2)).toEqual([
    [1, 'org.apache.hadoop.hbase.exceptions.RequestTooBigException'],
    [2, NOT_SERVING],
  ])
})

test('an answer without memory for its encoded form is refused, for good where there never is as much', async () => {
  server = await startRpcServer({ memoryBytesMax: 100_000 })
  const batch = new MutationBatch()
  const column = [Buffer.from('f'), Buffer.from('q')] as const
  batch.put(Buffer.from('a'), ...column, Buffer.alloc(200_000), 1n).endMutation()
  await server.store.rows.mutate(TABLE, batch, OWN_CALL)
  const asked = server.remote.rows.get(TABLE, [get(Buffer.from('a'))], { bytes: 1_000_000 }, OWN_CALL)
  await expect(asked).rejects.toMatchObject({
    javaClass: DO_NOT_RETRY,
    message: expect.stringMatching(/^(?!.*attempts).*the answer takes .* of 100000 bytes for all requests/),
  })
})

test.each([
  ['GzipCodec', gzipSync(Buffer.alloc(10_000_000))],
  ['SnappyCodec', snappyCompressor('')!.compress(Buffer.alloc(10_000_000))],
])(
  'a cell block that becomes too large by %s is refused by the id of its call, and holds up no other call',
  async (codec, tooLarge) => {
    server = await startRpcServer({ limits: { requestBytesMax: 1_000_000 } })
    const compressorClass = `org.apache.hadoop.io.compress.${codec}`
    const start = encodeConnectionStart({ service: 'ClientService', user: 'me', compressorClass })
    const bomb = getFrame({ callId: 1, cells: tooLarge })
    const junk = getFrame({ callId: 2, cells: Buffer.from('no such codec') })
    const found = await answers(Buffer.concat([start, bomb, junk]), 2)
    expect(found).toEqual([
      [2, DO_NOT_RETRY],
      [1, DO_NOT_RETRY],
    ])
    expect(server.logged).toEqual([])
    expect(server.memory.granted).toBe(0)
  },
)

test('a request of too many elements is refused', async () => {
  server = await startRpcServer({ limits: { elementsMax: 1000 } })
  const found = await answers(Buffer.concat([START, getFrame({ callId: 1, columns: 40_000 })]), 1)
  expect(found).toEqual([[1, DO_NOT_RETRY]])
})

test('gets together, and a scan, answer what there is memory for, and the rest when they are asked again', async () => {
  server = await startRpcServer({ memoryBytesMax: 400_000 })
  const rows = Array.from({ length: 9 }, (_, i) => Buffer.from(`a${i}`))
  const column = [Buffer.from('f'), Buffer.from('q')] as const
  const batch = new MutationBatch()
  for (const row of rows) batch.put(row, ...column, Buffer.alloc(60_000), 1n).endMutation()
  await server.store.rows.mutate(TABLE, batch, OWN_CALL)
  const limitsAsked: number[] = []
  const { rows: facet, handouts } = server.store
  const [getRows, next] = [facet.get.bind(facet), handouts.next.bind(handouts)]
  vi.spyOn(facet, 'get').mockImplementation((target, gets, limits, call) => {
    limitsAsked.push(limits.bytes)
    return getRows(target, gets, limits, call)
  })
  vi.spyOn(handouts, 'next').mockImplementation((id, limits, call) => {
    limitsAsked.push(limits.bytes)
    return next(id, limits, call)
  })
  const gets = rows.map((row) => get(row))
  const { counts } = await server.remote.rows.get(TABLE, gets, { bytes: 1_000_000 }, OWN_CALL)
  const { id } = await server.remote.rows.openScanner(TABLE, scan({}), OWN_CALL)
  const page = await server.remote.handouts.next(
    id,
    { rows: 9, bytes: 1_000_000, allowPartial: false },
    OWN_CALL,
  )
  await server.remote.handouts.closeScanner(id)
  expect([...counts]).toEqual(rows.map(() => 1))
  expect(page.ended).toBeDefined()
  expect(limitsAsked.length).toBeGreaterThan(2)
  expect(Math.max(...limitsAsked)).toBeLessThanOrEqual(100_000)
})
