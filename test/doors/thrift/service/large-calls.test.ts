import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { DecodeThreads, LARGE_BODY_BYTES } from '../../../../src/gateway/requests/decoding/decode-threads.ts'
import { getRow, mutateRows } from '../../../harness/thrift-frames.ts'
import type { StubClient } from '../../../harness/thrift-stubs.ts'
import { DIALECTS, startThriftServer, type ThriftServer } from './thrift-server.ts'

const ROWS = 4000
const logger = pino({ level: 'silent' })
const VALUE = 'v'.repeat(80)
const rowOf = (number: number): string => `row${String(number).padStart(6, '0')}`
const rows = Array.from({ length: ROWS }, (_, number) => rowOf(number))

let memory: MemoryBudget
let decoding: DecodeThreads
let server: ThriftServer
const sockets: Socket[] = []

async function start(program?: string, memoryBytes?: number): Promise<void> {
  memory = new MemoryBudget(memoryBytes)
  decoding = new DecodeThreads({ logger, ...(program && { program }) })
  server = await startThriftServer({}, undefined, undefined, { memory, decoding })
  await server.thrift1()['createTable']!('t', [{ name: 'f' }])
}

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await server.close()
  await decoding.close()
})

/** The answer to these bytes over a raw connection, until so many of its bytes have come or it has ended. */
function exchange(bytes: Buffer, until: (answer: Buffer) => boolean): Promise<Buffer> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  return new Promise((resolve) => {
    let answer: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      answer = Buffer.concat([answer, chunk])
      if (until(answer)) resolve(answer)
    })
    socket.once('close', () => resolve(answer))
    socket.write(bytes)
  })
}

async function cellCounts(client: StubClient, gets: unknown): Promise<number[]> {
  const results = (await client['getMultiple']!('t', gets)) as { columnValues: unknown[] }[]
  return results.map(({ columnValues }) => columnValues.length)
}

describe('a large call', () => {
  beforeEach(() => start())

  const batches = rows.map((row) => ({ row, mutations: [{ column: 'f:q', value: VALUE }] }))
  const puts = rows.map((row) => ({ row, columnValues: [{ family: 'f', qualifier: 'q', value: VALUE }] }))

  test.each(DIALECTS)('of cells, $name', async (dialect) => {
    await server.thrift1(dialect)['mutateRows']!('t', batches, {})
    await server.thrift2(dialect)['putMultiple']!('t', puts)
    const found = (await server.thrift2(dialect)['get']!('t', { row: rowOf(ROWS - 1) })) as {
      columnValues: { value: Buffer }[]
    }
    expect(String(found.columnValues[0]!.value)).toBe(VALUE)
    expect(decoding.threadCount).toBe(1)
    await expect.poll(() => memory.granted).toBe(0)
  })

  test.each(DIALECTS)('of structs, $name', async (dialect) => {
    const client = server.thrift2(dialect)
    const attributes = { padding: 'p'.repeat(60) }
    await client['putMultiple']!(
      't',
      puts.map((put) => ({ ...put, attributes })),
    )
    const gets = rows.map((row) => ({ row, attributes }))
    expect(await cellCounts(client, gets)).toEqual(rows.map(() => 1))
    await client['deleteMultiple']!(
      't',
      rows.slice(1).map((row) => ({ row, attributes })),
    )
    expect(await cellCounts(client, gets)).toEqual(rows.map((_, number) => (number === 0 ? 1 : 0)))
    expect(decoding.threadCount).toBe(1)
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('runs before the calls that its connection sends after it', async () => {
    const frame = mutateRows('t', rows, 'f:q', VALUE)
    expect(frame.length).toBeGreaterThan(LARGE_BODY_BYTES)
    const answer = await exchange(
      Buffer.concat([frame, getRow('t', rowOf(ROWS - 1)), frame, getRow('t', rowOf(0))]),
      (bytes) => bytes.toString('latin1').split('getRow').length > 2 && bytes.length > 4 * VALUE.length,
    )
    expect(answer.toString('latin1').match(/mutateRows|getRow|v{80}/g)).toEqual([
      'mutateRows',
      'getRow',
      VALUE,
      'mutateRows',
      'getRow',
      VALUE,
    ])
  })

  test('that ends early ends its connection, as a small one does', async () => {
    const cut = Buffer.from(mutateRows('t', rows, 'f:q', VALUE).subarray(0, -9))
    cut.writeInt32BE(cut.length - 4)
    expect((await exchange(cut, () => true)).length).toBe(0)
    await expect.poll(() => memory.granted).toBe(0)
  })

  test('that lacks a required argument is answered so', async () => {
    const unnamed = puts.map(({ columnValues }) => ({ columnValues }))
    await expect(server.thrift2()['putMultiple']!('t', unnamed)).rejects.toThrow(
      /Required field 'row' was not present/,
    )
  })
})

describe('where the thread ends', () => {
  beforeEach(() => start('data:text/javascript,process.exit(1)'))

  test('a call may be sent again, and small ones are answered', async () => {
    const client = server.thrift1()
    const large = rows.map((row) => ({ row, mutations: [{ column: 'f:q', value: VALUE }] }))
    await expect(client['mutateRows']!('t', large, {})).rejects.toMatchObject({
      name: 'IOError',
      canRetry: true,
      message: expect.stringContaining('the thread that decoded the request has ended') as string,
    })
    await client['mutateRows']!('t', large.slice(0, 1), {})
    expect(memory.granted).toBe(0)
  })
})

function existsOf(count: number): Promise<unknown> {
  const gets = Array.from({ length: count }, (_, row) => ({ row: rowOf(row) }))
  return server.thrift2()['existsAll']!('t', gets)
}

test('a call of many small objects takes the memory of what is made of them', async () => {
  await start(undefined, 20_000_000)
  expect(await existsOf(20_000)).toHaveLength(20_000)
  await expect(existsOf(100_000)).rejects.toMatchObject({
    canRetry: true,
    message: expect.stringContaining('no memory for what the call has') as string,
  })
  await expect.poll(() => memory.granted).toBe(0)
})
