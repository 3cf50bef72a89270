/** AggregateService over a region's rows, as AggregationClient calls it. */

import { create, type DescMessage, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { AggregateRequestSchema, AggregateResponseSchema } from '../../../../src/wire/rpc/gen/aggregate_pb.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { BigDecimalMsgSchema, DoubleMsgSchema, LongMsgSchema } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { oneCall } from '../one-call.ts'
import { type RpcServer, startRpcServer, TABLE } from '../rpc-server.ts'

const PACKAGE = 'org.apache.hadoop.hbase.client.coprocessor.'
const [LONG, DOUBLE, DECIMAL] = ['Long', 'Double', 'BigDecimal'].map(
  (kind) => `${PACKAGE}${kind}ColumnInterpreter`,
) as [string, string, string]
const F = Buffer.from('f')

let server: RpcServer

beforeEach(async () => {
  server = await startRpcServer()
})

afterEach(() => server.close())

/** Row i has value i. */
async function put(values: readonly Buffer[], family = F, qualifier = 'q'): Promise<void> {
  const batch = new MutationBatch()
  for (const [i, value] of values.entries()) {
    batch.put(Buffer.from(`a${i}`), family, Buffer.from(qualifier), value).endMutation()
  }
  expect(await server.store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

function long(value: bigint): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeBigInt64BE(value)
  return buffer
}

function double(value: number): Buffer {
  const buffer = Buffer.alloc(8)
  buffer.writeDoubleBE(value)
  return buffer
}

function decimal(scale: number, ...unscaled: number[]): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeInt32BE(scale)
  return Buffer.concat([buffer, Buffer.from(unscaled)])
}

type ScanOf = NonNullable<MessageInitShape<typeof AggregateRequestSchema>['scan']>
const COLUMN: ScanOf = { column: [{ family: F, qualifier: [Buffer.from('q')] }] }

async function serviceCall(methodName: string, javaClass: string, scan: ScanOf) {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const request = toBinary(
    AggregateRequestSchema,
    create(AggregateRequestSchema, { interpreterClassName: javaClass, scan }),
  )
  return {
    region: { type: 1 as const, value: region!.name },
    call: { row: Buffer.alloc(0), serviceName: 'AggregateService', methodName, request },
  }
}

async function parts(methodName: string, javaClass: string, scan: ScanOf = COLUMN) {
  const call = await serviceCall(methodName, javaClass, scan)
  const { message } = await oneCall(server.door.port, ClientService.method.execService, call)
  const { firstPart, secondPart } = fromBinary(AggregateResponseSchema, message.value!.value)
  const rows = secondPart.length === 0 ? undefined : Buffer.from(secondPart).readBigInt64BE()
  return { firstPart: firstPart.map((part) => Buffer.from(part)), rows }
}

function encoded<Schema extends DescMessage>(schema: Schema, of: MessageInitShape<Schema>): Buffer {
  return Buffer.from(toBinary(schema, create(schema, of)))
}

const longs = (...values: bigint[]) => values.map((longMsg) => encoded(LongMsgSchema, { longMsg }))

test('longs: what is no number of eight bytes counts as a row alone', async () => {
  await put([long(5n), long(-3n), Buffer.from('text'), long(10n)])
  expect(await parts('GetMax', LONG)).toEqual({ firstPart: longs(10n), rows: undefined })
  expect(await parts('GetMin', LONG)).toEqual({ firstPart: longs(-3n), rows: undefined })
  expect(await parts('GetSum', LONG)).toEqual({ firstPart: longs(12n), rows: undefined })
  expect(await parts('GetAvg', LONG)).toEqual({ firstPart: longs(12n), rows: 4n })
  expect(await parts('GetStd', LONG)).toEqual({ firstPart: longs(12n, 134n), rows: 4n })
  expect(await parts('GetMedian', LONG)).toEqual({ firstPart: longs(12n, -(2n ** 63n)), rows: undefined })
})

test('sums of longs wrap around, as in Java', async () => {
  await put([long(2n ** 63n - 1n), long(1n)])
  expect((await parts('GetSum', LONG)).firstPart).toEqual(longs(-(2n ** 63n)))
})

test('doubles', async () => {
  await put([double(0.5), double(-0.25)])
  expect((await parts('GetStd', DOUBLE)).firstPart).toEqual([
    encoded(DoubleMsgSchema, { doubleMsg: 0.25 }),
    encoded(DoubleMsgSchema, { doubleMsg: 0.3125 }),
  ])
  expect((await parts('GetMin', DOUBLE)).firstPart).toEqual([encoded(DoubleMsgSchema, { doubleMsg: -0.25 })])
})

describe('decimals have two digits behind the point, the last one even where it lies between two', () => {
  test.each([
    ['12.345 is 12.34', decimal(3, 0x30, 0x39), decimal(2, 0x04, 0xd2)],
    ['12.355 is 12.36', decimal(3, 0x30, 0x43), decimal(2, 0x04, 0xd4)],
    ['-0.005 is 0', decimal(3, 0xfb), decimal(2, 0)],
    ['-0.015 is -0.02', decimal(3, 0xf1), decimal(2, 0xfe)],
    ['7 is 7.00', decimal(0, 7), decimal(2, 0x02, 0xbc)],
    ['1.28 needs two bytes', decimal(2, 0x00, 0x80), decimal(2, 0x00, 0x80)],
  ])('%s', async (_, value, rounded) => {
    await put([value])
    expect((await parts('GetSum', DECIMAL)).firstPart).toEqual([
      encoded(BigDecimalMsgSchema, { bigdecimalMsg: rounded }),
    ])
  })

  test.each([
    ['scale', decimal(2_000_000_000, 1)],
    ['length', Buffer.concat([decimal(2), Buffer.alloc(2000, 1)])],
  ])('a number of an absurd %s is refused', async (_, value) => {
    await put([value])
    await expect(parts('GetSum', DECIMAL)).rejects.toMatchObject({
      javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException',
    })
  })
})

test('rows are counted by their first cells, or by those of the column', async () => {
  await put([long(1n), long(2n), long(3n)])
  await put([long(1n), long(2n), long(3n), long(4n), long(5n)], Buffer.from('g'))
  const rows = async (scan: ScanOf) => (await parts('GetRowNum', LONG, scan)).firstPart[0]!.readBigInt64BE()
  expect([await rows({}), await rows(COLUMN)]).toEqual([5n, 3n])
  const empty = { ...COLUMN, startRow: Buffer.from('b') }
  expect([await rows(empty), await parts('GetSum', LONG, empty)]).toEqual([
    0n,
    { firstPart: [], rows: undefined },
  ])
})

test('a call of a Multi is answered beside its other actions', async () => {
  await put([long(1n), long(2n)])
  const { region, call } = await serviceCall('GetSum', LONG, COLUMN)
  const none = { ...call, serviceName: 'hbase.pb.Nope' }
  const { message } = await oneCall(server.door.port, ClientService.method.multi, {
    regionAction: [
      {
        region,
        action: [
          { index: 3, serviceCall: { ...call, serviceName: 'hbase.pb.AggregateService' } },
          { index: 4, serviceCall: none },
          { index: 5, get: { row: Buffer.from('a0') } },
        ],
      },
    ],
  })
  const [sum, failed, row] = message.regionActionResult[0]!.resultOrException
  const answer = fromBinary(AggregateResponseSchema, sum!.serviceResult!.value!.value)
  expect(answer.firstPart.map((part) => Buffer.from(part))).toEqual(longs(3n))
  expect(failed!.exception!.name).toBe('org.apache.hadoop.hbase.exceptions.UnknownProtocolException')
  expect([sum, failed, row].map((each) => each!.index)).toEqual([3, 4, 5])
})

const refusal = (javaClass: string) => ({ javaClass: `org.apache.hadoop.hbase.${javaClass}` })

test('what is unknown or missing is refused', async () => {
  await expect(parts('GetNothing', LONG)).rejects.toMatchObject(
    refusal('exceptions.UnknownProtocolException'),
  )
  await expect(parts('GetSum', 'x.Y')).rejects.toMatchObject(refusal('DoNotRetryIOException'))
  await expect(parts('GetSum', LONG, {})).rejects.toMatchObject(refusal('DoNotRetryIOException'))
  const nope = { column: [{ family: Buffer.from('nope') }] }
  await expect(parts('GetSum', LONG, nope)).rejects.toMatchObject(
    refusal('regionserver.NoSuchColumnFamilyException'),
  )
})
