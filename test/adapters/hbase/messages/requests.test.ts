import { type DescMessage, fromBinary, isFieldSet, type MessageShape } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GET } from '../../../../adapters/hbase/messages/get-method.ts'
import { MULTI } from '../../../../adapters/hbase/messages/multi-method.ts'
import { MUTATE } from '../../../../adapters/hbase/messages/mutate-method.ts'
import { SCAN, type ScanRequest } from '../../../../adapters/hbase/messages/scan-method.ts'
import { type Mutation, MutationType } from '../../../../adapters/hbase/messages/write-mutation.ts'
import { type Condition, valueCondition } from '../../../../src/model/mutation.ts'
import { ColumnsBuilder, get, type Query, scan } from '../../../../src/model/query.ts'
import { TimeRange } from '../../../../src/model/time-range.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import * as pb from '../../../../src/wire/rpc/gen/client_pb.ts'
import { BinaryComparatorSchema } from '../../../../src/wire/rpc/gen/comparator_pb.ts'
import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import type { RpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'

const REGION = Buffer.from('t,,1.0123456789abcdef0123456789abcdef.')

/** A request as a server reads it. */
function sent<Request, Schema extends DescMessage>(
  method: RpcMethod<Request, unknown>,
  request: Request,
  schema: Schema,
): MessageShape<Schema> {
  const writer = new MessageWriter()
  method.encode(request, writer)
  return fromBinary(schema, writer.take())
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

const someBytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
const someRow = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((array) => Buffer.from(array))
const someTime = fc.bigInt({ min: 0n, max: LATEST_TIMESTAMP })
const someRange = fc
  .tuple(someTime, someTime)
  .map(([a, b]) => (a < b ? TimeRange.between(a, b) : TimeRange.between(b, a)))
const someColumns = fc
  .array(fc.tuple(someRow, fc.option(someBytes, { nil: undefined })), { maxLength: 5 })
  .map((columns) => {
    const builder = new ColumnsBuilder()
    for (const [family, qualifier] of columns) {
      if (qualifier === undefined) builder.addFamily(family)
      else builder.addColumn(family, qualifier)
    }
    return builder.build()
  })
const someQuery: fc.Arbitrary<Partial<Query>> = fc.record({
  columns: someColumns,
  timeRange: fc.oneof(fc.constant(TimeRange.ALL), someRange),
  familyTimeRanges: fc.dictionary(fc.constantFrom('f', 'g', '\xff'), someRange).map((entries) => {
    return new Map(Object.entries(entries))
  }),
  maxVersions: fc.integer({ min: 1, max: 0x7fffffff }),
  familyLimit: fc.integer({ min: -1, max: 0x7fffffff }),
  familyOffset: fc.integer({ min: 0, max: 0x7fffffff }),
  cacheBlocks: fc.boolean(),
})

function expectSelection(message: pb.Get | pb.Scan, query: Query): void {
  expect(message.column.map(({ family, qualifier }) => [hex(family), qualifier.map(hex)])).toEqual(
    query.columns.map(({ family, qualifiers }) => [hex(family), (qualifiers ?? []).map(hex)]),
  )
  const { timeRange } = message
  if (query.timeRange.isAllTime) expect(timeRange).toBeUndefined()
  else expect([timeRange?.from, timeRange?.to]).toEqual([query.timeRange.min, query.timeRange.max])
  expect(
    message.cfTimeRange.map((range) => [hex(range.columnFamily), range.timeRange?.from, range.timeRange?.to]),
  ).toEqual(
    [...(query.familyTimeRanges ?? [])].map(([family, { min, max }]) => [
      hex(Buffer.from(family, 'latin1')),
      min,
      max,
    ]),
  )
  expect(message.maxVersions).toBe(query.maxVersions)
  expect(message.cacheBlocks).toBe(query.cacheBlocks)
  expect(message.storeOffset).toBe(query.familyOffset)
}

describe('a get', () => {
  test('is what it asks for', () => {
    fc.assert(
      fc.property(someRow, someQuery, (row, options) => {
        const query = get(row, options)
        const request = sent(GET, { regionName: REGION, get: query }, pb.GetRequestSchema)
        expect(request.region).toMatchObject({ type: 1, value: REGION })
        expect(hex(request.get!.row)).toBe(hex(row))
        expectSelection(request.get!, query)
        if (query.familyLimit >= 0) expect(request.get!.storeLimit).toBe(query.familyLimit)
      }),
    )
  })

  test('is raw by an attribute, as a scan is', () => {
    const attributes = [false, true].map((raw) => {
      const request = sent(
        GET,
        { regionName: REGION, get: get(Buffer.from('r'), { raw }) },
        pb.GetRequestSchema,
      )
      return request.get!.attribute.map(({ name, value }) => [name, hex(value)])
    })
    expect(attributes).toEqual([[], [['_raw_', 'ff']]])
  })

  test('carries its filter', () => {
    const query = get(Buffer.from('r'), { filter: { kind: 'FirstKeyOnlyFilter' } })
    const request = sent(GET, { regionName: REGION, get: query }, pb.GetRequestSchema)
    expect(request.get!.filter!.name).toBe('org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter')
  })
})

describe('a scan', () => {
  test('is opened as it is asked for, from where it is taken up', () => {
    const options = fc.record({
      stopRow: someBytes,
      includeStopRow: fc.boolean(),
      reversed: fc.boolean(),
      raw: fc.boolean(),
      familiesOnDemand: fc.boolean(),
      batch: fc.constantFrom(-1, 1, 100),
      readType: fc.constantFrom(undefined, 'stream', 'pread'),
    })
    fc.assert(
      fc.property(someQuery, options, someBytes, fc.boolean(), (query, more, startRow, includeStartRow) => {
        const wanted = scan({ ...query, ...more })
        const part = { startRow, includeStartRow, readPoint: 7n, resultBytesMax: 2_097_152 }
        const opening: ScanRequest = {
          kind: 'open',
          regionName: REGION,
          scan: wanted,
          part,
          rows: 128,
          limit: 5,
        }
        const request = sent(SCAN, opening, pb.ScanRequestSchema)
        expect(request).toMatchObject({
          numberOfRows: 128,
          limitOfRows: 5,
          closeScanner: false,
          clientHandlesPartials: true,
          clientHandlesHeartbeats: true,
        })
        const message = request.scan!
        expectSelection(message, wanted)
        expect([hex(message.startRow), hex(message.stopRow)]).toEqual([hex(startRow), hex(more.stopRow)])
        expect(message).toMatchObject({
          includeStartRow,
          includeStopRow: more.includeStopRow,
          reversed: more.reversed,
          maxResultSize: 2_097_152n,
          mvccReadPoint: 7n,
          needCursorResult: true,
          readType:
            more.readType === undefined
              ? 0
              : pb.Scan_ReadType[more.readType === 'pread' ? 'PREAD' : 'STREAM'],
          batchSize: more.batch > 0 ? more.batch : 0,
        })
        expect(message.loadColumnFamiliesOnDemand).toBe(false)
        expect(isFieldSet(message, pb.ScanSchema.field.loadColumnFamiliesOnDemand)).toBe(
          !more.familiesOnDemand,
        )
        const attributes = message.attribute.map(({ name, value }) => [name, hex(value)])
        expect(attributes).toEqual(more.raw ? [['_raw_', 'ff']] : [])
      }),
    )
  })

  test('states that a stop row is left out: to the server its absence means another thing', () => {
    const writer = new MessageWriter()
    const part = { startRow: Buffer.from('r'), includeStartRow: true, readPoint: 0n, resultBytesMax: 1 }
    const wanted = scan({ stopRow: Buffer.from('r') })
    SCAN.encode({ kind: 'open', regionName: REGION, scan: wanted, part, rows: 1, limit: 0 }, writer)
    // Field 22, false.
    expect(writer.take().includes(Buffer.from([0xb0, 0x01, 0x00]))).toBe(true)
  })

  test('goes on and ends by its id', () => {
    const scannerId = -2n
    const next = sent(SCAN, { kind: 'next', scannerId, sequence: 3, rows: 9, limit: 0 }, pb.ScanRequestSchema)
    expect(next).toMatchObject({ nextCallSeq: 3n, numberOfRows: 9, clientHandlesPartials: true })
    expect(BigInt.asIntN(64, next.scannerId)).toBe(scannerId)
    expect(next.region).toBeUndefined()
    expect(next.trackScanMetrics).toBe(false)
    const counting = {
      kind: 'next',
      scannerId,
      sequence: 3,
      rows: 9,
      limit: 0,
      countsRows: true,
    } as const
    expect(sent(SCAN, counting, pb.ScanRequestSchema).trackScanMetrics).toBe(true)
    const close = sent(SCAN, { kind: 'close', scannerId: 5n }, pb.ScanRequestSchema)
    expect(close).toMatchObject({ scannerId: 5n, closeScanner: true, numberOfRows: 0 })
  })
})

const PUT: Mutation = {
  type: MutationType.Put,
  row: Buffer.from('r'),
  cellCount: 2,
  durability: 'USE_DEFAULT',
  nonce: 0n,
}

describe('a mutation', () => {
  test.each([
    ['a put', PUT, { mutateType: 2, associatedCellCount: 2, durability: 0 }],
    ['one that is not logged', { ...PUT, durability: 'SKIP_WAL' as const }, { durability: 1 }],
    ['one that is on disk', { ...PUT, durability: 'FSYNC_WAL' as const }, { durability: 4 }],
    [
      'a delete of a row',
      { ...PUT, type: MutationType.Delete, cellCount: 0, timestamp: LATEST_TIMESTAMP },
      { mutateType: 3, associatedCellCount: 0, timestamp: LATEST_TIMESTAMP },
    ],
    ['an increment', { ...PUT, type: MutationType.Increment, nonce: 9n }, { mutateType: 1, nonce: 9n }],
    ['an append', { ...PUT, type: MutationType.Append }, { mutateType: 0 }],
    ['a time range', { ...PUT, timeRange: TimeRange.between(5n, 9n) }, { timeRange: { from: 5n, to: 9n } }],
    [
      'a time to live',
      { ...PUT, ttlMs: 258 },
      { attribute: [{ name: '_ttl', value: Buffer.from([0, 0, 0, 0, 0, 0, 1, 2]) }] },
    ],
  ])('%s', (_, mutation: Mutation, expected) => {
    const request = { regionName: REGION, mutation, nonceGroup: 4n }
    const message = sent(MUTATE, request, pb.MutateRequestSchema)
    expect(message.mutation).toMatchObject(expected)
    expect(hex(message.mutation!.row)).toBe(hex(Buffer.from('r')))
    expect(message.nonceGroup).toBe(mutation.nonce === 0n ? 0n : 4n)
  })

  test.each([
    ['LESS', 0],
    ['LESS_OR_EQUAL', 1],
    ['EQUAL', 2],
    ['NOT_EQUAL', 3],
    ['GREATER_OR_EQUAL', 4],
    ['GREATER', 5],
  ] as const)('a condition: %s', (operator, code) => {
    const condition: Condition = {
      ...valueCondition(Buffer.from('f'), Buffer.from('q'), operator, Buffer.from('v')),
      timeRange: TimeRange.between(1n, 2n),
    }
    const request = { regionName: REGION, mutation: PUT, condition, nonceGroup: 0n }
    const message = sent(MUTATE, request, pb.MutateRequestSchema).condition!
    expect([message.row, message.family, message.qualifier].map(hex)).toEqual(['72', '66', '71'])
    expect(message.compareType).toBe(code)
    expect(message.timeRange).toMatchObject({ from: 1n, to: 2n })
    expect(message.comparator!.name).toBe('org.apache.hadoop.hbase.filter.BinaryComparator')
    const { comparable } = fromBinary(BinaryComparatorSchema, message.comparator!.serializedComparator)
    expect(hex(comparable!.value)).toBe('76')
  })

  test('a condition that there be nothing', () => {
    const condition = valueCondition(Buffer.from('f'), Buffer.alloc(0), 'EQUAL', undefined)
    const request = { regionName: REGION, mutation: PUT, condition, nonceGroup: 0n }
    const message = sent(MUTATE, request, pb.MutateRequestSchema).condition!
    const { comparable } = fromBinary(BinaryComparatorSchema, message.comparator!.serializedComparator)
    expect(comparable!.value).toHaveLength(0)
  })
})

test('many at once: gets and mutations of regions, each by its index', () => {
  const other = Buffer.from('t,m,1.fedcba9876543210fedcba9876543210.')
  const condition = valueCondition(Buffer.from('f'), Buffer.from('q'), 'EQUAL', undefined)
  const request = {
    regionActions: [
      { regionName: REGION, gets: [get(Buffer.from('a')), get(Buffer.from('b'))] },
      { regionName: other, mutations: [PUT, { ...PUT, type: MutationType.Delete }], atomic: true, condition },
      { regionName: other, mutations: [PUT] },
    ],
    nonceGroup: 3n,
  }
  const message = sent(MULTI, request, pb.MultiRequestSchema)
  expect(message.nonceGroup).toBe(3n)
  const [gets, atomic, single] = message.regionAction
  expect(gets!.action.map(({ index, get }) => [index, hex(get!.row)])).toEqual([
    [0, '61'],
    [1, '62'],
  ])
  expect(hex(atomic!.region!.value)).toBe(hex(other))
  expect(atomic!.atomic).toBe(true)
  expect(hex(atomic!.condition!.row)).toBe('72')
  expect(atomic!.action.map(({ index, mutation }) => [index, mutation!.mutateType])).toEqual([
    [0, 2],
    [1, 3],
  ])
  expect(single!.atomic).toBe(false)
  expect(single!.condition).toBeUndefined()
})
