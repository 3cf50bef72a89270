/** What clients ask the native RPC door: the messages that it reads by hand, and numbers in cells that endpoints read. */

import { deepStrictEqual } from 'node:assert'
import { create, toBinary } from '@bufbuild/protobuf'
import { readMulti } from '../../src/doors/rpc/client/read-multi.ts'
import { clientRelease } from '../../src/doors/rpc/contract/client-release.ts'
import type { RpcRequest } from '../../src/doors/rpc/contract/rpc-service.ts'
import { withInterpreter } from '../../src/doors/rpc/endpoints/column-interpreter.ts'
import { CellSource } from '../../src/doors/rpc/messages/cell-source.ts'
import { readCondition } from '../../src/doors/rpc/messages/read-condition.ts'
import { readMutation } from '../../src/doors/rpc/messages/read-mutation.ts'
import { readGet } from '../../src/doors/rpc/messages/read-query.ts'
import { readScanRequest } from '../../src/doors/rpc/messages/read-scan-request.ts'
import { readRegionSpecifier, refOfName } from '../../src/doors/rpc/regions/read-region.ts'
import { CellBlock } from '../../src/model/cell-block.ts'
import { checkCellBlock } from '../../src/model/check-cell-block.ts'
import { isHBaseError } from '../../src/model/errors.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import {
  ConditionSchema,
  GetSchema,
  MultiRequestSchema,
  MutationProtoSchema,
  ScanRequestSchema,
} from '../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifierSchema } from '../../src/wire/rpc/gen/hbase_pb.ts'
import { MalformedMessage, MessageReader } from '../../src/wire/rpc/message-reader.ts'
import { readBothWays } from '../harness/fuzz/both-ways.ts'
import type { FuzzTarget } from '../harness/fuzz/fuzz-target.ts'
import { tryEach } from '../harness/fuzz/try-each.ts'

const ACTIONS_MAX = 1000
const DECIMAL = 'org.apache.hadoop.hbase.client.coprocessor.BigDecimalColumnInterpreter'
const text = (of: string): Buffer => Buffer.from(of)

const REGION = { type: 1, value: text(`t,,1.${'0'.repeat(32)}.`) } as const
const FILTER = {
  name: 'org.apache.hadoop.hbase.filter.PrefixFilter',
  serializedFilter: Buffer.from([10, 1, 0x62]),
}
const COMPARATOR = {
  name: 'org.apache.hadoop.hbase.filter.BinaryComparator',
  serializedComparator: Buffer.from([10, 3, 10, 1, 0x62]),
}
const GET = {
  row: text('r'),
  column: [{ family: text('f'), qualifier: [text('q')] }],
  filter: FILTER,
  timeRange: { from: 1n, to: 5n },
  maxVersions: 3,
  cfTimeRange: [{ columnFamily: text('f'), timeRange: { from: 1n, to: 2n } }],
}
const SCAN = { ...GET, startRow: text('a'), stopRow: text('b'), batchSize: 2, reversed: true }
const MUTATION = {
  row: text('r'),
  mutateType: 2 as const,
  columnValue: [
    { family: text('f'), qualifierValue: [{ qualifier: text('q'), value: text('v'), timestamp: 5n }] },
  ],
  attribute: [{ name: '_ttl', value: Buffer.alloc(8, 1) }],
  durability: 1 as const,
  nonce: 7n,
}
const CONDITION = { row: text('r'), family: text('f'), compareType: 2 as const, comparator: COMPARATOR }
const ACTIONS = [
  { index: 1, get: GET },
  { index: 2, mutation: MUTATION },
]

const over =
  (read: (reader: MessageReader) => unknown) =>
  (input: Buffer): unknown =>
    read(new MessageReader(input, 0, input.length))

function readDecimal(input: Buffer): unknown {
  return withInterpreter(DECIMAL, (numbers) => {
    const number = numbers.read(input)
    return number === undefined ? undefined : numbers.toMessage(numbers.multiply(number, number))
  })
}

const MESSAGE_LENGTH_BYTES = 2

/** The length of a Multi, the Multi, and its cells. */
function multiWithCells(rows: readonly string[]): Buffer {
  const cells = new MutationBatch()
  for (const row of rows) cells.put(text(row), text('f'), text('q'), text('v')).endMutation()
  const action = rows.map((row, index) => ({
    index,
    mutation: { row: text(row), mutateType: 2 as const, durability: 0 as const, associatedCellCount: 1 },
  }))
  const init = { regionAction: [{ region: REGION, action }] }
  const message = toBinary(MultiRequestSchema, create(MultiRequestSchema, init))
  const length = Buffer.alloc(MESSAGE_LENGTH_BYTES)
  length.writeUInt16BE(message.length)
  const { buffer, start, end } = cells.cells.block()
  return Buffer.concat([length, message, buffer.subarray(start, end)])
}

/** The plain actions of a Multi, which are read in one walk, as they are one by one. */
export const rpcMulti: FuzzTarget = {
  name: 'rpc-multi',
  kept: { base: 1.5 * 1024 * 1024, perByte: 64 },
  isRefusal,
  seeds: () => [
    multiWithCells(['a']),
    multiWithCells(['a', 'b', 'c']),
    multiWithCells(Array.from({ length: 100 }, (_, i) => `row${i}`)),
  ],
  run: (input) => {
    if (input.length < MESSAGE_LENGTH_BYTES) return undefined
    const end = Math.min(input.length, MESSAGE_LENGTH_BYTES + input.readUInt16BE())
    const cells = new CellBlock(input, end, input.length)
    checkCellBlock(cells)
    const of = { call: OWN_CALL, takesCellBlocks: true, release: clientRelease(undefined), cells }
    const request = (): RpcRequest => ({
      ...of,
      parameter: new MessageReader(input, MESSAGE_LENGTH_BYTES, end),
    })
    const { onePass, oneByOne } = readBothWays(request, ACTIONS_MAX)
    deepStrictEqual(onePass, oneByOne)
    return onePass
  },
}

function isRefusal(error: unknown): boolean {
  return isHBaseError(error) || error instanceof MalformedMessage
}

export const rpcRequest: FuzzTarget = {
  name: 'rpc-request',
  // A few bytes may be a column or an action.
  kept: { base: 1.5 * 1024 * 1024, perByte: 64 },
  isRefusal,
  seeds: () => [
    Buffer.from(toBinary(GetSchema, create(GetSchema, GET))),
    Buffer.from(toBinary(MutationProtoSchema, create(MutationProtoSchema, MUTATION))),
    Buffer.from(toBinary(ConditionSchema, create(ConditionSchema, CONDITION))),
    Buffer.from(toBinary(RegionSpecifierSchema, create(RegionSpecifierSchema, REGION))),
    Buffer.from(toBinary(ScanRequestSchema, create(ScanRequestSchema, { region: REGION, scan: SCAN }))),
    Buffer.from(
      toBinary(
        MultiRequestSchema,
        create(MultiRequestSchema, {
          regionAction: [{ region: REGION, action: ACTIONS, condition: CONDITION }],
        }),
      ),
    ),
    Buffer.from([0, 0, 0, 3, 0x30, 0x39]),
  ],
  run: (input) =>
    tryEach(
      input,
      [
        over(readGet),
        over(readCondition),
        over(readScanRequest),
        over((reader) => readMutation(reader, new CellSource(CellBlock.EMPTY))),
        over((reader) => refOfName(readRegionSpecifier(reader))),
        over((parameter) => {
          const release = clientRelease(undefined)
          const request = {
            parameter,
            cells: CellBlock.EMPTY,
            call: OWN_CALL,
            takesCellBlocks: false,
            release,
          }
          return readMulti(request, ACTIONS_MAX)
        }),
        readDecimal,
      ],
      isRefusal,
    ),
}
