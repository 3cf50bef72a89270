import { create, fromBinary, isFieldSet, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellsOf } from '../../../src/model/cell-block.ts'
import type { Durability } from '../../../src/model/mutation.ts'
import { get, type Query, scan } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import { GET, MULTI, MUTATE, SCAN } from '../../../src/wire/rpc/client-service.ts'
import {
  GetRequestSchema,
  GetResponseSchema,
  MultiRequestSchema,
  MultiResponseSchema,
  MutateRequestSchema,
  MutateResponseSchema,
  MutationProto_Durability,
  type Result,
  type ResultSchema,
  ScanRequestSchema,
  ScanResponseSchema,
  ScanSchema,
} from '../../../src/wire/rpc/gen/client_pb.ts'
import { BinaryComparatorSchema } from '../../../src/wire/rpc/gen/comparator_pb.ts'
import { FilterSchema } from '../../../src/wire/rpc/gen/filter_pb.ts'
import { MalformedMessage } from '../../../src/wire/rpc/message-reader.ts'
import { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { MutationType } from '../../../src/wire/rpc/mutation-messages.ts'
import { ReadType } from '../../../src/wire/rpc/query-messages.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { anyBytes, anyCell } from '../../model/arbitrary-cells.ts'

const writer = new MessageWriter()

function encoded<Request>(method: RpcMethod<Request, unknown>, request: Request): Buffer {
  method.encode(request, writer)
  return writer.take()
}

function decoded<Response>(method: RpcMethod<never, Response>, bytes: Uint8Array): Response {
  // Not at the beginning of its buffer: offsets must count.
  const buffer = Buffer.concat([Buffer.from('before'), bytes, Buffer.from('behind')])
  return method.decode(buffer, 6, 6 + bytes.length)
}

const LONG_MAX = 2n ** 63n - 1n
const anyStamp = fc.bigInt({ min: 0n, max: LONG_MAX })
const anyTimeRange = fc
  .tuple(anyStamp, anyStamp)
  .map(([a, b]) => (a < b ? TimeRange.between(a, b) : TimeRange.between(b, a)))
const anyColumns = fc.array(
  fc.record({
    family: anyBytes(1, 10),
    qualifiers: fc.option(fc.array(anyBytes(0, 150), { minLength: 1, maxLength: 4 }), { nil: undefined }),
  }),
  { maxLength: 3 },
)
const anyFilter = fc.option(
  fc
    .record({ name: fc.string(), serializedFilter: anyBytes(0, 200) })
    .map((filter) => Buffer.from(toBinary(FilterSchema, create(FilterSchema, filter)))),
  { nil: undefined },
)
const anyQuery: fc.Arbitrary<Partial<Query>> = fc.record({
  columns: anyColumns,
  timeRange: fc.oneof(anyTimeRange, fc.constant(TimeRange.ALL)),
  familyTimeRanges: fc.option(
    anyTimeRange.map((range) => new Map([['f\xff', range]])),
    { nil: undefined },
  ),
  maxVersions: fc.integer({ min: 1, max: 0x7fffffff }),
  familyLimit: fc.integer({ min: -1, max: 1000 }),
  familyOffset: fc.nat(1000),
  cacheBlocks: fc.boolean(),
})

function rangeOf(range: TimeRange): { from: bigint; to: bigint } {
  return { from: range.min, to: range.max }
}

/** What both messages must have of a query. */
function expectedQuery(query: Query): object {
  const familyRanges = [...(query.familyTimeRanges ?? [])]
  return {
    column: query.columns.map(({ family, qualifiers }) => ({ family, qualifier: qualifiers ?? [] })),
    ...(!query.timeRange.isAllTime && { timeRange: rangeOf(query.timeRange) }),
    cfTimeRange: familyRanges.map(([family, range]) => ({
      columnFamily: Buffer.from(family, 'latin1'),
      timeRange: rangeOf(range),
    })),
    maxVersions: query.maxVersions,
    cacheBlocks: query.cacheBlocks,
    storeLimit: Math.max(0, query.familyLimit),
    storeOffset: query.familyOffset,
  }
}

describe('requests are those of idl/rpc', () => {
  test('get', () => {
    fc.assert(
      fc.property(anyBytes(1, 300), anyBytes(1, 200), anyQuery, anyFilter, (row, region, query, filter) => {
        const request = { region, get: get(row, query), filter, existenceOnly: row.length === 1 }
        const message = fromBinary(GetRequestSchema, encoded(GET, request))
        expect(message).toMatchObject({
          region: { type: 1, value: region },
          get: { row, existenceOnly: request.existenceOnly, ...expectedQuery(request.get) },
        })
        expect(message.get?.filter).toEqual(filter && fromBinary(FilterSchema, filter))
      }),
    )
  })

  test('scan, when it opens', () => {
    const anyRows = fc.record({
      startRow: anyBytes(1, 100),
      includeStartRow: fc.boolean(),
      stopRow: anyBytes(1, 100),
      includeStopRow: fc.boolean(),
    })
    fc.assert(
      fc.property(
        anyQuery,
        anyRows,
        fc.boolean(),
        fc.boolean(),
        fc.nat(),
        (query, rows, reversed, raw, n) => {
          const request = {
            region: Buffer.from('t,,1'),
            scan: scan({ ...query, reversed, raw, batch: n === 0 ? -1 : n }),
            ...rows,
            maxResultSize: n,
            caching: 7,
            readType: ReadType.Pread,
            needCursor: raw,
            mvccReadPoint: reversed ? 2n ** 40n : undefined,
            rows: 9,
            close: raw,
            limitOfRows: n,
          }
          expect(fromBinary(ScanRequestSchema, encoded(SCAN, request))).toMatchObject({
            region: { type: 1, value: request.region },
            scan: {
              ...expectedQuery(request.scan),
              ...rows,
              attribute: raw ? [{ name: '_raw_', value: Buffer.from([0xff]) }] : [],
              reversed,
              batchSize: n,
              maxResultSize: BigInt(n),
              caching: 7,
              readType: 2,
              needCursorResult: raw,
              mvccReadPoint: reversed ? 2n ** 40n : 0n,
            },
            numberOfRows: 9,
            closeScanner: raw,
            clientHandlesPartials: true,
            clientHandlesHeartbeats: true,
            limitOfRows: n,
          })
        },
      ),
    )
  })

  test('scan of a whole table', () => {
    const request = {
      region: Buffer.from('t,,1'),
      scan: scan(),
      startRow: Buffer.alloc(0),
      includeStartRow: true,
      stopRow: Buffer.alloc(0),
      includeStopRow: false,
      maxResultSize: 1,
      caching: 1,
      rows: 1,
    }
    const opened = fromBinary(ScanRequestSchema, encoded(SCAN, request)).scan!
    expect(isFieldSet(opened, ScanSchema.field.startRow)).toBe(false)
    expect(isFieldSet(opened, ScanSchema.field.stopRow)).toBe(false)
    expect(isFieldSet(opened, ScanSchema.field.timeRange)).toBe(false)
  })

  test('scan, when it goes on', () => {
    const request = { scannerId: 2n ** 64n - 2n, nextCallSeq: 70_000, rows: 0, renew: true }
    const message = fromBinary(ScanRequestSchema, encoded(SCAN, request))
    expect(message).toMatchObject({
      scannerId: 2n ** 64n - 2n,
      nextCallSeq: 70_000n,
      numberOfRows: 0,
      renew: true,
    })
    expect(message.region).toBeUndefined()
    expect(message.scan).toBeUndefined()
  })

  test('mutate', () => {
    const durabilities: Durability[] = ['USE_DEFAULT', 'SKIP_WAL', 'ASYNC_WAL', 'SYNC_WAL', 'FSYNC_WAL']
    for (const durability of durabilities) {
      const mutation = {
        type: MutationType.Append,
        row: Buffer.from('r\xff', 'latin1'),
        cellCount: 3,
        durability,
        ttlMs: 5000,
        timeRange: TimeRange.between(3n, LONG_MAX - 1n),
        nonce: 2n ** 64n - 1n,
      }
      const condition = {
        family: Buffer.from('f'),
        qualifier: Buffer.from('q'),
        operator: 'GREATER_OR_EQUAL' as const,
        value: Buffer.from('v'),
        timeRange: TimeRange.between(1n, 2n),
      }
      const request = { region: Buffer.from('t,,1'), mutation, condition, nonceGroup: 5n }
      const message = fromBinary(MutateRequestSchema, encoded(MUTATE, request))
      expect(message).toMatchObject({
        region: { type: 1, value: request.region },
        mutation: {
          row: mutation.row,
          mutateType: 0,
          attribute: [{ name: '_ttl', value: Buffer.from('0000000000001388', 'hex') }],
          durability: MutationProto_Durability[durability],
          timeRange: { from: 3n, to: LONG_MAX - 1n },
          associatedCellCount: 3,
          nonce: 2n ** 64n - 1n,
        },
        condition: {
          row: mutation.row,
          family: condition.family,
          qualifier: condition.qualifier,
          compareType: 4,
          comparator: { name: 'org.apache.hadoop.hbase.filter.BinaryComparator' },
          timeRange: { from: 1n, to: 2n },
        },
        nonceGroup: 5n,
      })
      const comparator = fromBinary(
        BinaryComparatorSchema,
        message.condition!.comparator!.serializedComparator,
      )
      expect(comparator.comparable?.value).toEqual(condition.value)
    }
  })

  test('multi', () => {
    const row = Buffer.from('r')
    const put = { type: MutationType.Put, row, cellCount: 1, durability: 'USE_DEFAULT' as const }
    const request = {
      nonceGroup: 9n,
      regions: [
        { region: Buffer.from('t,,1'), gets: [{ index: 3, get: get(Buffer.alloc(200, 'x')) }] },
        {
          region: Buffer.from('t,m,2'),
          atomic: true,
          mutations: [
            { index: 0, ...put },
            { index: 1, ...put, type: MutationType.Delete, cellCount: 0 },
          ],
          condition: {
            family: Buffer.from('f'),
            qualifier: Buffer.alloc(0),
            operator: 'EQUAL' as const,
            value: undefined,
          },
        },
      ],
    }
    const message = fromBinary(MultiRequestSchema, encoded(MULTI, request))
    expect(message).toMatchObject({
      nonceGroup: 9n,
      regionAction: [
        {
          region: { type: 1, value: Buffer.from('t,,1') },
          atomic: false,
          action: [{ index: 3, get: { row: Buffer.alloc(200, 'x'), maxVersions: 1 } }],
        },
        {
          region: { type: 1, value: Buffer.from('t,m,2') },
          atomic: true,
          action: [
            { index: 0, mutation: { row, mutateType: 2, associatedCellCount: 1 } },
            { index: 1, mutation: { row, mutateType: 3, associatedCellCount: 0 } },
          ],
          condition: { row, compareType: 2 },
        },
      ],
    })
  })
})

function resultOf(result: MessageInitShape<typeof ResultSchema>): object {
  return {
    cellCount: (result as Result).associatedCellCount,
    exists: result.exists,
    partial: result.partial,
    inlineCells: undefined,
    inlineCount: 0,
  }
}

describe('responses are those of idl/rpc', () => {
  const anyResult = fc.record({
    associatedCellCount: fc.nat(),
    exists: fc.boolean(),
    partial: fc.boolean(),
    stale: fc.boolean(),
  })

  test('get and mutate', () => {
    fc.assert(
      fc.property(anyResult, fc.boolean(), (result, processed) => {
        const got = toBinary(GetResponseSchema, create(GetResponseSchema, { result }))
        expect(decoded(GET, got)).toEqual(resultOf(result))
        const mutated = toBinary(MutateResponseSchema, create(MutateResponseSchema, { result, processed }))
        expect(decoded(MUTATE, mutated)).toEqual({ result: resultOf(result), processed })
      }),
    )
    expect(decoded(GET, Buffer.alloc(0)).cellCount).toBe(0)
  })

  test('cells that a message holds itself become a block', () => {
    fc.assert(
      fc.property(fc.array(anyCell, { minLength: 1, maxLength: 5 }), (cells) => {
        const message = cells.map(({ type, timestamp, ...cell }) => ({
          ...cell,
          cellType: type as 4,
          timestamp: BigInt.asUintN(64, timestamp),
        }))
        const bytes = toBinary(GetResponseSchema, create(GetResponseSchema, { result: { cell: message } }))
        const result = decoded(GET, bytes)
        expect(cellsOf(result.inlineCells!)).toEqual(cells)
        expect(result.inlineCount).toBe(cells.length)
      }),
    )
  })

  test('scan', () => {
    const anyResponse = fc.record({
      cellsPerResult: fc.array(fc.nat(), { maxLength: 300 }),
      scannerId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      moreResults: fc.boolean(),
      ttl: fc.nat(),
      partialFlagPerResult: fc.array(fc.boolean()),
      moreResultsInRegion: fc.boolean(),
      heartbeatMessage: fc.boolean(),
      mvccReadPoint: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      cursor: fc.option(fc.record({ row: anyBytes(1, 20) }), { nil: undefined }),
      scanMetrics: fc.bigInt({ min: -9n, max: 9n }).map((value) => ({ metrics: [{ name: 'a', value }] })),
    })
    fc.assert(
      fc.property(anyResponse, ({ cursor, ...response }) => {
        const init = cursor === undefined ? response : { ...response, cursor }
        const bytes = toBinary(ScanResponseSchema, create(ScanResponseSchema, init))
        expect(decoded(SCAN, bytes)).toEqual({
          cellsPerResult: response.cellsPerResult,
          partialFlags: response.partialFlagPerResult.map(Number),
          scannerId: response.scannerId,
          moreResults: response.moreResults,
          moreResultsInRegion: response.moreResultsInRegion,
          ttl: response.ttl,
          heartbeat: response.heartbeatMessage,
          mvccReadPoint: response.mvccReadPoint,
          cursorRow: cursor?.row,
        })
      }),
    )
  })

  test('scan with its numbers packed, and with nothing', () => {
    // Field 1, packed: 1, 300, 2.
    expect(decoded(SCAN, Buffer.from('0a0401ac0202', 'hex')).cellsPerResult).toEqual([1, 300, 2])
    expect(decoded(SCAN, Buffer.alloc(0))).toMatchObject({
      scannerId: undefined,
      moreResults: true,
      moreResultsInRegion: false,
    })
    expect(() => decoded(SCAN, Buffer.from('0a0201ac', 'hex'))).toThrow(MalformedMessage)
  })

  test('multi', () => {
    const exception = { name: 'a.B', value: Buffer.from('a.B: no\n\tat c.D(E.java:1)\n') }
    const bytes = toBinary(
      MultiResponseSchema,
      create(MultiResponseSchema, {
        processed: true,
        regionActionResult: [
          {
            resultOrException: [
              { index: 1, result: { associatedCellCount: 2 } },
              { index: 0, exception },
            ],
          },
          { exception },
          { processed: false, resultOrException: [{ index: 5 }] },
        ],
      }),
    )
    const response = decoded(MULTI, bytes)
    expect(response.processed).toBe(true)
    const failed = new RemoteException({ javaClass: 'a.B', stackTrace: exception.value.toString() })
    expect(response.regions).toMatchObject([
      {
        actions: [
          { index: 1, result: { cellCount: 2 }, exception: undefined },
          { index: 0, result: undefined, exception: failed },
        ],
        exception: undefined,
        processed: undefined,
      },
      { actions: [], exception: failed },
      { actions: [{ index: 5, result: undefined }], processed: false },
    ])
    expect(response.regions[1]?.exception?.message).toBe('no')
  })

  test('that are no messages are malformed', () => {
    fc.assert(
      fc.property(anyBytes(0, 60), (bytes) => {
        for (const method of [GET, MUTATE, SCAN, MULTI]) {
          try {
            method.decode(bytes, 0, bytes.length)
          } catch (error) {
            expect(error).toBeInstanceOf(MalformedMessage)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})
