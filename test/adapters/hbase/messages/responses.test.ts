import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'
import { GET } from '../../../../adapters/hbase/messages/get-method.ts'
import { MULTI } from '../../../../adapters/hbase/messages/multi-method.ts'
import { MUTATE } from '../../../../adapters/hbase/messages/mutate-method.ts'
import { SCAN } from '../../../../adapters/hbase/messages/scan-method.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { MIN_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import * as pb from '../../../../src/wire/rpc/gen/client_pb.ts'
import { MalformedMessage } from '../../../../src/wire/rpc/message-reader.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'

/** A server's answer as the client reads it, from between other bytes. */
function received<Response, Schema extends DescMessage>(
  method: RpcMethod<never, Response>,
  schema: Schema,
  message: MessageInitShape<Schema>,
): Response {
  const bytes = Buffer.from(toBinary(schema, create(schema, message)))
  const frame = Buffer.concat([Buffer.from([0xff, 0xff]), bytes, Buffer.from([0xff])])
  return method.decode(frame, 2, 2 + bytes.length)
}

test('a get', () => {
  expect(received(GET, pb.GetResponseSchema, {})).toEqual({ cellCount: 0, own: undefined })
  const result = { associatedCellCount: 300, exists: false, stale: true }
  expect(received(GET, pb.GetResponseSchema, { result })).toEqual({ cellCount: 300, own: undefined })
})

test('cells within a message', () => {
  const cell = {
    row: Buffer.from('r'),
    family: Buffer.from('f'),
    qualifier: Buffer.from([0xff]),
    timestamp: BigInt.asUintN(64, MIN_TIMESTAMP),
    cellType: 4 as const,
    value: Buffer.from('v'),
  }
  const { own, cellCount } = received(GET, pb.GetResponseSchema, {
    result: { cell: [cell, { ...cell, timestamp: 5n }] },
  })
  expect(cellCount).toBe(0)
  expect(own!.count).toBe(2)
  expect(cellsOf(own!.block())).toMatchObject([
    { row: cell.row, family: cell.family, qualifier: cell.qualifier, timestamp: MIN_TIMESTAMP, type: 4 },
    { timestamp: 5n, value: cell.value },
  ])
})

describe('a scan', () => {
  test('with its results, packed or not', () => {
    const message = {
      cellsPerResult: [3, 1, 200],
      partialFlagPerResult: [false, false, true],
      scannerId: (1n << 63n) + 5n,
      moreResults: true,
      moreResultsInRegion: true,
      mvccReadPoint: 77n,
      ttl: 60_000,
    }
    const response = received(SCAN, pb.ScanResponseSchema, message)
    expect(response).toEqual({
      scannerId: (1n << 63n) + 5n,
      moreResults: true,
      moreResultsInRegion: true,
      counts: [3, 1, 200],
      lastMayGoOn: true,
      mayGoOn: undefined,
      readPoint: 77n,
      cursorRow: Buffer.alloc(0),
      rows: undefined,
    })
    const packed = Buffer.from([0x0a, 0x04, 0x03, 0x01, 0xc8, 0x01])
    expect(SCAN.decode(packed, 0, packed.length).counts).toEqual([3, 1, 200])
  })

  test('with parts of rows before the last result', () => {
    const message = { cellsPerResult: [2, 2, 1], partialFlagPerResult: [true, true, false] }
    const response = received(SCAN, pb.ScanResponseSchema, message)
    expect(response).toMatchObject({ mayGoOn: [true, true, false], lastMayGoOn: false })
  })

  test('with the rows that it read and those that its filter passed over', () => {
    const metrics = [
      { name: 'ROWS_SCANNED', value: 9n },
      { name: 'ROWS_FILTERED', value: 300n },
    ]
    const response = received(SCAN, pb.ScanResponseSchema, { scanMetrics: { metrics } })
    expect(response).toMatchObject({ rows: { scanned: 9, filtered: 300 } })
  })

  test('at its end, and with a cursor', () => {
    const ended = received(SCAN, pb.ScanResponseSchema, { moreResults: false, moreResultsInRegion: false })
    expect(ended).toMatchObject({ moreResults: false, moreResultsInRegion: false, counts: [] })
    const late = { heartbeatMessage: true, cursor: { row: Buffer.from('m') } }
    expect(received(SCAN, pb.ScanResponseSchema, late)).toMatchObject({ cursorRow: Buffer.from('m') })
  })
})

test('a mutation', () => {
  expect(received(MUTATE, pb.MutateResponseSchema, { processed: false })).toMatchObject({ processed: false })
  const counter = received(MUTATE, pb.MutateResponseSchema, { result: { associatedCellCount: 1 } })
  expect(counter).toMatchObject({ processed: true, result: { cellCount: 1 } })
})

test('many at once: results, exceptions of single ones, of regions', () => {
  const notServing = 'org.apache.hadoop.hbase.NotServingRegionException'
  const exception = { name: notServing, value: Buffer.from(`${notServing}: gone\n\tat A.b(A.java:1)`) }
  const answer = received(MULTI, pb.MultiResponseSchema, {
    regionActionResult: [
      {
        resultOrException: [
          { index: 1, result: { associatedCellCount: 4 } },
          { index: 0, exception },
        ],
      },
      { exception },
      { processed: false },
    ],
    regionStatistics: { region: [], stat: [] },
  })
  const [first, second, third] = answer
  expect(first!.results).toMatchObject([
    { index: 1, result: { cellCount: 4 }, exception: undefined },
    { index: 0, exception: { javaClass: notServing, message: 'gone' } },
  ])
  expect(second).toMatchObject({ results: [], exception: { message: 'gone' } })
  expect(third).toMatchObject({ processed: false, exception: undefined })
})

test('bytes that are no message', () => {
  for (const method of [GET, SCAN, MULTI, MUTATE]) {
    // A message that is longer than what is there.
    const bytes = Buffer.from([0x0a, 0x7f, 0x01])
    expect(() => method.decode(bytes, 0, bytes.length)).toThrow(MalformedMessage)
  }
})
