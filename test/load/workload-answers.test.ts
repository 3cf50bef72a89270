/** Workloads of load:compare get answers that are worth comparing, and read them right. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { readRestAnswer } from '../../load/answers/rest-answer.ts'
import { readGetAnswer, readMultiAnswer, readScanAnswer } from '../../load/answers/rpc-answer.ts'
import { readThriftAnswer } from '../../load/answers/thrift-answer.ts'
import { fillTable } from '../../load/bench-table.ts'
import { restReads, restWrites } from '../../load/compare/rest-workloads.ts'
import { rpcWorkloads } from '../../load/compare/rpc-workloads.ts'
import type { Target } from '../../load/compare/target.ts'
import { thriftReads, thriftScans, thriftWrites } from '../../load/compare/thrift-workloads.ts'
import type { Tables } from '../../load/compare/workload.ts'
import { unframed } from '../../load/gateway-requests.ts'
import { PREFACE } from '../../load/rpc-requests.ts'
import { ClientService } from '../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { MessageWriter } from '../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../src/wire/rpc/remote-exception.ts'
import { writeRequest } from '../../src/wire/rpc/request-frame.ts'
import { writeExceptionResponse } from '../../src/wire/rpc/response-frame.ts'
import { rpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import { type DoorsOverStore, openDoorsOver } from '../harness/doors-over-store.ts'
import { getRow } from '../harness/thrift-frames.ts'

const ROWS = 20_000
const ROUND_MS = 50

let doors: DoorsOverStore
let target: Target
let tables: Tables
const store = openMemoryStore({ clock: Date })

beforeAll(async () => {
  doors = await openDoorsOver(store)
  target = { name: 'engine', ports: doors.ports, doors: doors.ports, all: { thrift: [], rest: [], rpc: [] } }
  const once = await fillTable(doors.ports.thrift, 'once', ROWS)
  tables = { once, overwritten: once, regions: once, files: once }
}, 60_000)

afterAll(async () => {
  await doors.close()
  await store.close()
})

const EXPECTED: readonly (readonly [RegExp, number, number])[] = [
  [/Scan of 1000|scannerGetList|scan page/, 1000, 1000],
  [/Multi of 100 puts/, 100, 0],
  [/Multi of 100 gets/, 100, 100],
  [/[Mm]utateRow|PUT|Put|batch/, 0, 0],
  [/Get|getRow|GET/, 1, 1],
]

test('each workload counts the rows and cells of its answers', async () => {
  const known = { engine: target }
  const workloads = [
    ...thriftScans(known, tables.once, 'written once'),
    ...thriftReads(known, tables),
    ...restReads(tables),
    ...rpcWorkloads(tables),
    ...thriftWrites(known, tables),
    ...restWrites(tables),
  ]
  expect(workloads).toHaveLength(24)
  for (const workload of workloads) {
    const run = await workload.prepare(target)
    const { answers } = await run(ROUND_MS)
    const [, rows, cells] = EXPECTED.find(([name]) => name.test(workload.name))!
    expect(answers.each, workload.name).toEqual({ rows, cells })
    expect(answers.bytes).toBeGreaterThan(9 + cells * 100)
  }
}, 60_000)

const REGION = {
  type: RegionSpecifier_RegionSpecifierType.REGION_NAME,
  value: Buffer.from('no-such-region'),
}

test('an exception of native RPC is no answer, nor is that of an action within a call', async () => {
  const multi = rpcMethod(ClientService.method.multi)
  const writer = new MessageWriter()
  const regionAction = [{ region: REGION, action: [{ index: 0, get: { row: Buffer.from('a') } }] }]
  writeRequest(writer, { callId: 1 }, multi, { regionAction }, [])
  const request = Buffer.concat([PREFACE.bytes, Buffer.from(writer.take())])
  const answer = await askOnce(doors.ports.rpc, request, isWholeFrame)
  expect(() => readMultiAnswer(answer)).toThrow('a failure within a Multi: org.apache.hadoop')

  const failed = new MessageWriter()
  const exception = new RemoteException({
    javaClass: 'java.io.IOException',
    stackTrace: 'java.io.IOException: no',
  })
  writeExceptionResponse(failed, 1, exception)
  const frame = Buffer.from(failed.take())
  for (const read of [readGetAnswer, readScanAnswer, readMultiAnswer]) expect(() => read(frame)).toThrow('no')
})

async function gotRow(table: string): Promise<Buffer> {
  return unframed(await askOnce(doors.ports.thrift, getRow(table, 'row0000001'), isWholeFrame))
}

test('an exception of Thrift is no answer, nor is a message with more behind it', async () => {
  const [row, exception] = [await gotRow('once'), await gotRow('nosuch')]
  expect(readThriftAnswer(row)).toEqual({ rows: 1, cells: 1 })
  expect(() => readThriftAnswer(exception)).toThrow('an exception for an answer')
  expect(() => readThriftAnswer(Buffer.concat([row, Buffer.alloc(1)]))).toThrow('in a message of')
  expect(() => readThriftAnswer(row.subarray(0, -1))).toThrow()
})

test('an answer of REST is read from chunks too, and is none without a 200', () => {
  const body = JSON.stringify({ Row: [{ Cell: [1, 2] }, { Cell: [3] }] })
  const chunks = [body.slice(0, 7), body.slice(7), ''].map(
    (part) => `${part.length.toString(16)}\r\n${part}\r\n`,
  )
  const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}`
  expect(readRestAnswer(Buffer.from(chunked))).toEqual({ rows: 2, cells: 3 })
  expect(readRestAnswer(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))).toEqual({
    rows: 0,
    cells: 0,
  })
  expect(() => readRestAnswer(Buffer.from('HTTP/1.1 304 Not Modified\r\n\r\n'))).toThrow('not a 200')
})
